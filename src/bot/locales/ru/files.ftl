# Questions for files, which name what they take.

ask-image =
    <b>{ $label }</b>
    { $hint }

    Пришлите в этот чат картинку: фото или файл.

ask-video =
    <b>{ $label }</b>
    { $hint }

    Пришлите видео в этот чат.

ask-audio =
    <b>{ $label }</b>
    { $hint }

    Пришлите в этот чат звук: голосовое сообщение или аудиофайл.

album-on-card = 📎 Из альбома беру только файл с подписью. Чтобы добавить остальные, нажмите на карточке кнопку для файлов и пришлите их по одному.
album-in-question = 📎 Из альбома смотрю только файл с подписью. Чтобы спросить об остальных, пришлите их по одному, каждый со своим вопросом.
file-kept = 📎 Принято: «{ $label }». Теперь жду слова: напишите их сообщением.
first-file-only = 📎 Из файлов в этом сообщении я беру только первый. Остальные пришлите по одному.

## A file that the models of its command do not take

picture-not-edited = Менять готовые картинки пока не умею. Зато могу так:
file-not-taken =
    /{ $command } не работает { $kind ->
        [image] с картинками
        [video] с видео
        [audio] со звуком
       *[other] с такими файлами
    }. Зато могу так:
without-image = 🖼 Нарисовать новую по словам
without-video = 🎬 Видео только по словам
without-speech = 🗣 Озвучить только слова
without-dialogue = 👥 Диалог только по словам
without-music = 🎵 Музыка только по словам
without-model3d = 🧊 3D только по словам

## Several files of an album

album-uses =
    📎 Из альбома у меня { $count ->
        [one] { $count } файл
        [few] { $count } файла
       *[many] { $count } файлов
    }. Что с ними сделать? Номер — взять только этот.
use-frames =
    { $count ->
        [2] 🎞 Первый и последний кадр
       *[other] 🎞 Кадры по порядку
    }
use-references = 👥 Образцы для видео
