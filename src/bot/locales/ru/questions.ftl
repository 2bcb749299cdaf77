# Questions of conversations: closing them.

question-closed-before = Этот вопрос уже был закрыт
answer-not-needed = На карточке теперь { $model }, этот ответ ей не подходит. Её настройки — на карточке.
admin-ask-broadcast = Пришлите сообщение для рассылки: текст, картинку, что угодно. Сначала покажу его вам, потом решите. Отменить: /cancel
