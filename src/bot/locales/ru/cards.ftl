# Cards, in Russian.

card-more-settings = <b>Ещё настройки</b>
card-models = <b>Какая модель?</b>
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
preset-name = Как назвать эти настройки? Пришлите название до { $max } символов.
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
