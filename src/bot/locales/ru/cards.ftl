# Cards, in Russian.

card-more-settings = <b>Ещё настройки</b>
card-models = <b>Какая модель?</b>
button-reset = ↺ Сбросить настройки
settings-reset = Все настройки вернулись к обычным
card-short = Не хватает { $missing }. Пополните баланс — и карточка вернётся, готовая к заказу.
