# What operators read, and what users are told of what operators did. Messages are Telegram HTML; buttons and alerts are
# plain text.

## For users

sales-maintenance = We’re doing maintenance; new orders are paused and nothing was charged. Orders already placed will be finished.
banned = You can no longer use this bot. If you think this is a mistake, write to us: { $contact }
banned-for-good = You can no longer use this bot. If you think this is a mistake, write to us: /support
banned-alert = You can no longer use this bot. If you think this is a mistake, write to us: /support
told-unban = You can use the bot again. Welcome back!
told-grant =
    ➕ <b>{ $amount }</b> was added to your balance.
    Reason: { $reason }
    { $balance }
told-debit =
    ➖ <b>{ $amount }</b> was taken off your balance.
    Reason: { $reason }
    { $balance }. If you disagree, write to us: /support
told-refund =
    ↩️ <b>{ $amount }</b> is back on your balance.
    { $title }
    Reason: { $reason }
told-declined = We looked at your order: the result is what was ordered, so there is no refund.
told-declined-contact = We looked at your order: the result is what was ordered, so there is no refund. If you disagree, write to us: { $contact }
refund-refused = the provider refused the refund
refund-by-report = your report of a problem

## Figures

admin-figures =
    📊 <b>{ $days ->
        [1] { $last }
       *[other] { $first } – { $last }
    }</b> ({ $zone })
    🟦 Revenue: <b>{ $revenue }</b> = sales { $sales } − refunds { $refunds }
    🟧 Gateway: { $cost } = media { $media } + text { $text }
    Margin: <b>{ $margin }</b> ({ $share })
admin-figures-commissions = 💳 After commissions on top-ups: { $sum }
admin-figures-before-commissions = ⚠️ Before the commissions of: { $providers }
admin-figures-late = 🎁 Includes { $cost } for results that came after the refund and were given free ({ $count })
admin-figures-lost = 🕳 Includes { $cost } for results that couldn’t be downloaded and were refunded ({ $count })
admin-figures-estimated = ≈ Includes answers with estimated tokens: { $count }
admin-figures-uncosted = ❔ Doesn’t include answers stored without the gateway’s rates: { $count }, sold for { $sales }
admin-figures-owed =
    💰 Owed to users: <b>{ $now }</b> = available { $available } + held { $held } + group wallets { $groups }
    Before: { $before }
    Top-ups { $topUps }, returned { $paymentRefunds }
    Promotions { $promotions }
    Corrections { $grants } and { $debits }
    Sales { $sales }, refunds { $refunds }
admin-figures-top-up = 💳 { $provider }: { $credit } ({ $count })
admin-figures-people =
    👥 Came: { $came }, of them ordered: { $ordered }, paid: { $paid } · active: { $activeUsers }
    Open reports: { $openReports }
    Models: sales − refunds − gateway = margin before commissions
admin-figures-model = { $name }: { $done } done, { $failed } failed ({ $rate } %) · { $sales } − { $refunds } − { $cost } = { $margin }
admin-figures-other-models = Other models ({ $count })
admin-figures-no-model = No model (run the audit)
admin-button-today = Today
admin-button-week = Week
admin-button-month = Month
admin-button-before = ◀ Earlier
admin-button-after = Later ▶
admin-period-usage = Write a period after the command: today, yesterday, week, month, 2026-10, 2026-10-05, 2026-10-01..2026-10-15, 2026, or 30 for the last 30 days. With “csv” at the end, /admin sends a table.
admin-summary =
    ☀️ <b>{ $last }</b> ({ $zone })
    👥 Came: { $came }, of them ordered: { $ordered }, paid: { $paid }
    💳 Top-ups: { $topUps }
    🟦 Revenue: <b>{ $revenue }</b> (refunds { $refunds })
    Margin: <b>{ $margin }</b>
    ❌ Failed: { $failed } of { $ended }
    More: /admin yesterday
admin-support =
    🛟 <b>Support</b>
    Find a person to see orders and payments, to write to them, or to refund an order. You can still refund today: <b>{ $left }</b>
