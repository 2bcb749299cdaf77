# A picture that came without words.

picture-uses = 🖼 Что сделать с этой картинкой? Менять её саму пока не умею.
picture-in-3d = 🧊 Картинка станет текстурой. Форму задаст ваше описание.
