# In Russian: what operators read, and what users are told of what operators did. Messages are Telegram HTML; buttons and alerts are
# plain text.

## For users

sales-maintenance = Идут технические работы: новые заказы временно не принимаем, ничего не списано. Уже принятые выполним.
banned = Вы больше не можете пользоваться этим ботом. Если это ошибка, напишите нам: { $contact }
banned-for-good = Вы больше не можете пользоваться этим ботом. Если это ошибка, напишите нам: /support
banned-alert = Вы больше не можете пользоваться этим ботом. Если это ошибка, напишите нам: /support
told-unban = Вы снова можете пользоваться ботом. С возвращением!
told-grant =
    ➕ На ваш баланс начислено <b>{ $amount }</b>.
    Причина: { $reason }
    { $balance }
told-debit =
    ➖ С вашего баланса списано <b>{ $amount }</b>.
    Причина: { $reason }
    { $balance }. Если не согласны, напишите нам: /support
told-refund =
    ↩️ <b>{ $amount }</b> вернулись на ваш баланс.
    { $title }
    Причина: { $reason }
told-declined = Мы проверили ваш заказ: результат такой, как заказан, поэтому деньги не возвращаем.
told-declined-contact = Мы проверили ваш заказ: результат такой, как заказан, поэтому деньги не возвращаем. Если не согласны, напишите нам: { $contact }
refund-refused = платёжная система отказала в возврате
refund-by-report = ваше сообщение о проблеме

## Figures

admin-figures =
    📊 <b>{ $days ->
        [1] { $last }
       *[other] { $first } – { $last }
    }</b> ({ $zone })
    🟦 Выручка: <b>{ $revenue }</b> = продажи { $sales } − возвраты { $refunds }
    🟧 Шлюз: { $cost } = медиа { $media } + тексты { $text }
    Маржа: <b>{ $margin }</b> ({ $share })
admin-figures-commissions = 💳 Вычтены комиссии за пополнения: { $sum }
admin-figures-before-commissions = ⚠️ До комиссий: { $providers }
admin-figures-late = 🎁 В том числе пришло после возврата и отдано бесплатно: { $count }, { $cost }
admin-figures-lost = 🕳 В том числе не скачалось и возвращено: { $count }, { $cost }
admin-figures-estimated = ≈ В том числе ответы с оценкой токенов: { $count }
admin-figures-uncosted = ❔ Не посчитаны ответы без ставок шлюза: { $count }, проданы на { $sales }
admin-figures-owed =
    💰 Долг перед пользователями: <b>{ $now }</b> = доступно { $available } + удержано { $held } + кошельки групп { $groups }
    Было: { $before }
    Пополнения { $topUps }, возвращено { $paymentRefunds }
    Бонусы и промокоды { $promotions }
    Исправления { $grants } и { $debits }
    Продажи { $sales }, возвраты { $refunds }
admin-figures-top-up = 💳 { $provider }: { $credit } ({ $count })
admin-figures-people =
    👥 Пришло: { $came }, из них заказали: { $ordered }, заплатили: { $paid } · активных: { $activeUsers }
    Открытых жалоб: { $openReports }
    Модели: продажи − возвраты − шлюз = маржа до комиссий
admin-figures-model = { $name }: готово { $done }, сбоев { $failed } ({ $rate } %) · { $sales } − { $refunds } − { $cost } = { $margin }
admin-figures-other-models = Остальные модели ({ $count })
admin-figures-no-model = Без модели (запустите аудит)
admin-button-today = Сегодня
admin-button-week = Неделя
admin-button-month = Месяц
admin-button-before = ◀ Раньше
admin-button-after = Позже ▶
admin-period-usage = Напишите после команды период: сегодня, вчера, неделя, месяц, 2026-10, 2026-10-05, 2026-10-01..2026-10-15, 2026 или 30 — последние 30 дней. Если добавить в конце csv, /admin пришлёт таблицу.
admin-summary =
    ☀️ <b>{ $last }</b> ({ $zone })
    👥 Пришло: { $came }, из них заказали: { $ordered }, заплатили: { $paid }
    💳 Пополнения: { $topUps }
    🟦 Выручка: <b>{ $revenue }</b> (возвраты { $refunds })
    Маржа: <b>{ $margin }</b>
    ❌ Сбоев: { $failed } из { $ended }
    Подробнее: /admin вчера
