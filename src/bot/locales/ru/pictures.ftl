# A picture that came without words.

picture-uses =
    <b>Что сделать с этой картинкой?</b>
    { $lines }

    Менять её саму пока не умею.
picture-use-video = 🎬 Оживить: видео, которое с неё начнётся
picture-use-talk = 🗣 Говорящая: скажет ваши слова или споёт, { $seconds } с ≈ { $amount }
picture-use-model3d = 🧊 Текстура: раскрашу ею 3D-модель
picture-use-like = 🖼 Похожее: опишу её и нарисую новую
picture-use-ask = 💬 Спросить: отвечу, что на ней
picture-in-3d = 🧊 Картинка станет текстурой. Форму задаст ваше описание.
