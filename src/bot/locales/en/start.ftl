# /start, and what Telegram shows of the bot before the first message.

start =
    👋 Hello, { $name }!

    Tell me what you’d like to see or hear. I show the price first, then make it. If it fails, your money comes back.
start-undelivered =
    📦 { $count ->
        [1] A paid result could not be delivered. It is
       *[other] { $count } paid results could not be delivered. They are
    } kept for you in /history
start-gift =
    🎁 A gift for you: <b>{ $amount }</b> is on your balance{ $things ->
        [none] .
       *[other] , enough for { $things }.
    }
start-example =
    For example, { $command ->
        [image] a picture
        [speech] speech
       *[video] a video
    } with one tap:
    <i>{ $prompt }</i>
start-chat =
    💬 Just send your question as a message.

    The model and its prices: /chat
button-example = ▶️ Try it · { $amount }
begin-image = 🖼 Picture
begin-video = 🎬 Video
begin-speech = 🗣 Speech
begin-dialogue = 👥 Dialogue
begin-music = 🎵 Music
begin-model3d = 🧊 3D
begin-chat = 💬 Question
example-image = A red fox in an autumn forest, watercolour, soft morning light
example-speech = Good morning! May everything go your way today.
example-video = A ginger cat riding a surfboard, sunset, splashing water

thing-image = pictures
thing-video = videos
thing-speech = speech
thing-dialogue = dialogues
thing-music = music
thing-model3d = 3D models

profile-what = Tell me what you’d like to see or hear, and I’ll make { $things }.
profile-promise = 💳 You see the exact price before you order. If something fails, your money comes back by itself.
profile-chat = 💬 I answer questions too: just write.
profile-gift = 🎁 New here? { $amount } is on us.
profile-short = I make { $things } from your description. Exact price before you order.
