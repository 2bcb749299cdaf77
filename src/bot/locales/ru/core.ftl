# Everything a user reads, in Russian. Messages are Telegram HTML; buttons and alerts are plain text.

## Start and help

help =
    <b>Что я умею</b>

    { $commands }
    { $money }
    /prices — сколько что стоит
    /history — мои заказы, /favourites — избранное
    /presets — мои шаблоны настроек
    /wallet — кошелёк группы
    /statement — все пополнения и списания
    /promo — ввести промокод, /invite — пригласить друга
    /settings — язык, модели и форма по умолчанию, новости
    /new — новый разговор
    /cancel — отменить вопрос или карточку
    /support — помощь, /paysupport — вопросы об оплате, /terms — условия, /privacy — личные данные, /export — получить их, /delete_me — удалить

    <b>Как это работает</b>
    Команда открывает карточку с настройками и точной ценой. Деньги спишутся, только когда результат готов. Если что-то не вышло, они вернутся сами.
help-balance = /balance — сколько на балансе
help-topup = /topup 500 — пополнить баланс
help-image = /image лиса, акварель — картинки по описанию
help-video = /video кот на сёрфе — видео по описанию или картинкам
help-speech = /speech Доброе утро! — текст голосовым сообщением
help-dialogue = /dialogue — два голоса прочтут ваш сценарий
help-music = /music песня о море — музыка, со словами и без
help-model3d = /model3d деревянный стул — 3D-модель
cancel-nothing = Отменять нечего. Начните новое, например: /video кот на сёрфе
unknown-command = Такой команды нет. Список: /help
similar-command = Такой команды нет. Может быть, /{ $command }? Список: /help
plain-talk =
    Пока я отвечаю на команды. Например:
    <code>/image лиса, акварель</code>
    <code>/video кот на сёрфе</code>

    Или пришлите картинку — скажу, что из неё можно сделать.

    Все команды: /help
other-content = С этим я пока ничего не умею. Пришлите текст, картинку, видео, звук или документ. Все команды: /help
went-wrong = Что-то пошло не так на нашей стороне. Деньги на месте, попробуйте ещё раз.
too-fast = ⏳ Слишком быстро. Подождите несколько секунд и повторите.
stale-button = Эта кнопка больше не работает. Начните заново: /help
foreign-button = Эта кнопка не для вас или больше не работает. Начните заново: /help

command-image = Картинки по описанию
command-video = Видео по описанию
command-speech = Текст голосовым сообщением
command-dialogue = Сценарий на два голоса
command-music = Музыка и песни
command-model3d = 3D-модель
command-prices = Цены
command-balance = Баланс
command-settings = Настройки
command-help = Что я умею
command-cancel = Отменить

## Settings

settings = Язык / Language
settings-saved = Готово, говорю по-русски
settings-default-saved = Готово: новые карточки откроются так
settings-private =
    ⚙️ <b>Настройки</b> · Язык / Language

    С какой моделью и формой открывать новые карточки? «Авто» решает бот. Все настройки сразу хранит шаблон: /presets
    Модель для ответов: /chat, её роль: /persona
button-words-ask = ✍️ Слова без команды: спросить
button-words-answer = ✍️ Слова без команды: отвечать
words-now-ask = Буду спрашивать, что сделать
words-now-answer = Буду сразу отвечать; цена стоит под ответом
button-default-model = { $kind }, модель: { $name }
button-default-shape = { $kind }, форма: { $name }
default-usual-model = авто
default-usual-shape = авто
button-own-news-on = 🔔 Новости: приходят
button-own-news-off = 🔕 Новости: не приходят

## Balance and top-up

balance = Баланс: <b>{ $available }</b>
balance-owed = Долг: <b>{ $owed }</b>. Его сначала закроют следующие пополнения
missing-with-debt = { $missing } (из них { $owed } — долг)
balance-held = Отложено на заказы в работе: { $held }
button-top-up-any = 💳 Пополнить
button-top-up = 💳 Пополнить на { $amount }
topup-amounts =
    На сколько пополнить? От { $min } до { $max }.
    Другую сумму просто напишите, например: <code>750</code>
