# /ideas, and cards like a shared result.

command-ideas = Ideas
help-ideas = /ideas — ready ideas: one tap fills in the card
ideas = 💡 <b>Ideas · { $kind }</b>

    Tap any of them: I’ll show the price, and you can still change the words.
ideas-nothing = Nothing is on sale right now, so there are no ideas either. Please come back later.
idea-with-result = 👀 { $title }
idea-prompt = <blockquote expandable>{ $prompt }</blockquote>
button-like = ✨ Make one like this
like-shared = ✨ Here is a card just like it. Change the words, or tap the button with the price.
button-idea-on = 💡 Add to ideas
button-idea-off = 💡 Remove from ideas
idea-on = Everybody sees it in /ideas now
idea-off = Removed from /ideas

# One idea in each line: the title on the button, a colon, the prompt.
ideas-image =
    🦊 Fox in the mist: A red fox in an autumn forest at dawn, mist, soft side light, watercolour
    🏙 City of the future: A future city in the evening after rain, neon signs reflected in puddles, seen from street level
    🐱 Captain cat: Portrait of a serious cat in a captain's uniform, oil painting in the manner of the old Dutch masters
    🪐 Postcard from space: A vintage poster saying "Welcome to Saturn", retro-futurism, warm colours, grainy print
    🏡 Cabin by the lake: A small wooden cabin by a mountain lake at sunrise, smoke from the chimney, photorealistic
    🍰 Dessert close-up: A chocolate cake with berries, macro shot, dripping glaze, studio light, dark background
    🧸 Bakery logo: A simple flat logo for a family bakery: an ear of wheat and a smile, two colours, white background
    🐉 Baby dragon: A small friendly dragon asleep on a pile of books, cosy lamplight, children's book illustration
    👗 Fashion shot: A magazine photo of a woman in a green coat on a Paris street, film look, light wind
    🎮 Pixel art: An isometric programmer's room at night, pixel art, a cat on the keyboard
ideas-video =
    🏄 Surfing cat: A ginger cat surfs a wave at sunset, splashing water, the camera flies alongside
    🌌 Sky in fast motion: Time-lapse of a starry sky above mountains, the Milky Way turns slowly
    ☕ Morning coffee: Coffee pours into a glass cup, steam in a ray of sun, slow-motion close-up
    🚂 Train in the snow: A red train runs through a snowy forest, the camera rises above the trees
    🐠 Under water: The camera glides among corals and bright fish, rays of sun through the water
    🏎 Chase: A sports car races through a wet city at night, blurred lights, seen from behind
    🌸 Flower: A peony bud opens slowly, black background, macro shot
ideas-speech =
    ☀️ Good morning: Good morning! Today is a great day to do what you have been putting off. Start small, and the coffee is already waiting.
    🎂 Birthday wishes: Happy birthday! May you always have people around you who make you laugh until you cry, and no other reason for tears.
    🌙 Bedtime story: Far, far away, behind three forests, there lived a little hedgehog who could light the stars. Every evening he climbed a hill and gently blew at the sky.
    📞 Voicemail: Hello! We can't take your call right now. Please leave a message after the tone, and we will call you back.
ideas-music =
    🌊 Song of the sea: A light pop song about the sea and coming home, female vocals, guitar and waves
    🎷 Evening jazz: Calm jazz for a late evening, saxophone and double bass, instrumental
    🎉 Party song: A cheerful birthday song for a friend, hand claps, brass, a chorus that everybody sings along to
    🕹 80s game: An upbeat tune in the style of games from the eighties, synthesizers and chiptune, instrumental
    🌧 For studying: Quiet lo-fi with the sound of rain, soft drums, piano, instrumental
ideas-model3d =
    🪑 Armchair: A cosy wooden armchair with a green cushion, Scandinavian style
    🤖 Robot: A small friendly robot with a round head and big eyes
    🏰 Castle: A low-poly medieval castle on a rock with towers and a bridge
    🍄 Mushroom house: A fairy-tale house in the shape of a fly agaric with a round door and a window
