# Что показывает список заказов и пометки одного заказа.

history-none = По фильтру «{ $what }» ничего нет. Выберите другой или откройте все заказы.
history-all-hidden = Вы убрали из списка все заказы. Они есть по фильтру «Убранные».
button-all-orders = 🗂 Все заказы
history-no-favourites = Избранного пока нет. Откройте заказ в /history и нажмите «🤍 В избранное».
history-filters = 🔎 Какие заказы показать?
button-filter = 🔎 Фильтр
button-filtered = 🔎 Фильтр: { $what }
history-filter-all = Все
history-filter-favourite = ❤️ Избранное
history-filter-image = Картинки
history-filter-video = Видео
history-filter-audio = Звук
history-filter-object3d = 3D
history-filter-done = Готовые
history-filter-failed = Неудачные
history-filter-hidden = Убранные
history-now-hide = Убрано из списка. Оплата остаётся в /statement
history-now-show = Снова в списке
button-mark-favourite = 🤍 В избранное
button-mark-ordinary = 💔 Из избранного
button-mark-hide = 🗑 Убрать
button-mark-show = ↩️ Вернуть в список