topup-steps = 🎁 Бонус сверху: { $steps }.
topup-step = от { $from } — { $percent }%
topup-bonus = 🎁 Сверху — бонус <b>{ $bonus }</b>.
code-adds = 🎁 Код <code>{ $code }</code>: к следующему пополнению добавится { $percent }%, но не больше { $most }.
code-until = Действует до { $until }.
topup-how = Как оплатить { $amount }?
topup-off = Пополнение сейчас выключено. Напишите в поддержку: /support
topup-not-an-amount =
    Сумма непонятна. Напишите её в рублях, от { $min } до { $max }, например: <code>1500</code> или <code>1500,50</code>
topup-out-of-range = На { $amount } пополнить нельзя: можно на сумму от { $min } до { $max }.
topup-too-many-links = Неоплаченных ссылок на оплату уже { $most }, больше открыть нельзя. Оплатите по одной из них выше или подождите: неоплаченная ссылка обычно закрывается в течение часа.
topup-done =
    ✅ Зачислено <b>{ $credit }</b>.
    { $balance }
topup-done-bonus =
    ✅ Зачислено <b>{ $credit }</b> и бонус <b>{ $bonus }</b>.
    { $balance }
bonus-given =
    🎁 За пополнение зачислен бонус <b>{ $bonus }</b>.
    { $balance }
topup-unmatched = Платёж пришёл, но непонятно, за что он, поэтому пока не зачислен. Напишите в поддержку (/support) и перешлите это сообщение.
invoice-title = Пополнение баланса
invoice-description = На баланс поступит { $credit }.
invoice-description-bonus = На баланс поступит { $credit } и бонус { $bonus }.
invoice-label = Пополнение на { $credit }
checkout-unknown = Такого счёта нет. Создайте новый: /topup
checkout-foreign = Этот счёт выставлен другому человеку. Создайте свой: /topup
checkout-wrong-amount = Сумма не совпадает со счётом. Создайте новый: /topup
checkout-outdated = Счёт устарел: цена или бонус изменились. Создайте новый: /topup
checkout-already-paid = Этот счёт уже оплачен. Создайте новый: /topup
checkout-off = Этот способ оплаты выключен. Создайте новый счёт: /topup
checkout-unavailable = Сейчас не получается проверить счёт. Деньги не списаны; попробуйте через минуту.

## Card

card-title = { $command ->
    [video] 🎬 Видео · <b>{ $name }</b>
    [image] 🖼 Картинка · <b>{ $name }</b>
    [speech] 🗣 Озвучка · <b>{ $name }</b>
    [dialogue] 👥 <b>{ $name }</b>
    [music] 🎵 <b>{ $name }</b>
   *[model3d] 🧊 <b>{ $name }</b>
}
card-price = Цена: <b>{ $amount }</b>
card-price-of = Цена: <b>{ $amount }</b> ({ $parts })
price-with-speech = видео { $own } + голос { $speech }
spoken-words = «{ $words }»
card-balance = Баланс: { $available }
card-missing = Не хватает: { $missing }
card-not-offered = ⚠️ Эта модель сейчас недоступна.
card-unpriced = ⚠️ Цена этой модели сейчас неизвестна, поэтому заказать её пока нельзя.
card-closed = Эта карточка уже закрыта. Начните новую, например: /video кот на сёрфе
card-dropped = Карточка закрыта
card-contradiction = ⚠️ Эти настройки не сочетаются. Верните последнюю, которую меняли.
card-incomplete = ❗️ Осталось указать: <b>{ $label }</b>. { $how ->
    [write] Напишите прямо сюда или нажмите кнопку.
    [reply] Напишите в ответ на эту карточку или нажмите кнопку.
   *[tap] Нажмите кнопку.
}
card-no-links = ⚠️ Один из файлов сейчас нельзя передать модели. Чтобы заказать, уберите его или замените прямой ссылкой.
card-files-too-large = ⚠️ Картинки вместе весят { $size } МБ, а в один заказ помещается { $most } МБ. Уберите часть или отправьте их как фото: Telegram их сожмёт.
price-second = { $quantity } с × { $rate }
price-character = { $quantity } зн. × { $rate } за { $per } зн.
price-image = { $rate }
price-request = { $rate }
answer-on = вкл.
answer-off = выкл.
answer-default = Теперь по умолчанию
answer-cleared = Очищено
answers-dropped = Больше не подходит и сброшено: { $labels }
answers-lowered = Больше нельзя, поэтому теперь: { $settings }
answer-made-room = Для описания это слишком длинно, поэтому теперь «{ $label }»: { $value } Не так? Верните на карточке.
medium-image = 🖼
medium-video = 🎬
medium-audio = 🎵
frame-first = первый
caption-sound = голос
caption-first = первый первая первое первым начало начальный
caption-last = последний последняя последнее последним конец конечный финальный
caption-frame = кадр картинка фото это в на
frame-last = последний
button-generate = Создать · { $amount }
button-models = 🎛 Модель: { $name }
model-english-only = { $name } · только английский
button-advanced = ⚙️ Ещё
button-back = ‹ Назад
button-other = ✏️ Другое…
button-more-files = 📎 Добавить ещё
button-enough = ✅ Это всё
button-settings-first = ⚙️ Сначала настройки
button-new-style = ➕ Новый стиль
button-clear = ↺ По умолчанию
button-remove = ✖ Убрать
button-drop = ✖ Закрыть
stale-card = Эта карточка не ваша или уже закрыта. Откройте свою командой, например /image
card-elsewhere = Это старая карточка. Пользуйтесь последней.
stale-option = Такого варианта больше нет. Выберите из тех, что на карточке.