admin-support =
    🛟 <b>Поддержка</b>
    Найдите человека, чтобы посмотреть заказы и платежи, написать ему или вернуть деньги за заказ. Сегодня можете вернуть ещё <b>{ $left }</b>
admin-no-right = Ваша роль этого не позволяет. Попросите оператора с полными правами.
admin-button-find = 🔎 Найти
admin-button-reports = 🚩 Жалобы: { $open }
admin-button-switches = 🎚 Вкл./выкл.
admin-button-log = 📜 Журнал
admin-command-admin = Показатели и управление
admin-command-user = Найти пользователя
admin-command-sources = Откуда приходят люди
admin-command-accounting = Платежи за месяц таблицей
admin-command-broadcast = Разослать сообщение
admin-command-promo-add = Создать промокод
admin-command-promo-end = Закончить промокод

## Users

admin-ask-user = Кого найти? Telegram id, @имя, #номер, часть имени, номер заказа, задачи или платежа.
admin-nobody-found = Никто не нашёлся: <b>{ $query }</b>
admin-several-found = По запросу «{ $query }» нашлось несколько человек. Кто из них?
admin-nobody-chosen =
    О ком речь? Начните с человека: #номер, @имя, Telegram ID или имя. Например:
    <code>/{ $verb } #17 { $verb ->
        [grant] 500₽ за неудачное видео
        [debit] 500₽ начислено по ошибке
        [ban] спам
        [message] Ваше видео готово, загляните в /history
       *[unban] блокировка по ошибке
    }</code>
admin-user =
    👤 <b>{ $name }</b> · { $username }
    Номер: <code>#{ $id }</code> · Telegram: <code>{ $telegram }</code>
    Здесь с { $since }
    Баланс: <b>{ $available }</b>, удержано: { $held }
    Оплачено: { $paid } · потрачено: { $spent }
    Заказов: { $orders }, неудачных: { $failures }
admin-user-partner = 🤝 Партнёр: { $percent }% с каждого пополнения приглашённых
admin-user-banned = 🚫 Доступ закрыт с { $since }. Причина: { $reason }
admin-user-forgotten = 🕳 Данные удалены по просьбе человека { $since }
admin-button-grant = ➕ Начислить
admin-button-debit = ➖ Списать
admin-button-message = 💬 Написать
admin-button-ban = 🚫 Заблокировать
admin-button-unban = ✅ Разблокировать
admin-button-orders = 🖼 Заказы
admin-button-payments = 💳 Платежи
admin-ask-grant = Сколько рублей начислить (<b>{ $name }</b>) и за что? Одним сообщением, например: <code>500₽ за неудачное видео</code>
admin-ask-debit = Сколько рублей списать (<b>{ $name }</b>) и за что? Одним сообщением, например: <code>500₽ начислено по ошибке</code>
admin-ask-ban = За что блокируем (<b>{ $name }</b>)? Причина останется в журнале.
admin-ask-unban = Почему снимаем блокировку (<b>{ $name }</b>)? Причина останется в журнале.
admin-ask-message = Что написать (<b>{ $name }</b>)? Следующее ваше сообщение сразу уйдёт этому человеку: слова или файл.
admin-ask-answer = Что ответить на жалобу (<b>{ $name }</b>)? Следующее ваше сообщение сразу уйдёт этому человеку: слова или файл. Жалоба останется открытой.
admin-ask-refund = Почему возвращаем <code>{ $id }</code>? Причину увидит пользователь. Чтобы вернуть только часть, начните с суммы, например: <code>50₽ нет звука</code>
admin-amount-and-reason = Нужны сумма в рублях и причина. Например: <code>{ $start }{ $verb ->
    [grant] 500₽ за неудачное видео
   *[debit] 500₽ начислено по ошибке
}</code>
admin-message-usage = Нужны слова, которые отправить. Например: <code>{ $start }Ваше видео готово, загляните в /history</code>
admin-answer-usage = Нужны номер жалобы и слова, которые отправить. Проще кнопкой: /admin, «Жалобы», «Ответить».
admin-reason = Нужна причина словами. Например: <code>{ $start }спам</code>
admin-confirm-grant = Начислить <b>{ $amount }</b>: <b>{ $name }</b>? Человек прочитает причину: { $reason }
admin-confirm-debit = Списать <b>{ $amount }</b>: <b>{ $name }</b>? Человек прочитает причину: { $reason }
admin-confirm-ban = Заблокировать <b>{ $name }</b>? Причина останется в журнале: { $reason }
admin-confirm-unban = Разблокировать <b>{ $name }</b>? Причина останется в журнале: { $reason }
admin-confirm-message = Кому: <b>{ $name }</b>. Отправляем?

    { $words }
