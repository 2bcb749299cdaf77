# The message of an order while it waits: its place, how long it takes, outages of the service, its cancellation.

waiting-place = Перед вами в очереди: { $ahead }
waiting-usual = обычно до { $minutes ->
    [1] минуты
    [one] { $minutes } минуты
   *[other] { $minutes } минут
}
waiting-slow = ⏱ Это дольше обычного. Если до { $until } не получится, { $amount } вернутся { $payer }.

waiting-soon = обычно до полуминуты
waiting-outage-held =
    ⚠️ Сервис не отвечает с { $since }, уже { $elapsed }
    Пробуем снова. Если до { $until } не получится, { $amount } вернутся { $payer }.
waiting-outage-running =
    ⚠️ Сервис не отвечает с { $since }, уже { $elapsed }
    Заказ он успел принять: как ответит, пришлём результат. Если не ответит до { $until }, { $amount } вернутся { $payer }.
payer-own = на баланс
payer-wallet = в кошелёк группы
cancel-done = Карточка «{ $title }» закрыта.
cancel-guide = Шаги «{ $title }» закрыты.
cancel-question = Вопрос «{ $what }» закрыт.
cancel-question-unnamed = Вопрос закрыт.
cancel-card-stays = Карточка «{ $title }» осталась открытой.
cancel-none-open = Открытых вопросов и карточек здесь нет.
cancel-under-way =
    { $closed }

    Продолжается:
    { $going }

    Вы платите только за то, что пришло: остальное вернётся само.
under-way-held = { $number }. <b>{ $title }</b>: ещё не начато, можно отменить · { $amount }
under-way-running = { $number }. <b>{ $title }</b>: уже делается, результат придёт сам, самое позднее в { $until } · { $amount }
under-way-answer = { $number }. Пишется ответ · до { $amount }
button-cancel-order = ✖ Отменить заказ
order-withdrawn = Заказ отменён
order-committed = Уже делается, результат придёт сам. Если не получится, верну деньги.
status-withdrawn = ✖ Заказ отменён · { $amount } снова на балансе
status-ready = 👇 Ваш результат
failure-withdrawn = Вы отменили заказ.
moscow-time = { $time } МСК
