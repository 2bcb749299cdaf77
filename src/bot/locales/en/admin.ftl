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
        [1] Today, { $last }
       *[other] { $days } days, { $first } – { $last }
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
    👥 New: { $newUsers }, active: { $activeUsers }
    Open reports: { $openReports }
    Models: sales − refunds − gateway = margin before commissions
admin-figures-model = { $name }: { $done } done, { $failed } failed ({ $rate } %) · { $sales } − { $refunds } − { $cost } = { $margin }
admin-figures-other-models = Other models ({ $count })
admin-figures-no-model = No model (run the audit)
admin-button-period = { $days ->
    [1] Today
   *[other] { $days } days
}
admin-button-find = 🔎 Find a user
admin-button-reports = 🚩 Reports: { $open }
admin-button-switches = 🎚 Switches
admin-button-log = 📜 Log
admin-command-admin = Figures and management
admin-command-user = Find a user
admin-command-sources = Where users come from
admin-command-accounting = Payments of a month as a table
admin-command-broadcast = Send a message to everyone
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
       *[unban] banned by mistake
    }</code>
admin-user =
    👤 <b>{ $name }</b> · { $username }
    Number: <code>#{ $id }</code> · Telegram: <code>{ $telegram }</code>
    Here since { $since }
    Balance: <b>{ $available }</b>, held: { $held }
    Paid: { $paid } · spent: { $spent }
    Orders: { $orders }, failed: { $failures }
admin-user-banned = 🚫 Banned since { $since }. Reason: { $reason }
admin-user-forgotten = 🕳 Data deleted at their request { $since }
admin-button-grant = ➕ Grant
admin-button-debit = ➖ Debit
admin-button-ban = 🚫 Ban
admin-button-unban = ✅ Unban
admin-button-orders = 🖼 Orders
admin-button-payments = 💳 Payments
admin-ask-grant = How many roubles should <b>{ $name }</b> get, and why? One message, for example: <code>500₽ for the failed video</code>
admin-ask-debit = How many roubles should be taken from <b>{ $name }</b>, and why? One message, for example: <code>500₽ granted by mistake</code>
admin-ask-ban = Why is <b>{ $name }</b> banned? The reason stays in the log.
admin-ask-unban = Why is <b>{ $name }</b> unbanned? The reason stays in the log.
admin-ask-refund = Why is <code>{ $id }</code> refunded? The user will read the reason. To refund only a part, write the sum first, for example: <code>50₽ there is no sound</code>
admin-amount-and-reason = I need an amount in roubles and a reason. For example: <code>{ $start }{ $verb ->
    [grant] 500₽ for the failed video
   *[debit] 500₽ granted by mistake
}</code>
admin-reason = I need a reason in words. For example: <code>{ $start }spam</code>
admin-confirm-grant = Add <b>{ $amount }</b> to <b>{ $name }</b>? They will read the reason: { $reason }
admin-confirm-debit = Take <b>{ $amount }</b> from <b>{ $name }</b>? They will read the reason: { $reason }
admin-confirm-ban = Ban <b>{ $name }</b>? The reason stays in the log: { $reason }
admin-confirm-unban = Unban <b>{ $name }</b>? The reason stays in the log: { $reason }
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
admin-refund-takes-bonus = ⚠️ The inviter of this person got a bonus of <b>{ $amount }</b>, which is taken back: this is the only payment of the person that is not refunded.
admin-confirm-decline = Decline the report of <b>{ $name }</b>? They will read that the result matches the order and that there is no refund.
admin-refunded = ↩️ Refunded: <b>{ $amount }</b> (<code>{ $id }</code>)
admin-not-refunded = { $mark } { $reason ->
    [unknown-generation] There is no such order.
    [nothing-captured] Nothing was charged for this order, so there is nothing to refund.
    [too-much] Less than that is left of the price of this order. See its sums: /user and its ID.
    [in-delivery] The result is still being delivered. Refund the part when that is over, or the whole order now.
    [changed] A part of this order was refunded in the meantime, so nothing was done. Repeat /refund to see what is left.
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
admin-button-report-refund = ↩️ Refund
admin-button-report-decline = ✖ Decline
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
    📣 Broadcast <code>{ $id }</code>: { $state ->
        [draft] not started
        [running] under way
        [paused] paused
        [done] done
       *[stopped] stopped
    }
    To: { $audience }
    Sent: { $sent } · not reached: { $failed } · left: { $left }
audience-all = Everybody
audience-payers = Have paid
audience-newcomers = Never ordered
audience-quiet = Quiet for 14 days
button-news-off = 🔕 No more news
button-news-on = 🔔 Get news again
news-off = No more news. Results and money matters still come.
news-on = News is on again
admin-button-start = ▶️ Start
admin-button-resume = ▶️ Resume
admin-button-pause = ⏸ Pause
admin-button-stop = ⏹ Stop
admin-button-refresh = 🔄 Refresh
admin-promo-usage =
    Code, amount, number of people and, if you like, the last day. The code has 6 to 32 letters, digits, hyphens and underscores. The amount is in roubles, for each person. For example:
    <code>/promo_add SPRING 100₽ 50 2030-12-31</code>
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
    [ban] banned
    [unban] unbanned
    [promo] made a promo code
    [promo-end] ended a promo code
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
    🧭 <b>Where people came from in the last { $days } days</b>
    { $lines }

    The money is what they have spent until now; the margin is before commissions of payments. /sources 90 csv sends a table, /sources blog makes a link.
admin-sources-line = <b>{ $source }</b>: { $came } came, { $ordered } ordered, { $paid } paid · top-ups { $topUps } · revenue { $revenue } (refunds { $refunds }) · margin { $margin }
admin-source-link =
    🧭 The link of this source. Whoever comes by it first counts towards it.
    <code>{ $link }</code>
admin-sources-usage = Write /sources, a number of days (/sources 90 csv), or a name for a new link: Latin letters, digits, - and _, up to 40.

## Accounting

admin-accounting =
    🧮 <b>{ $first } – { $last }</b> ({ $zone })
    { $lines }
admin-accounting-nothing = Nothing was paid, refunded or given.
admin-accounting-line = { $kind ->
    [payment] 💳 { $name }: { $count } payments, credited { $change }
    [refund] ↩️ { $name }: { $count } refunds, { $change }
    [promotion] 🎁 Gifts, promo codes and invitations: { $count }, { $change }
   *[correction] ✏️ Corrections: { $count }, { $change }
}
admin-accounting-payments = 💳 { $name }: { $count } payments, credited { $change }, income { $income }, commission { $commission }
admin-accounting-usage = Write a month, a year, a day or two days: /accounting 2026-10, /accounting 2026, /accounting 2026-10-01..2026-10-15
