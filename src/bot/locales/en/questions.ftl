# Questions of conversations: closing them.

question-closed-before = That question was closed before
question-cancelled = Cancelled. Your money is untouched.
