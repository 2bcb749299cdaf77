# A prompt that a model does not take, rewritten by a text model.

rewrite-needs-english = ⚠️ { $name } понимает только английский. Переведите текст кнопкой или пришлите его по-английски. Ваш текст сохранён.
rewrite-too-long =
    ⚠️ Слишком длинно: { $length ->
        [one] { $length } знак
        [few] { $length } знака
       *[many] { $length } знаков
    }, а можно до { $max }. Сократите текст кнопкой или сами; другая модель или настройка может взять его целиком. Ваш текст сохранён.
rewrite-own = Правка текста оплачивается с вашего баланса.
button-translate = 🌐 Перевести на английский · ≈ { $amount }
button-shorten = ✂️ Сократить · ≈ { $amount }
rewrite-translate = Перевожу…
rewrite-shorten = Сокращаю…
rewrite-runs = Уже готовлю, подождите немного.
rewrite-cost = ✍️ Готово, списано { $amount }.
rewrite-failed = ❌ Не получилось изменить текст. Деньги не списаны, карточка на месте: попробуйте ещё раз или измените текст сами.
rewrite-unfit = ⚠️ Новый текст тоже не подошёл, карточка осталась прежней. Списано { $amount }. Вот он, если захотите взять его за основу:
rewrite-late = ✍️ Новый текст готов, списано { $amount }. Карточка за это время изменилась, поэтому он здесь:
button-improve = ✨ Улучшить · ≈ { $amount }
button-lyrics = ✍️ Сочинить слова · ≈ { $amount }
rewrite-improve = Улучшаю…
rewrite-lyrics = Сочиняю…
rewrite-describe = Смотрю на картинку…
suggested-improve = ✨ <b>Можно так</b>
suggested-lyrics = ✍️ <b>Слова для песни</b>
suggested-take = ✅ Взять
suggested-leave = Оставить моё
suggested-show = ✨ Показать вариант
suggested-own = ↩️ Вернуть мои слова
