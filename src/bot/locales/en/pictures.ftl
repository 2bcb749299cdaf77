# A picture that came without words.

picture-uses = 🖼 What should I do with this picture? I can’t edit it yet.
picture-in-3d = 🧊 The picture becomes the texture; your words give the shape.
