# The user's account: the statement, promo codes, invitations, one's data and its deletion.

command-statement = Выписка по балансу
command-promo = Ввести промокод
command-invite = Пригласить друга
command-export = Скачать мои данные
command-delete_me = Удалить мои данные
private-only = Это касается только вас, поэтому отвечу в личном чате.
private-only-short = Это только для личного чата
button-private-chat = Открыть личный чат

## Statement

statement = 📒 <b>Выписка</b>: последние движения, { $shown } из { $total }. Время московское.
statement-empty = Движений пока не было. Пополнить баланс: /topup
statement-line = { $date } · { $what }: <b>{ $change }</b> → { $available }
statement-charged = { $date } · { $what }: { $amount }, баланс прежний → { $available }
statement-balance = Баланс: <b>{ $available }</b>
statement-hold = Удержано за заказ
statement-capture = Списано из удержанного
statement-release = Вернулось из удержанного
statement-deposit = Пополнение
statement-welcome = Подарок новичку
statement-promo = Промокод
statement-referral = За приглашённого друга
statement-refund-order = Возврат за заказ
statement-refund-payment = Возврат платежа
statement-given = Зачислено оператором
statement-taken = Списано оператором
statement-answer = Ответ · { $name }
statement-answers = { $answers ->
    [one] { $answers } ответ
    [few] { $answers } ответа
   *[many] { $answers } ответов
}
statement-model-gone = модель больше не продаётся
csv-date = Дата и время (МСК)
csv-what = Операция
csv-change = Изменение баланса, ₽
csv-balance = Баланс после, ₽
csv-held = Удержано после, ₽
csv-amount = Сумма операции, ₽
csv-model = Модель
csv-order = № заказа
csv-top-up = № пополнения
csv-note = Примечание

## Promo codes

promo = Какой у вас промокод? Пришлите его сообщением.
promo-done =
    🎁 Зачислено <b>{ $amount }</b>.
    Баланс: <b>{ $available }</b>
promo-unknown = Такого промокода нет. Проверьте, нет ли опечатки.
promo-expired = Срок этого промокода вышел.
promo-used-up = Этот промокод уже использовали столько раз, сколько можно.
promo-used-before = Вы уже использовали этот промокод: каждый человек может сделать это один раз.
promo-returned = Этот промокод вышел раньше, чем вы удалили свои данные. Использовали ли вы его, мы уже не знаем, поэтому он не подойдёт.
promo-too-many = Неверных кодов подряд было { $most }. Попробуйте через час.

## Invitations

invite =
    👋 Приглашайте друзей по своей ссылке:
    { $link }

    Когда приглашённый впервые пополнит баланс, вы получите <b>{ $bonus }</b>.
invite-without-bonus =
    👋 Ваша ссылка для друзей:
    { $link }
invite-came = Пришло по ссылке: { $came }. Заработано: { $earned }
invite-paid = 🎁 Ваш друг пополнил баланс, и вы получаете <b>{ $bonus }</b>. Спасибо!
button-share = Поделиться

## One's data

export = 📄 Всё, что мы храним о вас: профиль, заказы, платежи и движения денег. Формат JSON, суммы в копейках.
button-export = 📄 Скачать мои данные
forget =
    <b>Удаление данных</b>

    Исчезнет всё, что говорит о вас: имя, язык, адрес почты, описания и настройки заказов, ссылки на результаты, переписка. Записи о движении денег останутся без имени: их требует учёт.

    Мы сохраним одно: хеш вашего номера в Telegram, по которому видно, что подарок новичку и промокоды вы уже могли получить. Без ключа бота узнать по хешу вас нельзя.

    Сообщения в этом чате удалите сами: бот не может стереть старые.

    Сначала скачайте данные, если они вам нужны.
forget-balance =
    ⚠️ { $where ->
        [wallets] На балансе и в кошельках групп
       *[balance] На балансе
    } осталось <b>{ $available }</b>. Эти деньги пропадут вместе с данными и сами не вернутся. Чтобы вернуть их, сначала напишите в поддержку ({ $contact }).
forget-invoices =
    🧾 Не оплачено счетов: { $count } ({ $amounts }). После удаления попытка оплатить получит отказ, ничего не спишется.
button-forget = 🗑 Продолжить удаление
button-keep = Не удалять
forget-really = <b>Точно удалить?</b> Вернуть данные не сможем ни вы, ни мы. Кнопка действует 10 минут.
button-forget-really = 🗑 Да, удалить навсегда
forget-kept = Хорошо, ничего не удалено
forget-stale = Эта кнопка устарела. Начните заново: /delete_me
forgotten = Ваши данные удалены. Если напишете снова, начнём с чистого листа.
forget-live = Сейчас у вас есть заказы в работе или удержанные деньги. Дождитесь, пока они завершатся (видно в /history), и повторите: /delete_me
forget-paying = У вас есть неоконченный платёж. Пока его ещё можно оплатить, удалить данные нельзя: деньги оказались бы ничьими.
forget-paying-line = • { $amount } на странице оплаты: закроется сам, не позже { $until }
forget-paying-then = Если платить не хотите, просто не платите: ничего не спишется. Обычно страница закрывается в течение часа, и я напишу. Потом повторите: /delete_me
forget-banned = Ваш доступ ограничен, поэтому данные удаляет оператор. Куда писать: { $contact }
forget-gone = Ваши данные уже удалены.
