# A picture that came without words.

picture-uses = 🖼 What shall I do with this picture?
picture-in-3d = 🧊 A 3D model takes it as a texture only: your words give the shape.
picture-blind = 💬 { $model } cannot see pictures. These models can: { $models }. To ask about the picture, choose one of them with /model and send the picture again.
picture-blind-mode = 💬 { $model } cannot see pictures while this is on: { $modes }. To ask about the picture, switch this off with /model and send the picture again.
picture-format = 💬 Models cannot see this picture: it is in another format, broken or too large. To use it, send it as a photo, or as a file in JPEG, PNG, WebP, HEIC, AVIF, TIFF or GIF.
button-ask-picture = 💬 Ask about it · ≈ { $amount }
picture-ask = What would you like to know about the picture? Write it as a message.
