# Cards, in Russian.

card-more-settings = <b>Ещё настройки</b>
card-models = <b>Какая модель?</b>
button-model = 🎛 Модель
button-copy-text = 📋 Скопировать текст
button-keep-text = ✅ Оставить этот текст
label-whose = { $name }: { $label }
button-reset = ↺ Сбросить настройки
settings-reset = Все настройки вернулись к обычным
card-short = Не хватает { $missing }. Пополните баланс — и карточка вернётся, готовая к заказу.
card-presets = <b>Какие настройки взять?</b> Описание и файлы останутся.
card-not-offered-now = Эта модель сейчас не продаётся.
button-presets = ⭐ Шаблоны
button-as-last-time = ↻ Как в прошлый раз
button-save-preset = ➕ Сохранить эти настройки
settings-taken = Готово: настройки на карточке

## Presets

command-presets = Мои шаблоны настроек
preset-name = Как назвать эти настройки? Пришлите название до { $max } знаков.
preset-saved = ⭐ Сохранено как «{ $name }». Шаблон — под кнопкой «Шаблоны» на карточке этой модели и в /presets.
preset-too-many = Шаблонов уже { $most }. Удалите один в /presets и сохраните снова.
presets = <b>Ваши шаблоны</b>
presets-none =
    Шаблонов пока нет.

    Настройте любую карточку, нажмите «⭐ Шаблоны» и «Сохранить эти настройки».
preset-title = ⭐ <b>{ $name }</b> · { $model }
preset-defaults = Все настройки обычные.
button-use-preset = ▶️ Использовать
button-delete-preset = 🗑 Удалить

## A prompt that the model does not take

refusal-needs-english = Эта модель понимает только английский. Напишите по-английски.
unfit-needs-english = ⚠️ { $name } понимает только английский. Нажмите «Описание» и пришлите текст по-английски или выберите другую модель: ваш текст сохранён.
unfit-too-long =
    ⚠️ Слишком длинно: { $length ->
        [one] { $length } знак
        [few] { $length } знака
       *[many] { $length } знаков
    }, а можно до { $max }. Сократите текст или верните прежние настройки: ваш текст сохранён.
unfit-other = ⚠️ { $name } не принимает такой текст. Напишите другой или выберите другую модель: ваш текст сохранён.
model-replaced = ⚠️ Модель «{ $off }» сейчас недоступна, вместо неё «{ $name }». Обратите внимание на цену.
