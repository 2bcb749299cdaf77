# The guide: one setting after another.

button-guide = 🪜 Step by step
guide-model = { $name } — { $about }
guide-send-file = Send the file to this chat.
guide-write = Send it as a message.
guide-reply = Reply to this message.
guide-next = Next · { $value } ›
guide-next-plain = Next ›
guide-skip = Skip ›
guide-skip-default = Skip · { $value } ›
guide-done = ✅ Enough, show the price
guide-toggle-on = Yes
guide-toggle-off = No
guide-words-on = yes on true +
guide-words-off = no none off without false -
guide-words-tall = vertical portrait
guide-words-wide = horizontal landscape wide
guide-words-square = square

about-design = illustrations, vectors, icons and realism; any aspect ratio, your own style
about-photo = photorealism; descriptions in English only
about-3d = a model from a description; textures, a rig and animation on request
about-music = songs with vocals or instrumental music; your own lyrics if you like
about-speech = one voice: emotions, speed, dozens of languages
about-dialogue = a script for two voices, or just one
about-dream = up to 4K, 5 or 9 seconds; continues a finished video
about-reel = 3–15 seconds, with sound if you like; animates photos and takes references
about-wan = 1–15 seconds with sound from the start; cheaper in 720p

ask-example = For example: “{ $example }”
button-sample = 👆 Use this
button-surprise = 🎲 Surprise me

## Ready prompts, separated by blank lines; the first is the example. Other kinds have their ideas.

samples-animation =
    the camera moves in slowly while the wind stirs the hair and the leaves

    the character turns and smiles, the background slightly blurred

    clouds drift by as the light changes from dawn to dusk
samples-dialogue =
    Anna: Did you hear? The ice rink in the park is open!
    Ben: Really? Then let’s meet at seven.

    Doctor: What seems to be the trouble?
    Cat: My bowl is only half full again.
