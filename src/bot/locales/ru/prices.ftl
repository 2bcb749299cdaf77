# Prices and limits, in Russian.

price-rounded = , округлено вверх до { $step }
price-minimum = минимум за { $quantity } { $unit ->
    [second] с
    [image] картинок
    [request] заказов
   *[character] знаков
}
order-too-many =
    Одновременно можно держать в работе { $most ->
        [one] { $most } заказ
        [few] { $most } заказа
       *[many] { $most } заказов
    }. Дождитесь, пока один закончится, и нажмите «Создать» ещё раз: карточка сохранилась.
order-daily-cap = За 24 часа можно потратить до { $most }; потрачено и удержано { $spent }, осталось { $left }. Сделайте заказ дешевле или вернитесь к карточке позже.
