# Texts of the law. The operator replaces them with their own: TEXTS_DIR, the same keys.

no-contact = the operator has not given a contact
contact-support = /support and your question

legal-support =
    <b>Support</b>

    Where to write: { $contact }

    When a result isn’t right, open the order in /history and tap “Report a problem”: a person looks at the order and can refund it. Questions about payments: /paysupport
legal-paysupport =
    <b>Questions about payments</b>

    Where to write: { $contact }. Give the date and the amount of the payment, and attach the receipt if you have one.

    • Every top-up and charge: /statement
    • The money for a failed order comes back to the balance by itself, usually within minutes.
    • Stars and payments that you have not spent can be refunded through support.

    Telegram’s own support does not deal with purchases in this bot.
legal-terms =
    <b>Terms</b>

    1. The bot makes images, video, sound, texts and 3D models from your descriptions, using third-party models. A result is not always what you expected.
    2. The price is shown before the order. It is set aside when you order and charged only for what was made; the rest returns to your balance. An answer of a text model that breaks off is free; one that you stop yourself costs what was written until then.
    3. The balance is topped up with /topup and spent in this bot only. What is not spent can be refunded through support; gifts and bonuses are not paid out.
    4. The result is in the chat; /history sends it again free of charge for as long as Telegram keeps the file.
    5. You may not order anything unlawful, pictures of other people without their consent, or anything Telegram’s rules forbid. Doing so ends your access.
    6. You are responsible for your descriptions and for what you do with the results.

    Support: { $contact }. Personal data: /privacy
legal-privacy =
    <b>Personal data</b>

    What we keep: your Telegram ID (not your phone number), name and language, the prompts and files of orders, links to results, conversations with text models, payments, which broadcasts you got; your e-mail address if you gave it for receipts.

    Why: to fulfil orders, to show your history, to take and return money.

    Who gets it: the prompts and files of orders, and the conversations with text models and their files, go to the service that runs the models; payment data goes to the payment system. Your name and Telegram ID are not passed to that service. If you report a problem, the operator sees that order: its description, result and sums. If you write to support, the operators read it in a Telegram chat of theirs, with your name, number, balance and last orders; the bot itself doesn’t store your words, only notes for 30 days about whose messages they were.

    Your rights: download everything with /export, delete everything with /delete_me. After that, only records of money remain, without a name but with the reasons of refunds and corrections, and a hash of your Telegram ID that shows nothing but the deletion itself; without the bot’s key it cannot identify you. The topic about you in the operators’ chat is deleted, too; single messages to support stay there.

    Questions: { $contact }

# The consent to the terms (CONSENT_VERSION). The operator may replace these, too.
consent =
    <b>One thing before we start</b>

    By tapping the button you accept the /terms and the processing of your data as described in /privacy. I’ll ask again only if they change.
button-consent = ✅ I agree
consent-given = ✅ You’ve agreed to the /terms and /privacy.
consent-again = Thank you! Now tap that button again.
consent-question = Thank you! Here’s your question:
consent-known = You agreed to the terms and the processing of your data (version { $version }).
