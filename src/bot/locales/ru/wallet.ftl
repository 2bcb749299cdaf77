# Кошелёк группы: /wallet.

command-wallet = Кошелёк группы
wallet-none = 👛 У этой группы нет кошелька. Завести его может администратор: /wallet
wallet-offer =
    👛 <b>Кошелёк группы</b>

    Вы пополняете его со своего баланса, участники заказывают за ваш счёт — каждый в пределах дневного лимита. Остаток можно забрать в любой момент.
wallet-opened = 👛 Кошелёк группы заведён, платит <b>{ $name }</b>. Пополнение и лимиты — в личном чате.
wallet-of-group = 👛 <b>Кошелёк группы</b> · платит <b>{ $owner }</b>
wallet-on = 👛 <b>{ $title }</b> · включён
wallet-off = 👛 <b>{ $title }</b> · выключен
wallet-rest = Осталось: <b>{ $available }</b>
wallet-held = В работе: { $held }
wallet-cap = Каждому — до { $cap } за 24 часа
wallet-no-cap = Без дневного лимита
wallet-caps = 👛 <b>{ $title }</b>: сколько может потратить каждый участник за 24 часа? На вас лимит не действует.
wallet-own = Добавить с вашего баланса ({ $available }):
wallet-not-chat = Ответы чата каждый оплачивает сам
wallet-short = На вашем балансе не хватает <b>{ $missing }</b>. После оплаты останется одно нажатие, и деньги в кошельке.
wallet-fund = 👛 Перевести деньги в кошелёк группы <b>{ $title }</b>?
wallet-members = Потрачено за { $days } дней:
wallet-member = • { $name } — { $spent } · { $orders ->
    [one] { $orders } заказ
    [few] { $orders } заказа
   *[many] { $orders } заказов
}
wallet-nobody = За { $days } дней из кошелька ничего не потрачено.
wallets = 👛 Кошельки ваших групп:
wallets-none = 👛 У вас нет кошелька группы. Добавьте меня в группу и напишите там /wallet
wallet-not-admin = Завести кошелёк может только администратор группы.
wallet-not-admin-now = Вы больше не администратор этой группы, или бота в ней нет.
wallet-other = В этой группе уже включён другой кошелёк.
wallet-filled = В кошелёк добавлено { $amount }
wallet-emptied = { $amount } снова на вашем балансе
wallet-off-notice = 👛 Кошелёк группы выключен: в группе больше нет вас или бота. В нём осталось <b>{ $rest }</b>. Забрать: /wallet
button-wallet-open = Завести кошелёк
button-wallet-manage = Пополнить и настроить
button-wallet-cap = Лимит участника
button-wallet-no-cap = Без лимита
button-wallet-off = ⏸ Выключить
button-wallet-on = ▶️ Включить
button-wallet-top-up = 💳 Пополнить баланс
button-wallet-fund = 👛 Перевести { $amount }
button-wallet-back = ↩️ Забрать остаток
statement-fund = В кошелёк группы
statement-take-back = Из кошелька группы
card-owner-wallet = 👤 Заказывает <b>{ $name }</b>, платит кошелёк группы
button-pay-own = 👤 Платить со своего баланса
button-pay-group = 👛 Платить из кошелька группы
status-accepted-wallet = ⏳ Заказ принят, из кошелька группы удержано { $amount }
receipt-wallet = Платит кошелёк группы
order-payer-changed = Теперь этот заказ оплачивается с другого баланса. Проверьте карточку и подтвердите.
order-wallet-off = Кошелёк группы выключен. Нажмите «Платить со своего баланса».
order-wallet-short = В кошельке группы не хватает денег. Можно заплатить со своего баланса.
order-wallet-cap = Ваш лимит из кошелька группы — { $most } за 24 часа, осталось { $left }. Можно заплатить со своего баланса.
status-failed-wallet = ❌ Не получилось · { $amount } вернулись в кошелёк группы
status-unknown-wallet = ⚠️ Подтверждения заказа пока нет. Подождём ещё немного; если он не найдётся, { $amount } вернутся в кошелёк группы.
failure-wallet =
    ❌ Не получилось.
    { $title }
    { $reason }
    <b>{ $amount }</b> вернулись в кошелёк группы.
result-lost-wallet =
    ⚠️ { $files ->
        [1] Файл получить не удалось.
        [one] Не удалось получить { $lost } из { $files } файла, пришло: { $sent }.
       *[other] Не удалось получить { $lost } из { $files } файлов, пришло: { $sent }.
    }
    { $title }
    { $reasons }
    <b>{ $amount }</b> вернулись в кошелёк группы.
told-refund-wallet =
    ↩️ <b>{ $amount }</b> вернулись в кошелёк группы.
    { $title }
    Причина: { $reason }
status-withdrawn-wallet = ✖ Заказ отменён · { $amount } вернулись в кошелёк группы
