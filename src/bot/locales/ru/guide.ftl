# The guide: one setting after another.

button-guide = 🪜 По шагам
guide-model = { $name } — { $about }
guide-send-file = Пришлите файл в этот чат.
guide-write = Напишите сообщением.
guide-reply = Ответьте на это сообщение.
guide-next = Дальше · { $value } ›
guide-next-plain = Дальше ›
guide-skip = Пропустить ›
guide-skip-default = Пропустить · { $value } ›
guide-done = ✅ Хватит, показать цену
guide-toggle-on = Да
guide-toggle-off = Нет
guide-words-on = да вкл включить есть +
guide-words-off = нет выкл выключить без -
guide-words-tall = вертикальн портретн
guide-words-wide = горизонтальн альбомн широк
guide-words-square = квадрат

about-design = рисунки, вектор, иконки и реализм; любые пропорции, свой стиль
about-photo = фотореализм; описание только на английском
about-3d = модель по описанию; можно добавить текстуры, скелет и анимацию
about-music = песни с вокалом или музыка без слов; можно на свои стихи
about-speech = текст одним голосом: эмоции, скорость, десятки языков
about-dialogue = сценарий на два голоса; можно и один
about-dream = чёткость до 4K, 5 или 9 секунд; продолжает готовое видео
about-reel = 3–15 секунд, по желанию со звуком; оживляет фото и берёт примеры
about-wan = 1–15 секунд сразу со звуком; в 720p выходит дешевле

ask-example = Например: «{ $example }»
button-sample = 👆 Взять это
button-surprise = 🎲 Удиви меня

## Ready prompts, separated by blank lines; the first is the example. Other kinds have their ideas.

samples-animation =
    камера медленно приближается, ветер шевелит волосы и листву

    герой поворачивает голову и улыбается, фон слегка размыт

    мимо плывут облака, свет меняется от рассвета к закату
samples-dialogue =
    Аня: Ты слышал? В парке открыли каток!
    Боря: Правда? Тогда встречаемся в семь.

    Доктор: На что жалуетесь?
    Кот: Миску опять наполнили только наполовину.
