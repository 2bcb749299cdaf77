# Questions for files, which name what they take.

ask-image =
    <b>{ $label }</b>
    { $hint }

    Send a picture into this chat, as a photo or a file.

ask-video =
    <b>{ $label }</b>
    { $hint }

    Send a video into this chat.

ask-audio =
    <b>{ $label }</b>
    { $hint }

    Send a sound into this chat: a voice message or an audio file.
