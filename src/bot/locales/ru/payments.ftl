# Paying: addresses for receipts, refunds.

receipt-item = Пополнение баланса
tax-receipt = 🧾 Ваш чек на { $amount }: <a href="{ $url }">открыть</a>. Он выдан через «Мой налог».
button-pay = Оплатить { $credit }
button-change-email = ✉️ Другой адрес для чека
button-try-again = 🔁 Ещё раз
topup-not-paid = Платёж на { $credit } не прошёл или не был завершён вовремя. На баланс ничего не поступило. Попробовать ещё раз: /topup
topup-refunded-because =
    ↩️ Платёж возвращён: с баланса списано { $credit }. Причина: { $reason }
    { $balance }
topup-refunded =
    ↩️ Платёж возвращён: с баланса списано { $credit }.
    { $balance }
email-ask =
    На какой адрес прислать чек? Напишите e-mail, например: <code>anna@example.ru</code>

    Запомню его для следующих чеков. Отменить: /cancel
email-bad = Это не похоже на e-mail. Напишите адрес целиком, например: <code>anna@example.ru</code>. Отменить: /cancel