admin-press-a-button = Нажмите «Да» или «Нет» под вопросом выше: пока ничего не сделано. Снять вопрос: /cancel
admin-button-yes = ✅ Да
admin-button-no = ✖ Нет
admin-corrected = ✅ { $name }: { $verb ->
    [grant] начислено
   *[debit] списано
} <b>{ $amount }</b>. Баланс: <b>{ $available }</b>
admin-corrected-before = ✅ { $name }: { $verb ->
    [grant] начислено
   *[debit] списано
} <b>{ $amount }</b> один раз, эта команда уже выполнена. Баланс сейчас: <b>{ $available }</b>
admin-insufficient = ⚠️ { $name }: на балансе всего { $available }, больше списать нельзя.
admin-done-before = Так уже и есть, ничего не изменилось.
admin-ban-set = { $verb ->
    [ban] 🚫 Доступ закрыт
   *[unban] ✅ Доступ открыт
}: <b>{ $name }</b>
admin-ban-operator = Оператора заблокировать нельзя. Сначала уберите его из списка операторов в настройках.

## Orders, payments, reports

admin-no-orders = { $name }: заказов пока нет.
admin-order =
    <code>{ $id }</code> · { $time }
    { $model } · { $amount } · { $state ->
        [succeeded] ✅ готов
        [refunded] ↩️ возвращён
        [partly] ↩️ возвращён частично: { $back }
        [free] 🎁 пришёл после возврата, бесплатно
        [failed] ❌ не удался
        [canceled] ❌ отменён
        [unknown] ⚠️ исход неизвестен
       *[running] ⏳ в работе
    } ({ $reason })
admin-order-details =
    Задача: <code>{ $task }</code>{ $provider ->
        [none] { "" }
       *[other] { "\u000A" }Поставщик: { $provider }
    }{ $results ->
        [none] { "" }
       *[other] { "\u000A" }Результаты: <code>{ $results }</code>
    }{ $seeds ->
        [none] { "" }
       *[other] { "\u000A" }Сиды: { $seeds }
    }
admin-reason-report = жалоба на результат
admin-reason-refused = модель не приняла заказ
admin-reason-task-failed = модель не справилась
admin-reason-task-ended = модель, похоже, не справилась
admin-reason-task-canceled = отменено на стороне модели
admin-reason-empty = модель не прислала файл
admin-reason-lost = не подтверждён вовремя
admin-reason-late = модель не успела
admin-reason-unavailable = сервис был недоступен
admin-reason-paused = продажи были остановлены
admin-reason-no-file = файла пользователя больше нет
admin-reason-no-voice = слова для видео не озвучены
admin-reason-too-large = запрос с файлами слишком велик для шлюза
admin-reason-withdrawn = отменено пользователем
admin-button-refund = ↩️ { $amount } · { $id }
admin-refund-usage = Нужны номер и причина; чтобы вернуть часть, перед причиной укажите сумму в рублях. Например: <code>/{ $verb } 0123456789 { $verb ->
    [refund] картинка пустая
   *[refund_payment] оплачено по ошибке
}</code> или <code>/{ $verb } 0123456789 50₽ { $verb ->
    [refund] нет звука
   *[refund_payment] оплачено по ошибке
}</code>
admin-refund-reason = Нужна причина словами: её прочитает человек. Чтобы вернуть часть, начните с суммы в рублях. Например: <code>картинка пустая</code> или <code>50₽ нет звука</code>
admin-confirm-refund = Вернуть <b>{ $amount }</b> за заказ <code>{ $id }</code>{ $before ->
    [none] {""}
   *[other] {" "}({ $before } вернулись раньше)
}: <b>{ $name }</b>? Человек прочитает причину: { $reason }

    { $left ->
        [none] Это всё, что списано и ещё не возвращено. Только часть: <code>/refund { $id } 50₽ нет звука</code>
       *[other] Это часть: { $left } останутся списанными.
    }
