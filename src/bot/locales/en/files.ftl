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

album-on-card = 📎 From an album I take only the file with your words. To add the others, tap the button for files on the card and send them one by one.
album-in-question = 📎 From an album I look only at the file with your words. To ask about the others, send them one by one, each with its question.
first-file-only = 📎 Of the files in this message I take only the first one. Send the others one by one.