admin-no-right = Your role doesn’t allow this. Ask an operator who may do everything.
admin-button-find = 🔎 Find a user
admin-button-reports = 🚩 Reports: { $open }
admin-button-switches = 🎚 Switches
admin-button-log = 📜 Log
admin-command-admin = Figures and management
admin-command-user = Find a user
admin-command-sources = Where users come from
admin-command-accounting = Payments of a month as a table
admin-command-broadcast = Send a message to many people
admin-command-promo-add = Create a promo code
admin-command-promo-end = End a promo code

## Users

admin-ask-user = Who are you looking for? A Telegram ID, @username, #number, part of a name, or the ID of an order, a task or a payment.
admin-nobody-found = Nobody found: <b>{ $query }</b>
admin-several-found = Several people match “{ $query }”. Which one?
admin-nobody-chosen =
    Who is it about? Begin with the user: #number, @name, Telegram ID or name. For example:
    <code>/{ $verb } #17 { $verb ->
        [grant] 500₽ for the failed video
        [debit] 500₽ granted by mistake
        [ban] spam
        [message] Your video is ready, look into /history
       *[unban] banned by mistake
    }</code>
admin-user =
    👤 <b>{ $name }</b> · { $username }
    Number: <code>#{ $id }</code> · Telegram: <code>{ $telegram }</code>
    Here since { $since }
    Balance: <b>{ $available }</b>, held: { $held }
    Paid: { $paid } · spent: { $spent }
    Orders: { $orders }, failed: { $failures }
admin-user-partner = 🤝 Partner: { $percent }% of every top-up of invited people
admin-user-banned = 🚫 Banned since { $since }. Reason: { $reason }
admin-user-forgotten = 🕳 Data deleted at their request { $since }
admin-button-grant = ➕ Grant
admin-button-debit = ➖ Debit
admin-button-message = 💬 Write
admin-button-ban = 🚫 Ban
admin-button-unban = ✅ Unban
admin-button-orders = 🖼 Orders
admin-button-payments = 💳 Payments
admin-ask-grant = How many roubles should <b>{ $name }</b> get, and why? One message, for example: <code>500₽ for the failed video</code>
admin-ask-debit = How many roubles should be taken from <b>{ $name }</b>, and why? One message, for example: <code>500₽ granted by mistake</code>
admin-ask-ban = Why is <b>{ $name }</b> banned? The reason stays in the log.
admin-ask-unban = Why is <b>{ $name }</b> unbanned? The reason stays in the log.
admin-ask-message = What should <b>{ $name }</b> read? Your next message is sent to them at once: words or a file.
admin-ask-answer = What do you answer <b>{ $name }</b> about the report? Your next message is sent to them at once: words or a file. The report stays open.
admin-ask-refund = Why is <code>{ $id }</code> refunded? The user will read the reason. To refund only a part, write the sum first, for example: <code>50₽ there is no sound</code>
admin-amount-and-reason = I need an amount in roubles and a reason. For example: <code>{ $start }{ $verb ->
    [grant] 500₽ for the failed video
   *[debit] 500₽ granted by mistake
}</code>
admin-message-usage = I need words to send. For example: <code>{ $start }Your video is ready, look into /history</code>
admin-answer-usage = I need the ID of a report and words to send. It’s easier with the button: /admin, Reports, Answer.
admin-reason = I need a reason in words. For example: <code>{ $start }spam</code>
admin-confirm-grant = Add <b>{ $amount }</b> to <b>{ $name }</b>? They will read the reason: { $reason }
admin-confirm-debit = Take <b>{ $amount }</b> from <b>{ $name }</b>? They will read the reason: { $reason }
admin-confirm-ban = Ban <b>{ $name }</b>? The reason stays in the log: { $reason }
admin-confirm-unban = Unban <b>{ $name }</b>? The reason stays in the log: { $reason }
admin-confirm-message = Send this to <b>{ $name }</b>?

    { $words }
admin-press-a-button = Tap “Yes” or “No” under the question above: nothing has been done yet. Drop the question: /cancel
admin-button-yes = ✅ Yes
admin-button-no = ✖ No
admin-corrected = ✅ { $name }: { $verb ->
    [grant] added
   *[debit] taken
} <b>{ $amount }</b>. Balance: <b>{ $available }</b>
admin-corrected-before = ✅ { $name }: { $verb ->
    [grant] added
   *[debit] taken
} <b>{ $amount }</b> once, this command has already been carried out. Balance now: <b>{ $available }</b>
admin-insufficient = ⚠️ { $name } has only { $available }: more than that cannot be taken.
admin-done-before = Nothing changed: it’s already so.
admin-ban-set = { $verb ->
    [ban] 🚫 Banned
   *[unban] ✅ Unbanned
}: <b>{ $name }</b>
admin-ban-operator = Operators cannot be banned. Take them out of the list of operators in the settings first.

