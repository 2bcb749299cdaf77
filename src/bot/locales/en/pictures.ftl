# A picture that came without words.

picture-uses =
    <b>What should I do with this picture?</b>
    { $lines }

    I can’t edit the picture itself yet.
picture-use-video = 🎬 Animate: a video that starts from it
picture-use-talk = 🗣 Talk: it says your words or sings, { $seconds } s ≈ { $amount }
picture-use-model3d = 🧊 Texture: the paint of a 3D model
picture-use-like = 🖼 Something like it: I describe it and draw a new one
picture-use-ask = 💬 Ask: I tell you what is in it
picture-in-3d = 🧊 The picture becomes the texture; your words give the shape.