## Asking for one answer

ask =
    <b>{ $label }</b>
    { $hint }

    Напишите ответ сообщением.
ask-in-group = { $person }, ответьте на это сообщение.
ask-text-please = Нужен текст: сообщением или файлом: .txt до 64 КБ или PDF. Отменить: /cancel
words-please = Теперь нужны слова: напишите их сообщением. Отменить: /cancel
button-stop-asking = ✖ Отмена
ask-more-files = Принято: { $count } из { $max }. Пришлите ещё или нажмите «Это всё».
file-uses = Что из этого сделать?
use-image = 🖼 Новая картинка по ней
use-video = 🎬 Видео
use-speech = 🗣 Озвучка
use-dialogue = 👥 Диалог
use-music = 🎵 Музыка
use-model3d = 🧊 Текстура 3D
use-animate = 🎬 Оживить фото
use-change = 🎬 Изменить словами
use-talk = 🗣 Говорящая
button-like-picture = 🖼 Что-то похожее · ≈ { $amount }
describe-picture = Опиши эту картинку
asking-stopped = Вопрос отменён
question-closed = На этот вопрос уже ответили, он закрыт или задан не вам. Начните заново: /help
refusal-too-long =
    Слишком длинно: { $length ->
        [one] { $length } знак
        [few] { $length } знака
       *[many] { $length } знаков
    }, а можно не больше { $max }. Сократите и пришлите ещё раз.
refusal-empty = Здесь нужны слова, хотя бы одно. Напишите ещё раз.
refusal-not-a-number = Нужно число. { $hint } Напишите ещё раз.
refusal-unclear-number = Число непонятно. Напишите его так: 1500 или 1,5.
refusal-not-whole = Нужно целое число. Напишите ещё раз.
refusal-out-of-range = Можно от { $min } до { $max }, а здесь { $value }. Напишите ещё раз.
refusal-below-least = Нужно не меньше { $min }. Напишите ещё раз.
refusal-too-many-tokens = Текст слишком длинный для этой модели: по нашей оценке около { $tokens } токенов, можно не больше { $max }. Сократите его и пришлите ещё раз.
refusal-not-an-option = Такого варианта нет. Выберите из предложенных.
refusal-bad-format = Не подходит. { $hint } Напишите ещё раз.
refusal-not-a-file = Здесь нужен файл: пришлите его в этот чат.
refusal-needs-image = Здесь нужна картинка. Пришлите фото, файл с изображением или прямую ссылку на него.
refusal-needs-video = Здесь нужно видео. Пришлите видео или прямую ссылку на него.
refusal-needs-audio = Здесь нужен звук. Пришлите голосовое сообщение, аудиофайл или прямую ссылку на него.
refusal-needs-link = Сам файл сейчас передать нельзя. Выложите его в открытый доступ и пришлите прямую ссылку.
refusal-needs-address = Номер файла здесь не подходит. Пришлите картинку или прямую ссылку на неё.
refusal-one-link = Пришлите по одной ссылке в сообщении.
refusal-link-not-public = Эту ссылку взять нельзя: она ведёт не в открытый интернет или содержит ключ. Выложите файл в открытый доступ и пришлите ссылку на него или пришлите сам файл до 20 МБ.
refusal-link-unreachable = Файл по этой ссылке не открылся. Проверьте, что она открывается в браузере без входа, и пришлите ещё раз или пришлите сам файл до 20 МБ.
refusal-link-not-media = По этой ссылке открывается страница или другой файл. Нужна прямая ссылка на картинку, видео или звук: такая, по которой сразу открывается сам файл.
refusal-file-too-large = Файл слишком большой: можно до { $max } МБ. Пришлите поменьше.
refusal-file-too-long =
    Слишком длинно: можно до { $max ->
        [one] { $max } секунды
       *[other] { $max } секунд
    }. Пришлите покороче.