admin-confirm-refund-payment = Вернуть { $part ->
    [yes] <b>{ $amount }</b> из платежа
   *[no] платёж <b>{ $amount }</b>
} ({ $provider }, <code>{ $id }</code>){ $before ->
    [none] {""}
   *[other] , из него раньше вернулись { $before }
}: <b>{ $name }</b>? Сумма снимется с баланса. Человек прочитает причину: { $reason }
admin-refund-by-hand = ⚠️ Эта платёжная система возвращает деньги только в своём кабинете: сначала верните платёж там. «Да» лишь спишет сумму с баланса; чего на нём не хватит, станет долгом.
admin-refund-part-by-hand = ⚠️ Часть этого платежа можно вернуть только в кабинете платёжной системы: сначала верните там ровно <b>{ $amount }</b>. «Да» лишь спишет эту сумму с баланса; чего на нём не хватит, станет долгом.
admin-refund-takes-bonus = ⚠️ Пригласивший получил за этот платёж бонус <b>{ $amount }</b>: он будет снят.
admin-refund-takes-own = ⚠️ Вместе с платежом будет снят бонус за пополнение: <b>{ $amount }</b>.
admin-confirm-decline = Отклонить жалобу: <b>{ $name }</b>? Человек прочитает, что результат соответствует заказу и деньги не возвращены.
admin-refunded = ↩️ Возвращено: <b>{ $amount }</b> (<code>{ $id }</code>)
admin-not-refunded = { $mark } { $reason ->
    [unknown-generation] Такого заказа нет.
    [nothing-captured] За этот заказ ничего не списано, возвращать нечего.
    [too-much] От цены этого заказа осталось меньше. Его суммы: /user и номер заказа.
    [in-delivery] Результат ещё доставляется. Верните часть, когда доставка закончится, или весь заказ сейчас.
    [changed] Тем временем вернули часть этого заказа, поэтому ничего не сделано. Повторите /refund, чтобы увидеть остаток.
    [over-limit] Деньги не возвращены: сегодня вы можете вернуть ещё { $left }. Верните часть или попросите оператора без лимита.
   *[already] Этот заказ уже возвращён полностью.
}
admin-no-payments = { $name }: платежей пока нет.
admin-payment =
    { $time } · { $provider } · <b>{ $credit }</b> · { $state ->
        [refunded] ↩️ возвращён
        [partly] ↩️ возвращён частично: { $back }
       *[paid] ✅ оплачен
    }
    <code>{ $charge }</code>
admin-tax-receipt = 🧾 { $state ->
    [waits] Чек оформляется
    [canceled] Чека нет: платёж возвращён
    [fails] ⚠️ Чек пока не оформлен, будет ещё попытка: { $said }
   *[made] <a href="{ $url }">Чек на { $amount }</a>
}
admin-payment-not-refunded = ⚠️ { $reason ->
    [unknown] Такого невозвращённого платежа нет.
    [already-refunded] Этот платёж уже возвращён.
    [spent] Деньги уже потрачены: на балансе меньше, чем сумма платежа.
    [off] Этот способ оплаты выключен.
    [pending] Платёжная система ещё не ответила. Сумма снята с баланса, в течение часа спросим ещё раз.
    [whole-only] Платёж звёздами Telegram возвращает только целиком: не указывайте сумму.
    [too-much] От этого платежа осталось меньше.
    [changed] Тем временем вернули часть этого платежа, поэтому ничего не сделано. Повторите /refund_payment, чтобы увидеть остаток.
    [part-unanswered] Платёжная система не ответила: неизвестно, вернулась ли часть. Если да, сумма снимется с баланса в течение часа. Повторить ту же сумму безопасно: она вернётся один раз.
    [part-refused] Платёжная система отказала. С баланса ничего не снято.
   *[refused] Платёжная система отказала. Сумма вернулась на баланс.
} { $said }
admin-no-reports = Открытых жалоб нет.
admin-declined = ✖ Отклонено
admin-report-closed = Эта жалоба уже закрыта.