## Orders, payments, reports

admin-no-orders = { $name } has not ordered anything yet.
admin-order =
    <code>{ $id }</code> · { $time }
    { $model } · { $amount } · { $state ->
        [succeeded] ✅ done
        [refunded] ↩️ refunded
        [partly] ↩️ partly refunded: { $back }
        [free] 🎁 came after the refund, free
        [failed] ❌ failed
        [canceled] ❌ cancelled
        [unknown] ⚠️ unknown
       *[running] ⏳ in progress
    } ({ $reason })
admin-order-details =
    Task: <code>{ $task }</code>{ $provider ->
        [none] { "" }
       *[other] { "\u000A" }Vendor: { $provider }
    }{ $results ->
        [none] { "" }
       *[other] { "\u000A" }Results: <code>{ $results }</code>
    }{ $seeds ->
        [none] { "" }
       *[other] { "\u000A" }Seeds: { $seeds }
    }
admin-reason-report = a report of a problem
admin-reason-refused = the model did not accept it
admin-reason-task-failed = the model failed
admin-reason-task-ended = the model seems to have failed
admin-reason-task-canceled = cancelled on the model’s side
admin-reason-empty = the model sent no file
admin-reason-lost = not confirmed in time
admin-reason-late = the model ran out of time
admin-reason-unavailable = the service was unavailable
admin-reason-paused = sales were paused
admin-reason-no-file = a file of the user was gone
admin-reason-no-voice = the words for the video were not spoken
admin-reason-too-large = the request with its files was too large for the gateway
admin-reason-withdrawn = cancelled by the user
admin-button-refund = ↩️ { $amount } · { $id }
admin-refund-usage = I need an ID and a reason; for a part, put the sum in roubles before the reason. For example: <code>/{ $verb } 0123456789 { $verb ->
    [refund] the picture is blank
   *[refund_payment] paid by mistake
}</code> or <code>/{ $verb } 0123456789 50₽ { $verb ->
    [refund] there is no sound
   *[refund_payment] paid by mistake
}</code>
admin-refund-reason = I need a reason in words: the user will read it. For a part, write the sum in roubles first. For example: <code>the picture is blank</code> or <code>50₽ there is no sound</code>
admin-confirm-refund = Refund <b>{ $amount }</b> to <b>{ $name }</b> for the order <code>{ $id }</code>{ $before ->
    [none] {""}
   *[other] {" "}({ $before } was refunded before)
}? They will read the reason: { $reason }

    { $left ->
        [none] This is all that was charged and not refunded. Only a part: <code>/refund { $id } 50₽ there is no sound</code>
       *[other] This is a part: { $left } stays charged.
    }
admin-confirm-refund-payment = Refund { $part ->
    [yes] <b>{ $amount }</b> of the payment
   *[no] the payment of <b>{ $amount }</b>
} ({ $provider }, <code>{ $id }</code>) to <b>{ $name }</b>{ $before ->
    [none] {""}
   *[other] {" "}({ $before } of it was refunded before)
}? The amount is taken off the balance. They will read the reason: { $reason }
admin-refund-by-hand = ⚠️ This provider refunds only in its own account area: refund the payment there first. “Yes” only takes the amount off the balance; what the balance lacks becomes a debt.
admin-refund-part-by-hand = ⚠️ A part of this payment can be refunded only in the provider’s account area: refund exactly <b>{ $amount }</b> there first. “Yes” only takes this sum off the balance; what the balance lacks becomes a debt.
admin-refund-takes-bonus = ⚠️ The inviter got a bonus of <b>{ $amount }</b> for this payment, which is taken back.
admin-refund-takes-own = ⚠️ The bonus for the top-up goes with the payment: <b>{ $amount }</b>.
admin-confirm-decline = Decline the report of <b>{ $name }</b>? They will read that the result matches the order and that there is no refund.
admin-refunded = ↩️ Refunded: <b>{ $amount }</b> (<code>{ $id }</code>)
admin-not-refunded = { $mark } { $reason ->
    [unknown-generation] There is no such order.
    [nothing-captured] Nothing was charged for this order, so there is nothing to refund.
    [too-much] Less than that is left of the price of this order. See its sums: /user and its ID.
    [in-delivery] The result is still being delivered. Refund the part when that is over, or the whole order now.
    [changed] A part of this order was refunded in the meantime, so nothing was done. Repeat /refund to see what is left.
    [over-limit] Nothing was refunded: you can still refund { $left } today. Refund a part, or ask an operator without a limit.
   *[already] This order has already been refunded in full.
}
admin-no-payments = { $name } has not paid anything yet.
admin-payment =
    { $time } · { $provider } · <b>{ $credit }</b> · { $state ->
        [refunded] ↩️ refunded
        [partly] ↩️ partly refunded: { $back }
       *[paid] ✅ paid
    }
    <code>{ $charge }</code>
