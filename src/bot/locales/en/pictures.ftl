# A picture that came without words.

picture-uses = 🖼 What shall I do with this picture? I can’t edit it yet.
picture-in-3d = 🧊 The picture becomes the texture; your words give the shape.
picture-blind = 💬 { $model } cannot see pictures. These models can: { $models }. To ask about the picture, choose one of them with /model and send the picture again.
picture-blind-mode = 💬 { $model } cannot see pictures while this is on: { $modes }. To ask about the picture, switch this off with /model and send the picture again.
button-ask-picture = 💬 Ask about it · ≈ { $amount }
picture-ask = What would you like to know about the picture? Write it as a message.
