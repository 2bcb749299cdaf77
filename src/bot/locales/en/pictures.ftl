# A picture that came without words.

picture-uses = 🖼 What should I do with this picture?
picture-in-3d = 🧊 A 3D model takes it as a texture only: your words give the shape.
