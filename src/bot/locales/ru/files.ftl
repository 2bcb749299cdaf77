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
