# Questions of conversations: closing them.

question-closed-before = Этот вопрос уже был закрыт
question-cancelled = Вопрос отменён. Деньги на месте.