admin-tax-receipt = 🧾 { $state ->
    [waits] The receipt is on its way
    [canceled] No receipt: the payment was refunded
    [fails] ⚠️ The receipt is not settled yet, it is tried again: { $said }
   *[made] <a href="{ $url }">Receipt for { $amount }</a>
}
admin-payment-not-refunded = ⚠️ { $reason ->
    [unknown] There is no such payment left to refund.
    [already-refunded] This payment has been refunded already.
    [spent] The money has been spent: the balance is lower than the payment.
    [off] This way of paying is switched off.
    [pending] The provider has not answered yet. The amount is off the balance, and it is asked again within the hour.
    [whole-only] Telegram refunds a payment in Stars only as a whole: leave out the sum.
    [too-much] Less than that is left of this payment.
    [changed] A part of this payment was refunded in the meantime, so nothing was done. Repeat /refund_payment to see what is left.
    [part-unanswered] The provider has not answered, so it is unknown whether the part was refunded. If it was, the amount leaves the balance within the hour. Repeating the same sum is safe: it is refunded once.
    [part-refused] The provider refused. Nothing was taken off the balance.
   *[refused] The provider refused. The amount is back on the balance.
} { $said }
admin-no-reports = No open reports.
admin-declined = ✖ Declined
admin-report-closed = This report has been closed already.

## Switches, broadcasts, promo codes, log

admin-switches =
    🎚 <b>Switches</b>
    Maintenance: new orders are refused, running ones are finished; operators can still order.
    A model: 🟢 is sold, 🔴 is not. Tap to switch.
admin-confirm-maintenance = Stop all sales? New orders are refused until you end the maintenance; running ones are finished.
admin-confirm-model-off = Stop selling <b>{ $name }</b>? Its new orders are refused until you switch it on again.
admin-stopped = 🔴 Switched off
admin-button-maintenance-begin = 🛠 Begin maintenance
admin-button-maintenance-end = ✅ End maintenance
admin-broadcast-no-copy = This message cannot be copied. Write it again and reply to the new one.
admin-broadcast-too-long = This text has { $length } characters, and Telegram divides it into several messages. A broadcast is one message: send up to { $most } characters.
admin-broadcast =
    📣 Broadcast <code>{ $id }</code>: { $state }
    To: { $to }
admin-broadcast-button = Button: { $text } → { $to }
admin-broadcast-before =
    Recipients: { $left }
    Start: { $time ->
        [now] at once
       *[other] { $time }
    }
