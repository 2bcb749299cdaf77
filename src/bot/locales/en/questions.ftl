# Questions of conversations: closing them.

question-closed-before = That question was closed before
question-cancelled = Cancelled. Your money is untouched.
admin-ask-broadcast = Send the message to broadcast: a text, a picture, anything. You see it first and decide then. To leave: /cancel
