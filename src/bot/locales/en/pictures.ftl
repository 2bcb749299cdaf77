# A picture that came without words.

picture-uses = 🖼 What should I do with this picture?
picture-in-3d = 🧊 A 3D model takes it as a texture only: your words give the shape.
picture-blind = 💬 { $model } can’t see pictures. These models can: { $models }. To ask about the picture, choose one of them with /model and send the picture again.
picture-blind-mode = 💬 { $model } can’t see pictures while this is on: { $modes }. To ask about the picture, switch it off with /model and send the picture again.
button-ask-picture = 💬 Ask about it · ≈ { $amount }
picture-ask = What would you like to know about the picture? Just write it here.