admin-broadcast-ask = { $time ->
    [now] Send it now?
   *[other] Start it at { $time }?
}
admin-broadcast-sent = Delivered: { $sent } · bot blocked: { $failed } · left: { $left }
admin-broadcast-reaction = Within a day of getting it: switched news off: { $switchedOff }, orders and answers: { $orders } (people: { $people })
broadcast-state-draft = draft
broadcast-state-scheduled = scheduled
broadcast-state-running = under way
broadcast-state-paused = paused
broadcast-state-done = done
broadcast-state-stopped = stopped
admin-broadcasts = Broadcasts that are waiting, under way or just done:
admin-broadcast-past = That time has passed. Choose another one.
admin-broadcast-nobody = Nobody fits right now. Change who gets it.
admin-broadcast-begun = This broadcast can no longer be changed. If it is still waiting for its time, tap “✏️ Change” first.
admin-ask-broadcast-source = Where should the people have come from? Write a source: { $names }. If it doesn’t matter, send a minus: <code>-</code>
admin-ask-broadcast-days = For how many days have they done nothing? Write a number, such as <code>30</code>.
admin-ask-broadcast-button = Write the text of the button and, after it, a link or a command. For example: <code>Animate a photo /video</code> or <code>Our channel https://t.me/example</code>. For no button, send a minus: <code>-</code>
admin-ask-broadcast-time = When should it start? In the time of { $zone }, for example <code>18:30</code>, <code>1.12 10:00</code> or <code>2026-12-01 10:00</code>. To send it at once, write a minus: <code>-</code>
admin-broadcast-no-source = There is no source “{ $source }”. There are: { $names }.
admin-broadcast-no-days = I need a number of days from 1 to 999.
admin-broadcast-no-button =
    This can’t be a button. I need a text of up to 40 characters and, after it, a link or a command of the bot. For example: <code>Animate a photo /video</code>
    A command may not spend money right away: /chat only without words.
admin-broadcast-no-time = I don’t understand this time. Write, for example, <code>18:30</code>, <code>1.12 10:00</code> or <code>2026-12-01 10:00</code>.
admin-broadcast-outside = That time has passed, or is more than half a year away. Write another one.
audience-all = Everybody
audience-payers = Have paid
audience-newcomers = Never ordered
audience-quiet = Quiet for { $days } { $days ->
    [one] day
   *[other] days
}
audience-any-language = 🌐 All
audience-source = source { $source }
button-news-off = 🔕 No more news
button-news-on = 🔔 Get news again
news-off = No more news. Results and money matters still come.
news-on = News is on again
admin-button-send = ▶️ Send
admin-button-edit = ✏️ Change
admin-button-stop-draft = ✖ Don’t send
admin-button-stop-scheduled = ⏹ Cancel
admin-button-stop-running = ⏹ Stop
admin-button-stop-paused = ⏹ Stop
admin-button-broadcast-source = 📍 Source
admin-button-broadcast-days = 💤 Days: { $days }
admin-button-broadcast-button = 🔘 Button
admin-button-broadcast-time = 🕒 Time
admin-button-resume = ▶️ Resume
admin-button-pause = ⏸ Pause
admin-button-refresh = 🔄 Refresh
admin-promo-usage =
    Code, amount, number of people and, if you like, the last day. The code has 6 to 32 letters, digits, hyphens and underscores. The amount is in roubles, for each person. For example:
    <code>/promo_add SPRING 100₽ 50 2030-12-31</code>
    Percent of the next top-up, with the most that they bring:
    <code>/promo_add SPRING 20% 500₽ 50 2030-12-31</code>
admin-promo-percent = { $percent }% of the next top-up, up to { $most }
admin-confirm-promo = Create the code <code>{ $code }</code>: { $amount } for { $uses ->
    [one] one person
   *[other] each of { $uses } people, { $most } in all
}{ $until ->
    [never] {""}
   *[other] , until { $until }
}?
admin-promo-added = 🎁 <code>{ $code }</code>: { $amount } for { $uses ->
    [one] one person
   *[other] { $uses } people
}
admin-promo-exists = The code <code>{ $code }</code> already exists.
admin-promo-end-usage = Which code ends? For example: <code>/promo_end SPRING</code>
admin-confirm-promo-end = End the code <code>{ $code }</code> ({ $amount }, used { $uses } of { $most })? Nobody can use it any more; what it gave stays.
admin-promo-ended = The code <code>{ $code }</code> has ended.
admin-promo-not-running = There is no code <code>{ $code }</code>, or it has ended already.
admin-log-empty = Nothing has been done yet.
admin-log-line = { $time } · { $who } · { $action ->
    [grant] granted
    [debit] took
    [refund] refunded an order
    [refund-payment] asked to refund a payment
    [decline] declined a report
    [letter] wrote to a person
    [ban] banned
    [unban] unbanned
    [promo] made a promo code
    [promo-end] ended a promo code
    [partner] set the percents of a partner
    [switch-off] switched off
    [switch-on] switched on
    [accept-transfers] accepted in the books
    [assign-payment] assigned a payment
    [change-bot] gave the database to another bot
   *[broadcast] broadcast
} · { $subject } { $amount } { $reason }

## Alarms