refusal-picture-format = Модели не увидят эту картинку: формат не подходит, файл повреждён или слишком большой. Пришлите фото или файл JPEG, PNG, WebP, HEIC, AVIF, TIFF или GIF.
refusal-too-few-pixels = Слишком низкое разрешение: нужно не меньше { $min } пикселей, например 1920 × 1080. Пришлите видео крупнее. Если оригинал крупнее, отправьте его файлом: обычные видео Telegram уменьшает.
refusal-bad-frame = В подписи указывают место кадра: «первый», «последний» или его номер. Пришлите ещё раз.
refusal-too-many-files =
    Не больше { $max ->
        [one] { $max } файла
       *[other] { $max } файлов
    }. Чтобы заменить их, сначала очистите поле на карточке.
refusal-files-do-not-fit = Не сочетается с тем, что прислано раньше. { $hint } Пришлите другое.

## Custom styles

style-name = Название стиля? До { $max } знаков. Отменить: /cancel
style-pictures = Пришлите от одной до { $max } картинок в нужном стиле, как фото. Отменить: /cancel
style-under-way = 🎨 Создаю стиль…
style-made = 🎨 Стиль «{ $name }» готов и выбран для этой картинки. Для других: «Ещё» → «Мой стиль».
style-refused = Картинки не приняты. Попробуйте другие.
style-unavailable = Сейчас не получилось создать стиль. Ничего не списано; попробуйте позже.

## Order

ordered = Заказ принят
ordered-already = Уже в работе
quote-outdated = Цена или настройки изменились. Проверьте карточку и подтвердите ещё раз.
sales-paused = Заказы ненадолго приостановлены. Ничего не списано; попробуйте через несколько минут или выберите другую модель.
not-enough = Не хватает <b>{ $missing }</b>. Пополните баланс и нажмите «Создать» на той же карточке — она сохранилась.

## Status of a generation

status =
    { $title }
    { $state }
status-accepted = ⏳ Начинаю · { $amount }
waiting-voice = 🗣 Сначала запишу голос, потом сниму видео
status-queued = 🕐 В очереди
status-unknown = ⚠️ Сервис пока не подтвердил заказ. Подожду ещё немного; если не подтвердит, верну { $amount }.
status-sending = 📦 Готово за { $elapsed }, отправляю
status-sending-again = 📦 Готово, но прислать пока не получается. Пробую ещё раз, делать ничего не нужно.

status-image = 🎨 Рисую
status-video = 🎬 Снимаю
status-audio = 🎙 Записываю
status-object3d = 🧊 Леплю
status-other = ⚙️ Делаю
status-done =
    ✅ { $elapsed ->
        [none] Готово
       *[other] Готово за { $elapsed }
    } · списано { $charged }
status-done-partly =
    ✅ { $elapsed ->
        [none] Готово частично
       *[other] Готово частично за { $elapsed }
    } · списано { $charged }, возвращено { $back }
status-undelivered = ⚠️ Готово, списано { $charged }, но прислать сюда не удалось. Результат сохранён: он в /history
status-failed = ❌ Не получилось · { $amount } снова на балансе
status-late = 🎁 Результат пришёл после возврата денег · бесплатно