## Switches, broadcasts, promo codes, log

admin-switches =
    🎚 <b>Переключатели</b>
    Технические работы: новые заказы не принимаются, принятые выполняются; операторы заказывать могут.
    Модель: 🟢 продаётся, 🔴 нет. Нажатие переключает.
admin-confirm-maintenance = Остановить все продажи? Новые заказы не принимаются, пока вы не закончите технические работы; принятые выполняются.
admin-confirm-model-off = Остановить продажи модели <b>{ $name }</b>? Новые заказы на неё не принимаются, пока вы её не включите.
admin-stopped = 🔴 Выключено
admin-button-maintenance-begin = 🛠 Начать технические работы
admin-button-maintenance-end = ✅ Закончить технические работы
admin-broadcast-no-copy = Это сообщение нельзя скопировать. Напишите его заново и ответьте на него.
admin-broadcast-too-long = Знаков в тексте: { $length }, и Telegram делит его на несколько сообщений. Рассылка — одно сообщение: пришлите не больше { $most } знаков.
admin-broadcast =
    📣 Рассылка <code>{ $id }</code>: { $state }
    Кому: { $to }
admin-broadcast-button = Кнопка: { $text } → { $to }
admin-broadcast-before =
    Получат: { $left }
    Начало: { $time ->
        [now] сразу
       *[other] { $time }
    }
admin-broadcast-ask = { $time ->
    [now] Отправить сейчас?
   *[other] Начать { $time }?
}
admin-broadcast-sent = Доставлено: { $sent } · бот заблокирован: { $failed } · осталось: { $left }
admin-broadcast-reaction = За сутки после получения: выключили рассылки — { $switchedOff }, заказов и ответов — { $orders } (людей: { $people })
broadcast-state-draft = черновик
broadcast-state-scheduled = ждёт времени
broadcast-state-running = идёт
broadcast-state-paused = на паузе
broadcast-state-done = закончена
broadcast-state-stopped = остановлена
admin-broadcasts = Рассылки, которые ждут, идут или недавно закончились:
admin-broadcast-past = Это время уже прошло. Выберите другое.
admin-broadcast-nobody = Сейчас никто не подходит. Измените, кому отправить.
admin-broadcast-begun = Эту рассылку уже не изменить. Если она ещё ждёт своего времени, сначала нажмите «✏️ Изменить».
admin-ask-broadcast-source = Откуда должны быть люди? Напишите источник: { $names }. Если всё равно, отправьте минус: <code>-</code>
admin-ask-broadcast-days = Сколько дней человек ничего не делал? Напишите число, например <code>30</code>.
admin-ask-broadcast-button = Напишите текст кнопки и за ним ссылку или команду. Например: <code>Оживить фото /video</code> или <code>Наш канал https://t.me/example</code>. Чтобы кнопки не было, отправьте минус: <code>-</code>
admin-ask-broadcast-time = Когда начать? Время — по часам { $zone }. Например: <code>18:30</code>, <code>1.12 10:00</code> или <code>2026-12-01 10:00</code>. Чтобы отправить сразу, напишите минус: <code>-</code>
admin-broadcast-no-source = Источника «{ $source }» нет. Есть такие: { $names }.
admin-broadcast-no-days = Нужно число дней от 1 до 999.
admin-broadcast-no-button =
    Такую кнопку сделать нельзя. Нужен текст до 40 знаков и за ним ссылка или команда бота. Например: <code>Оживить фото /video</code>
    Команда не может сразу тратить деньги: /chat — только без слов.
