# What can follow a result, and reports of problems with it.

button-again-for = 🔁 Again · { $amount }
button-more = ⋯ More
button-favourite-on = 🤍 Favourite
button-favourite-off = ❤️ Favourite
favourite-now-on = Added to favourites. All of them: /favourites
favourite-now-off = Removed from favourites
result-numbers = 👇 To use one of them, tap its number
button-less = ‹ Back
button-variations = 🎲 Variations
button-pick-exactly = 🎯 No. { $number } again, same seed
button-trial = 🧪 A { $seconds } s trial first
button-final = 🎬 Final: { $seconds } s, { $quality } · { $amount }
button-full-3d = 🧊 Full model, made anew · { $amount }
button-share-result = 📤 Share
next-animate = 🎬 Animate
next-last-frame = 🏁 Last frame of a video
next-texture = 🧊 Texture of a 3D model
next-extend = ⏩ Continue as a new video
next-sound = 🎬 Video with this voice
next-talk = 🗣 Talking picture
next-voice = 🗣 A separate voice track
share-hint = Forward this copy to anyone: its link makes one like it
share-caption = Made with { $bot } · <a href="{ $link }">make one like this</a>
track-of = { $number } of { $count } · { $title }
ask-was = Now (tap to copy): <code>{ $was }</code>

## Problems with a result

button-problem = ⚠️ Problem
problem-ask = What’s wrong with the result? Tap a reason, or just write it in a message.
problem-not-asked = Not what I asked for
problem-quality = Poor quality
problem-broken = The file doesn’t open
problem-words = ✏️ In my own words