alarm-fact = { $kind ->
    [sales] { $fact ->
        [unauthorised] The gateway does not accept our key: correct the key in the settings and restart
        [out-of-balance] Our account at the gateway is empty: top it up
        [model] Correct its id at the gateway (gatewayId) or its path, or switch the model off
        [lost] The gateway charges for these results, and their buyers get their money back. Open the server from this machine, and ask the gateway; or switch the model off
       *[unreachable] The gateway is tried again every half a minute
    }
    [failures] Failed of all in the last hour: { $fact }
    [stuck] Orders: { $fact }
    [undelivered] Their users find them in /history; /refund returns the money. Orders: { $fact }
    [updates] Messages: { $fact }
    [webhook] Waiting at Telegram, with its last error: { $fact }. npm run doctor says what to do
    [set-aside] Messages: { $fact }
    [token] Stop the other installation, or get a new token from BotFather
    [tax-receipts] They are tried again at least hourly; npm run doctor signs in. Receipts and what was answered: { $fact }
    [debts] Who owes how much, until their next top-ups cover it: { $fact }
    [reports] Decide in /admin, Reports. Orders: { $fact }
    [no-audit] Last completed: { $fact }. It is made hourly by a process of the role worker; its log says what fails.
    [no-backup] Last completed: { $fact }. Why: docker compose logs backup, or journalctl -u generation-bot-backup
   *[other] { $fact }
}
alarm-model = Model: <code>{ $model }</code>
alarm-server = Server: <code>{ $said }</code>
alarm-losing = Nothing is stopped yet. If no result of several orders in a row can be downloaded, sales of the model stop for 15 minutes at a time.
alarm-suspected = Nothing is stopped yet. If another order is refused in this way within an hour, sales stop for five minutes at a time.
database-away = 🚨 The process “{ $role }” has not been able to write to the database for { $minutes } min ({ $why }). Orders and payments wait. Check that PostgreSQL runs and its disk has room; “npm run doctor” says what is wrong.
database-back = ✅ The process “{ $role }” can write to the database again, after { $minutes } min.
alarm-begins =
    🚨 <b>{ $kind ->
        [sales] { $fact ->
            [unreachable] Sales are stopped: the gateway cannot be reached
            [model] Sales of a model are stopped: the gateway refuses it
            [lost] Sales of a model are stopped: its results cannot be downloaded
            [losing] A result cannot be downloaded
            [suspected] The gateway seems to refuse us
           *[refused] Sales are stopped: the gateway refuses us
        }
        [failures] Orders or answers fail
        [stuck] Orders are stuck
        [undelivered] Results cannot be delivered
        [updates] Messages wait to be handled
        [webhook] Messages do not arrive: the webhook fails
        [set-aside] A message ended the processes that handled it, and was set aside
        [token] Another installation uses the token of this bot
        [payments] A payment fits no invoice
        [tax-receipts] Receipts in “Мой налог” have failed for two hours
        [debts] A payment was refunded after its money was spent
        [reports] A problem report waits for an answer
        [no-audit] The audit has not been made for 6 hours
        [no-backup] No backup has been made for 26 hours, or the last one failed
       *[audit] The audit found an error in the money
    }</b>
    { $detail }
    Since { $since }
alarm-lasts =
    ⏰ <b>Still: { $kind ->
        [sales] { $fact ->
            [model] sales of a model are stopped
            [lost] results of a model cannot be downloaded
            [losing] results of a model cannot be downloaded
            [suspected] the gateway seems to refuse us
           *[stopped] sales are stopped
        }
        [failures] orders or answers fail
        [stuck] orders are stuck
        [undelivered] results cannot be delivered
        [updates] messages wait to be handled
        [webhook] messages do not arrive, the webhook fails
        [set-aside] a message is set aside
        [token] another installation uses the token of this bot
        [payments] a payment fits no invoice
        [tax-receipts] receipts in “Мой налог” fail
        [debts] money of refunded payments is owed
        [reports] a problem report waits for an answer
        [no-audit] the audit is not made
        [no-backup] backups fail or are not made
       *[audit] the audit finds an error in the money
    }</b>
    { $detail }
    Since { $since }