admin-broadcast-no-time = Такого времени не понимаю. Напишите, например, <code>18:30</code>, <code>1.12 10:00</code> или <code>2026-12-01 10:00</code>.
admin-broadcast-outside = Это время уже прошло или наступит позже чем через полгода. Напишите другое.
audience-all = Все
audience-payers = Платили
audience-newcomers = Не заказывали
audience-quiet = Молчат { $days } { $days ->
    [one] день
    [few] дня
   *[many] дней
}
audience-any-language = 🌐 Все
audience-source = источник { $source }
button-news-off = 🔕 Не присылать новости
button-news-on = 🔔 Снова присылать новости
news-off = Новостей больше не будет. Результаты и сообщения о деньгах придут, как прежде.
news-on = Новости снова включены
admin-button-send = ▶️ Отправить
admin-button-edit = ✏️ Изменить
admin-button-stop-draft = ✖ Не отправлять
admin-button-stop-scheduled = ⏹ Отменить
admin-button-stop-running = ⏹ Остановить
admin-button-stop-paused = ⏹ Остановить
admin-button-broadcast-source = 📍 Источник
admin-button-broadcast-days = 💤 Дней: { $days }
admin-button-broadcast-button = 🔘 Кнопка
admin-button-broadcast-time = 🕒 Время
admin-button-resume = ▶️ Продолжить
admin-button-pause = ⏸ Пауза
admin-button-refresh = 🔄 Обновить
admin-promo-usage =
    Код, сумма, сколько человек и, если нужно, последний день. Код — от 6 до 32 букв, цифр, дефисов и подчёркиваний. Сумма — в рублях, каждому. Например:
    <code>/promo_add SPRING 100₽ 50 2030-12-31</code>
    Проценты следующего пополнения, и не больше какой суммы:
    <code>/promo_add SPRING 20% 500₽ 50 2030-12-31</code>
admin-promo-percent = { $percent }% следующего пополнения, не больше { $most }
admin-confirm-promo = Создать код <code>{ $code }</code>: { $amount } каждому, человек: { $uses }, всего до { $most }{ $until ->
    [never] {""}
   *[other] , до { $until } включительно
}?
admin-promo-added = 🎁 <code>{ $code }</code>: { $amount }, человек: { $uses }
admin-promo-exists = Код <code>{ $code }</code> уже есть.
admin-promo-end-usage = Какой код закончить? Например: <code>/promo_end SPRING</code>
admin-confirm-promo-end = Закончить код <code>{ $code }</code> ({ $amount }, использован { $uses } раз из { $most })? Больше им никто не воспользуется; то, что он дал, останется у людей.
admin-promo-ended = Код <code>{ $code }</code> закончен.
admin-promo-not-running = Кода <code>{ $code }</code> нет, или он уже закончился.
admin-log-empty = Пока никто ничего не делал.
admin-log-line = { $time } · { $who } · { $action ->
    [grant] начисление
    [debit] списание
    [refund] возврат заказа
    [refund-payment] запрос на возврат платежа
    [letter] сообщение человеку
    [decline] жалоба отклонена
    [ban] блокировка
    [unban] разблокировка
    [promo] промокод
    [promo-end] промокод закончен
    [partner] процент партнёра
    [switch-off] выключено
    [switch-on] включено
    [accept-transfers] принято в учёте
    [assign-payment] платёж зачислен вручную
    [change-bot] база передана другому боту
   *[broadcast] рассылка
} · { $subject } { $amount } { $reason }

## Alarms

