# Questions of conversations: closing them.

question-closed-before = That question was closed before
answer-not-needed = The card is now for { $model }, which doesn’t take this answer. Its settings are on the card.
admin-ask-broadcast = Send the message to broadcast: a text, a picture, anything. You see it first and decide then. To leave: /cancel
