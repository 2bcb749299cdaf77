# /start, and what Telegram shows of the bot before the first message.

start =
    👋 Здравствуйте, { $name }!

    Напишите, что хотите увидеть или услышать. Сначала покажу цену, потом сделаю. Не получится — верну деньги.
start-undelivered =
    📦 { $count ->
        [1] Оплаченный результат не удалось доставить. Он сохранён
       *[other] Не удалось доставить оплаченные результаты: { $count }. Они сохранены
    } в /history
start-gift =
    🎁 <b>{ $amount }</b> в подарок уже на балансе{ $things ->
        [none] .
       *[other] : это { $things }.
    }
start-example =
    Например, { $command ->
        [image] картинка
        [speech] озвучка
       *[video] видео
    } одним нажатием:
    <i>{ $prompt }</i>
start-chat =
    💬 Просто напишите вопрос сообщением.

    Модель и её цены: /chat
button-example = ▶️ Попробовать · { $amount }
begin-image = 🖼 Картинка
begin-video = 🎬 Видео
begin-speech = 🗣 Озвучка
begin-dialogue = 👥 Диалог
begin-music = 🎵 Музыка
begin-model3d = 🧊 3D
begin-chat = 💬 Вопрос
example-image = Рыжая лиса в осеннем лесу, акварель, мягкий утренний свет
example-speech = Доброе утро! Пусть сегодня всё получится.
example-video = Рыжий кот плывёт на доске для сёрфинга, закат, брызги воды

thing-image = картинки
thing-video = видео
thing-speech = озвучку
thing-dialogue = диалоги
thing-music = музыку
thing-model3d = 3D-модели

profile-what = Напишите, что хотите увидеть или услышать, — сделаю { $things }.
profile-promise = 💳 Точная цена видна до заказа. Не получилось — деньги возвращаются сами.
profile-chat = 💬 Отвечаю на вопросы: просто напишите.
profile-gift = 🎁 Новичкам дарим { $amount }.
profile-short = Сделаю { $things } по описанию. Точная цена до заказа.