alarm-fact = { $kind ->
    [sales] { $fact ->
        [unauthorised] Шлюз не принимает наш ключ: исправьте ключ в настройках и перезапустите бота
        [out-of-balance] На нашем счёте у шлюза кончились деньги: пополните счёт
        [model] Исправьте её имя у шлюза (gatewayId) или путь либо выключите модель
        [lost] Шлюз берёт за эти результаты деньги, а покупателям они возвращаются. Проверьте с этой машины, открывается ли сервер, и напишите шлюзу; или выключите модель
       *[unreachable] Шлюз проверяется снова каждые полминуты
    }
    [failures] Не выполнено из всех за последний час: { $fact }
    [stuck] Заказы: { $fact }
    [undelivered] Пользователи найдут их в /history; деньги возвращает /refund. Заказы: { $fact }
    [updates] Сообщения: { $fact }
    [webhook] Ждут у Telegram, с его последней ошибкой: { $fact }. Что делать, скажет доктор (npm run doctor)
    [set-aside] Сообщения: { $fact }
    [token] Остановите другую установку или получите у BotFather новый токен
    [tax-receipts] Попытки повторяются не реже раза в час; npm run doctor проверит вход. Чеки и последний ответ: { $fact }
    [debts] Кто сколько должен, пока не пополнит баланс: { $fact }
    [reports] Решите в /admin, «Жалобы». Заказы: { $fact }
    [no-audit] Последний: { $fact }. Его делает каждый час процесс с ролью worker; причина — в его журнале.
    [no-backup] Последняя: { $fact }. Причина: docker compose logs backup или journalctl -u generation-bot-backup
   *[other] { $fact }
}
alarm-model = Модель: <code>{ $model }</code>
alarm-server = Сервер: <code>{ $said }</code>
alarm-losing = Пока ничего не остановлено. Если не скачаются результаты нескольких заказов подряд, продажи модели будут останавливаться на 15 минут.
alarm-suspected = Пока ничего не остановлено. Если в течение часа так же откажут ещё одному заказу, продажи будут останавливаться на пять минут.
database-away = 🚨 Процесс «{ $role }» уже { $minutes } мин не может ничего записать в базу данных ({ $why }). Заказы и оплаты ждут. Проверьте, работает ли PostgreSQL и есть ли место на его диске; «npm run doctor» скажет, что не так.
database-back = ✅ Процесс «{ $role }» снова пишет в базу данных, перерыв был { $minutes } мин.
alarm-begins =
    🚨 <b>{ $kind ->
        [sales] { $fact ->
            [unreachable] Продажи остановлены: шлюз недоступен
            [model] Продажи одной модели остановлены: шлюз от неё отказывается
            [lost] Продажи одной модели остановлены: её результаты не скачиваются
            [losing] Результат не скачивается
            [suspected] Похоже, шлюз нам отказывает
           *[refused] Продажи остановлены: шлюз нам отказывает
        }
        [failures] Заказы или ответы срываются
        [stuck] Заказы застряли
        [undelivered] Результаты не доставляются
        [updates] Сообщения ждут обработки
        [webhook] Сообщения не приходят: вебхук не работает
        [set-aside] Процессы бота падали на одном сообщении, и оно отложено
        [token] Токеном этого бота пользуется ещё одна установка
        [payments] Платёж не подошёл ни к одному счёту
        [tax-receipts] Чеки в «Моём налоге» не оформляются уже два часа
        [debts] Платёж возвращён, а деньги уже потрачены
        [reports] Жалоба на результат ждёт ответа
        [no-audit] Аудит не проводился 6 часов
        [no-backup] Резервной копии нет 26 часов, или последняя не удалась
       *[audit] Аудит нашёл ошибку в деньгах
    }</b>
    { $detail }
    Началось { $since }
alarm-lasts =
    ⏰ <b>Всё ещё: { $kind ->
        [sales] { $fact ->
            [model] продажи одной модели остановлены
            [lost] результаты одной модели не скачиваются
            [losing] результаты одной модели не скачиваются
            [suspected] похоже, шлюз нам отказывает
           *[stopped] продажи остановлены
        }
        [failures] заказы или ответы срываются
        [stuck] заказы застряли
        [undelivered] результаты не доставляются
        [updates] сообщения ждут обработки
        [webhook] сообщения не приходят, вебхук не работает
        [set-aside] сообщение отложено
        [token] токеном этого бота пользуется ещё одна установка
        [payments] платёж не подошёл ни к одному счёту
        [tax-receipts] чеки в «Моём налоге» не оформляются
        [debts] за возвращённые платежи остаётся долг
        [reports] жалоба на результат ждёт ответа
        [no-audit] аудит не проводится
        [no-backup] резервные копии не делаются
       *[audit] аудит находит ошибку в деньгах
    }</b>
    { $detail }
    Началось { $since }
alarm-over =
    ✅ <b>Прошло: { $kind ->
        [sales] продажи снова идут
        [failures] заказы и ответы больше не срываются ({ $fact })
        [stuck] застрявших заказов больше нет
        [undelivered] недоставленных результатов, ждущих вашего решения, нет
        [updates] сообщения обрабатываются вовремя
        [webhook] сообщения приходят
        [set-aside] отложенных сообщений нет
        [token] других установок с токеном этого бота нет
        [payments] все платежи разобраны
        [tax-receipts] чеки в «Моём налоге» снова оформляются
        [debts] долгов за недавно возвращённые платежи нет
        [reports] жалоб, которые ждут дольше 12 часов, больше нет
        [no-audit] аудит снова проводится
        [no-backup] резервные копии снова делаются
       *[audit] аудит чист
    }</b>
    Начиналось { $since }

