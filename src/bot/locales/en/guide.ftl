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
guide-step-passed = That step is done. Answer the one on the screen.
guide-no-such-option = ❗️ There is no such option. Tap one of the buttons.

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

## Ready prompts, separated by blank lines; the first is the example

samples-image =
    a red fox in an autumn forest, watercolour, soft morning light

    a cosy café in the rain, seen from the street, warm light in the windows

    an astronaut feeding pigeons in a square, a poster from the seventies

    an island in the clouds with waterfalls and a tiny house, fairy-tale illustration

    a cat in a jumper reading a newspaper, oil portrait

    a bakery logo: an ear of wheat and the sun, flat vector
samples-video =
    a cat on a board catches a wave, the camera flies beside it

    morning mist over a mountain lake, the camera rises slowly

    a paper boat drifts down a spring stream past fallen leaves

    a robot waters flowers on a balcony at sunset, the city far below

    a drop of paint falls into water and opens like a flower, close-up
samples-animation =
    the camera moves in slowly while the wind stirs the hair and the leaves

    the character turns and smiles, the background slightly blurred

    clouds drift by as the light changes from dawn to dusk
samples-speech =
    Good morning! May everything go your way today.

    Attention please: the next stop is your best mood.

    Once upon a time, by the deep blue sea, there lived a dream.
samples-dialogue =
    Anna: Did you hear? The ice rink in the park is open!
    Ben: Really? Then let’s meet at seven.

    Doctor: What seems to be the trouble?
    Cat: My bowl is only half full again.
samples-music =
    a cheerful song about a cat that won’t get up on Monday

    a calm piano lullaby about the sea at night

    upbeat pop rock about a drive to the sea with best friends

    a birthday song for Mia with her name in the chorus
samples-model3d =
    an old wrought-iron lantern with coloured glass

    a plush dragon with tiny wings

    a wooden treasure chest with iron corners