alarm-over =
    ✅ <b>Over: { $kind ->
        [sales] sales go on
        [failures] orders and answers no longer fail ({ $fact })
        [stuck] orders are no longer stuck
        [undelivered] no undelivered result waits for you
        [updates] messages are handled in time
        [webhook] messages arrive
        [set-aside] no message is set aside
        [token] no other installation uses the token of this bot
        [payments] all payments are assigned
        [tax-receipts] receipts in “Мой налог” are registered again
        [debts] no money of recently refunded payments is owed
        [reports] no problem report has waited for 12 hours
        [no-audit] the audit is made again
        [no-backup] backups are made again
       *[audit] the audit is clean
    }</b>
    It began { $since }

## Sources

admin-sources =
    🧭 <b>Where people come from: { $days ->
        [1] { $last }
       *[other] { $first } – { $last }
    }</b> ({ $zone })
    { $lines }

    “Came, ordered, paid” counts newcomers. The money is of everybody from that source; the margin is before commissions of payments. /sources 2026-10 csv sends a table, /sources blog makes a link.
admin-sources-line = <b>{ $source }</b>: { $came } came, { $ordered } ordered, { $paid } paid · top-ups { $topUps } · revenue { $revenue }, of it from newcomers { $ofNew } (refunds { $refunds }) · margin { $margin }
admin-source-link =
    🧭 The link of this source. Whoever comes by it first counts towards it.
    <code>{ $link }</code>
admin-sources-usage = Write /sources and a period (/sources 2026-10, /sources 90 csv), or a name for a new link: Latin letters, digits, - and _, up to 40.

## Accounting

admin-accounting =
    🧮 <b>{ $days ->
        [1] { $last }
       *[other] { $first } – { $last }
    }</b> ({ $zone })
    { $lines }
admin-accounting-nothing = Nothing was paid, refunded or given.
admin-accounting-line = { $kind ->
    [payment] 💳 { $name }: { $count } payments{ $stars }, credited { $change }
    [refund] ↩️ { $name }: { $count } refunds{ $stars }, { $change }
    [promotion] 🎁 { $name ->
        [welcome] Welcome credit
        [promo] Promo codes
        [invited] Bonuses for invited people
        [bonus] Bonuses for top-ups
        [bonus-back] Bonuses for top-ups, taken back
        [code] Promo codes in percent
        [code-back] Promo codes in percent, taken back
        [partner] Partners’ percents
        [partner-back] Partners’ percents, taken back
        [referral] Bonuses for inviters
        [referral-back] Bonuses for inviters, taken back
       *[other] { $name }
    }: { $count }, { $change }
   *[correction] ✏️ Corrections: { $count }, { $change }
}
admin-accounting-payments = 💳 { $name }: { $count } payments{ $stars }, credited { $change }, income { $income }, commission { $commission }

# What an operator writes to a person
letter =
    💬 <b>A person from support writes</b>

    { $words }

    <i>Reply to this message to continue the conversation.</i>
letter-file = 💬 <b>A person from support has sent you a file.</b> Reply to it to continue the conversation.

## The operators' group and support

topic-payments = 💳 Payments
topic-newcomers = 👋 Newcomers
topic-reports = 🚩 Reports
topic-alarms = 🚨 Alarms
news = { $topic ->
    [payments] 💳 <b>+{ $amount }</b> · { $name } · { $by }
   *[newcomers] 👋 { $name }{ $by ->
        [none] { "" }
       *[other] { " " }· { $by }
    }
}
support-person =
    💬 <b>Support</b>. { $at ->
       *[chat] Reply to one of these messages, and the person gets your answer.
        [topic] What you write in this topic goes to the person, except commands and replies to colleagues.
    }

    { $profile }
    Language: { $language }
support-orders = <b>Last orders</b>
letter-sent = ✅ Sent.
letter-too-long = ⚠️ Not sent: more than 3,500 characters. Split it into several messages.
letter-unreachable = ⚠️ Not sent: the person has blocked the bot or deleted their data, or Telegram can’t copy this message.

# What a person who writes to support sees
support-here = ✍️ Or ask right here: reply to this message, with a photo or a file if you like. A person will answer.
support-sent = ✅ Passed on to a person. The answer will come here.
support-slow = You’ve sent a lot of messages, and they are being read. Please write the next one a little later.
support-too-long = That’s too long: { $length } characters of at most { $max }. Please shorten it or send it as a file.
support-unreached = ⚠️ I couldn’t pass it on. Please try again later.