## Sources

admin-sources =
    🧭 <b>Откуда приходят люди: { $days ->
        [1] { $last }
       *[other] { $first } – { $last }
    }</b> ({ $zone })
    { $lines }

    Пришли, заказали и заплатили — это новые люди. Деньги — всех, кто из этого источника; маржа до комиссий за оплату. /sources 2026-10 csv пришлёт таблицу, /sources blog сделает ссылку.
admin-sources-line = <b>{ $source }</b>: пришло { $came }, заказали { $ordered }, заплатили { $paid } · пополнения { $topUps } · выручка { $revenue }, из неё от новых { $ofNew } (возвраты { $refunds }) · маржа { $margin }
admin-source-link =
    🧭 Ссылка источника. К нему относятся те, кто пришёл по ней впервые.
    <code>{ $link }</code>
admin-sources-usage = Напишите /sources и период (/sources 2026-10, /sources 90 csv) или название новой ссылки: латинские буквы, цифры, - и _, до 40.

## Accounting

admin-accounting =
    🧮 <b>{ $days ->
        [1] { $last }
       *[other] { $first } – { $last }
    }</b> ({ $zone })
    { $lines }
admin-accounting-nothing = Ничего не платили, не возвращали и не дарили.
admin-accounting-line = { $kind ->
    [payment] 💳 { $name }: платежей { $count }{ $stars }, зачислено { $change }
    [refund] ↩️ { $name }: возвратов { $count }{ $stars }, { $change }
    [promotion] 🎁 { $name ->
        [welcome] Приветственные бонусы
        [promo] Промокоды
        [invited] Бонусы приглашённым
        [bonus] Бонусы за пополнения
        [bonus-back] Бонусы за пополнения, снятые
        [code] Промокоды в процентах
        [code-back] Промокоды в процентах, снятые
        [partner] Проценты партнёрам
        [partner-back] Проценты партнёрам, снятые
        [referral] Бонусы за приглашения
        [referral-back] Бонусы за приглашения, снятые
       *[other] { $name }
    }: { $count }, { $change }
   *[correction] ✏️ Исправления: { $count }, { $change }
}
admin-accounting-payments = 💳 { $name }: платежей { $count }{ $stars }, зачислено { $change }, доход { $income }, комиссия { $commission }

# Что оператор пишет человеку
letter =
    💬 <b>Пишет человек из поддержки</b>

    { $words }

    <i>Ответьте на это сообщение, чтобы продолжить разговор.</i>
letter-file = 💬 <b>Человек из поддержки прислал вам файл.</b> Ответьте на него, чтобы продолжить разговор.

## The operators' group and support

topic-payments = 💳 Платежи
topic-newcomers = 👋 Новички
topic-reports = 🚩 Жалобы
topic-alarms = 🚨 Тревоги
news = { $topic ->
    [payments] 💳 <b>+{ $amount }</b> · { $name } · { $by }
   *[newcomers] 👋 { $name }{ $by ->
        [none] { "" }
       *[other] { " " }· { $by }
    }
}
support-person =
    💬 <b>Поддержка</b>. { $at ->
       *[chat] Ответьте на одно из этих сообщений, и человек получит ваш ответ.
        [topic] Всё, что вы напишете в этой теме, уйдёт человеку, кроме команд и ответов коллегам.
    }

    { $profile }
    Язык: { $language }
support-orders = <b>Последние заказы</b>
letter-sent = ✅ Отправлено.
letter-too-long = ⚠️ Не отправлено: больше 3 500 знаков. Разбейте на несколько сообщений.
letter-unreachable = ⚠️ Не отправлено: человек заблокировал бота или удалил свои данные, либо Telegram не копирует такое сообщение.

# What a person who writes to support sees
support-here = ✍️ Или спросите прямо здесь: ответьте на это сообщение, можно с фото или файлом. Ответит человек.
support-sent = ✅ Передал человеку. Ответ придёт сюда.
support-slow = Сообщений уже много, их читают. Следующее напишите чуть позже.
support-too-long = Слишком длинно: { $length } зн., а можно до { $max }. Сократите или пришлите файлом.
support-unreached = ⚠️ Передать не получилось. Попробуйте позже.
