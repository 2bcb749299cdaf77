# What can follow a result, and reports of problems with it.

button-again-for = 🔁 Ещё раз · { $amount }
button-more = ⋯ Ещё
button-favourite-on = 🤍 В избранное
button-favourite-off = ❤️ В избранном
favourite-now-on = В избранном. Всё избранное: /favourites
favourite-now-off = Убрано из избранного
result-numbers = 👇 Чтобы использовать один из них, нажмите номер
button-less = ‹ Назад
button-variations = 🎲 Варианты
button-pick-exactly = 🎯 Ещё раз № { $number }, тот же сид
button-trial = 🧪 Сначала проба { $seconds } с
button-final = 🎬 Начисто: { $seconds } с, { $quality } · { $amount }
button-full-3d = 🧊 Полная модель заново · { $amount }
button-share-result = 📤 Поделиться
next-animate = 🎬 Оживить
next-last-frame = 🏁 Последний кадр видео
next-texture = 🧊 Текстура для 3D
next-extend = ⏩ Продолжение отдельным видео
next-sound = 🎬 Видео с этим голосом
next-talk = 🗣 Говорящая картинка
next-voice = 🗣 Отдельная озвучка
share-hint = Перешлите копию кому хотите: по ссылке под ней сделают такое же
share-caption = Сделано в { $bot } · <a href="{ $link }">сделать такое же</a>
track-of = { $number } из { $count } · { $title }
ask-was = Сейчас (нажмите, чтобы скопировать): <code>{ $was }</code>

## Problems with a result

button-problem = ⚠️ Проблема
problem-ask = Что не так с результатом? Нажмите причину или просто напишите сообщением.
problem-not-asked = Не то, что заказано
problem-quality = Плохое качество
problem-broken = Файл не открывается
problem-words = ✏️ Своими словами
