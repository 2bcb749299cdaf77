# The message of an order while it waits: its place, how long it takes, outages of the service, its cancellation.

waiting-place = Перед вами в очереди: { $ahead }
waiting-usual = Обычно готово за { $time }
waiting-committed = Остановить уже нельзя
waiting-slow = ⏱ Это дольше обычного. Ждём до { $until }; если не получится, { $amount } вернутся { $payer }.
waiting-outage-held =
    ⚠️ Сервис не отвечает с { $since }, уже { $elapsed }
    Пробуем снова. Не выйдет до { $until } — { $amount } вернутся { $payer }.
waiting-outage-running =
    ⚠️ Сервис не отвечает с { $since }, уже { $elapsed }
    Заказ он успел принять: как ответит, пришлём результат. Не ответит до { $until } — { $amount } вернутся { $payer }.
payer-own = на баланс
payer-wallet = в кошелёк группы
about-seconds = { $seconds } с
about-minutes = { $minutes } мин
cancel-under-way =
    Открытых вопросов и карточек нет. Сейчас делается:
    { $orders }

    Если не получится, заказ ничего не стоит: деньги вернутся сами.
cancel-answer = Открытых вопросов и карточек нет. Пишется ответ; если остановить его, лишнее вернётся на баланс.
under-way-held = { $number }. <b>{ $name }</b>, { $prompt }: ещё не начато, можно отменить.
under-way-running = { $number }. <b>{ $name }</b>, { $prompt }: остановить уже нельзя. Ждём самое позднее до { $until }.
button-cancel-order = ✖ Отменить заказ
order-withdrawn = Заказ отменён
order-committed = Остановить уже нельзя: модель начала работу. Если не получится, деньги вернутся сами.
status-withdrawn = ✖ Заказ отменён · { $amount } снова на балансе
status-ready = 👇 Ваш результат
failure-withdrawn = Вы отменили заказ.
moscow-time = { $time } МСК
