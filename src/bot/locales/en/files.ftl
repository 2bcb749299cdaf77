# Questions for files, which name what they take.

ask-image =
    <b>{ $label }</b>
    { $hint }

    Send a picture here: a photo, a file or a direct link.

ask-video =
    <b>{ $label }</b>
    { $hint }

    Send a video here, or a direct link to one. Over 20 MB, only as a link.

sound-or-words = I need a sound or words here. Send a voice message, an audio file, a direct link to one, or write what to say.
ask-audio =
    <b>{ $label }</b>
    { $hint }

    Send a sound here: a voice message, an audio file or a direct link.

album-on-card = 📎 From an album I take only the file with your words. To add the others, tap the files button on the card and send them one by one.
album-in-question = 📎 From an album I look only at the file with your words. To ask about the others, send them one by one, each with its question.
file-kept = 📎 Got it for “{ $label }”. Now I need the words: just write them here.
first-file-only = 📎 I took only the first file of this message. Send the others one by one.

## A file that the models of its command do not take

picture-not-edited = I can’t edit photos yet. But I can do this:
file-not-taken =
    /{ $command } can’t use { $kind ->
        [image] a picture
        [video] a video
        [audio] a sound
       *[other] such a file (a text can be .txt or PDF)
    }. But I can do this:
without-image = 🖼 Draw a new one from the words
without-video = 🎬 A video from the words alone
without-speech = 🗣 Speech from the words alone
without-dialogue = 👥 A dialogue from the words alone
without-music = 🎵 Music from the words alone
without-model3d = 🧊 A 3D model from the words alone

## Several files of an album

album-uses =
    📎 From the album I have { $count ->
        [one] { $count } file
       *[other] { $count } files
    }. What should I do with them? A number takes just that one.
use-frames =
    { $count ->
        [2] 🎞 First and last frame
       *[other] 🎞 Frames, in this order
    }
use-references = 👥 References for a video
