# A picture that came without words.

picture-uses = 🖼 Что сделать с этой картинкой?
picture-in-3d = 🧊 В 3D она станет только текстурой: форму задаёт ваше описание.
