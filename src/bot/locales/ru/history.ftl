# The user's orders: the list, receipts, sending again, problem reports.

command-history = Мои заказы

history =
    🗂 <b>Ваши заказы</b>, { $shown } из { $total }
    Нажмите номер, чтобы открыть заказ.
history-empty =
    Здесь пока пусто. Закажите что-нибудь, например:
    <code>/image лиса, акварель</code>
history-entry =
    { $number }. { $star }<b>{ $model }</b> · { $amount }
    { $prompt }{ $date } · { $state }
history-working = ⏳ в работе
history-unknown = ⚠️ заказ не подтверждён, ждём
history-sending = 📦 готово, отправляем
history-done = ✅ готово
history-partly = ✅ готово, часть цены вернулась
history-undelivered = ⚠️ готово, но не доставлено: можно получить
history-refunded = ↩️ деньги возвращены
history-failed = ❌ не получилось, деньги вернулись
history-canceled = ❌ отменено, деньги вернулись
history-late = 🎁 пришло после возврата денег, бесплатно
history-foreign = Это не ваш заказ или такого больше нет. Свои заказы смотрите в /history
history-being-sent = Результат уже отправляется, он сейчас придёт
history-coming = Отправляю ещё раз, бесплатно
history-gone = { $gone ->
    [one] { $gone } файл больше нигде не хранится.
    [few] { $gone } файла больше нигде не хранятся.
   *[many] { $gone } файлов больше нигде не хранятся.
} Если результат не попал к вам ни разу, откройте заказ в /history и сообщите о проблеме.
history-away = { $away ->
    [one] { $away } файл сейчас получить не удалось.
    [few] { $away } файла сейчас получить не удалось.
   *[many] { $away } файлов сейчас получить не удалось.
} Попробуйте позже.
button-album = 🖼 Показать альбомом
history-no-album = Альбом не собрать: на этой странице меньше двух картинок и видео, которые хранит Telegram.
button-send-again = 📥 Прислать ещё раз
button-report = ⚠️ Сообщить о проблеме
button-to-history = ‹ К списку

## Receipts

receipt-details =
    <blockquote expandable>Подробнее
    { $lines }</blockquote>
receipt-id = Номер заказа: <code>{ $id }</code>
receipt-charged = Списано: { $amount }
receipt-charged-of = Списано: { $amount } ({ $parts })
receipt-returned = Вернулось: { $amount }
receipt-refunded = Возвращено: { $amount }
receipt-ordered = Заказ: { $time }
receipt-made = Готово: { $time }
receipt-ended = Завершён: { $time }
receipt-delivered = Доставлено: { $time }
receipt-task = Задача: <code>{ $task }</code>
receipt-report-open = ⚠️ Вы сообщили о проблеме, мы разбираемся.
receipt-report-refunded = ⚠️ Вы сообщили о проблеме, деньги возвращены.
receipt-report-declined = ⚠️ Вы сообщили о проблеме, мы проверили и деньги не вернули. Не согласны? /support

## Problem reports

report-ask = Что не так с результатом? Опишите одним сообщением, до { $max } знаков: его прочитает человек.
report-again = Нужно от 1 до { $max } знаков, а здесь { $length }. Напишите ещё раз или выйдите: /cancel
report-sent = ✅ Спасибо, передал человеку. Он посмотрит заказ, и я напишу ответ здесь; если ошиблись мы, вернём деньги.
report-before = Об этом заказе уже сообщали, или деньги за него уже вернулись. Что с ним, видно в /history
report-to-operator =
    ⚠️ <b>Проблема с результатом</b>, пользователь { $user }
    <blockquote>{ $said }</blockquote>
button-refund = 💸 Вернуть { $amount }
button-decline = ✖ Отклонить
button-answer-report = 💬 Ответить