## Result

receipt-seed = 🎲 Сид: { $seeds }
result-caption-late =
    { $title }
    🎁 Результат пришёл уже после возврата денег, поэтому он бесплатный.
result-link = Файл не удалось передать в Telegram. Скачайте его по ссылке, она живёт недолго: { $url }
result-too-large = Файл больше, чем принимает Telegram. Скачайте его по ссылке, она живёт недолго: { $url }
result-lost =
    ⚠️ { $files ->
        [1] Файл получить не удалось.
        [one] Не удалось получить { $lost } из { $files } файла, пришло: { $sent }.
       *[other] Не удалось получить { $lost } из { $files } файлов, пришло: { $sent }.
    }
    { $title }
    { $reasons }
    <b>{ $amount }</b> возвращены на баланс.
result-lost-free =
    ⚠️ { $files ->
        [1] Файл получить не удалось.
        [one] Не удалось получить { $lost } из { $files } файла, пришло: { $sent }.
       *[other] Не удалось получить { $lost } из { $files } файлов, пришло: { $sent }.
    }
    { $title }
    { $reasons }
    { $late ->
        [yes] Деньги за заказ были возвращены раньше, ничего не списано.
       *[no] Списано только за то, что пришло.
    }
lost-line = — { $why }.
lost-line-numbered = — № { $numbers }: { $why }.
lost-gone = файла нет по выданной нам ссылке
lost-refused = сервер, на котором лежит файл, отказался его отдать
lost-not-a-file = по выданной нам ссылке не файл, а ошибка или пустота
lost-unavailable = сервер, на котором лежит файл, так и не отдал его
lost-forbidden = выданная нам ссылка ведёт на адрес, который мы не открываем
refund-lost = файл не удалось получить
button-again = 🔁 Ещё раз
button-change = ✏️ Изменить
button-again-exactly = 🎯 Ещё раз с тем же сидом
button-continue-video = ▶️ Продолжить это видео
button-originals = 📄 Оригиналы
originals-coming = Оригиналы сейчас придут
originals-gone = { $gone ->
    [one] { $gone } оригинал уже не хранится.
    [few] { $gone } оригинала уже не хранятся.
   *[many] { $gone } оригиналов уже не хранятся.
} То, что в чате, остаётся.
originals-away = { $away ->
    [one] { $away } оригинал сейчас получить не удалось.
    [few] { $away } оригинала сейчас получить не удалось.
   *[many] { $away } оригиналов сейчас получить не удалось.
} Попробуйте позже.
stale-result = Повторить этот заказ нельзя: он не ваш или модель больше недоступна.

## Failure

failure =
    ❌ Не получилось.
    { $title }
    { $reason }
    <b>{ $amount }</b> вернулись на баланс.
failure-said =
    Подробности:
    <blockquote expandable><code>{ $said }</code></blockquote>
failure-refused = Модель не приняла заказ. Измените описание или настройки и попробуйте снова.
failure-task-failed = Модель не справилась с этим заказом. Попробуйте ещё раз или измените описание.
failure-task-ended = Модель не справилась с этим заказом. Попробуйте ещё раз или измените описание. Если результат всё же появится в течение суток, вы получите его бесплатно.
failure-task-canceled = Заказ отменён на стороне модели. Попробуйте ещё раз.
failure-empty = Модель сообщила о готовности, но не отдала файл. Попробуйте ещё раз.
failure-lost = Сервис не подтвердил заказ вовремя. Попробуйте ещё раз.
failure-late = Модель не успела за отведённое время. Попробуйте позже. Если результат всё же появится в течение суток, вы получите его бесплатно.
failure-unavailable = Сервис сейчас недоступен. Попробуйте позже.
failure-paused = Заказы ненадолго приостановлены. Попробуйте через несколько минут или выберите другую модель.
failure-no-file = Присланный вами файл больше не доступен. Пришлите его заново.
failure-no-voice = Озвучить слова не получилось, поэтому видео не делалось.
failure-too-large = Заказ с картинками слишком велик для сервиса. Пришлите картинки поменьше, лучше как фото: Telegram их сожмёт.
