# Prices and limits, in Russian.

price-rounded = , округлено вверх до { $step }
price-text-length =
    за { $length ->
        [one] { $length } знак
        [few] { $length } знака
       *[many] { $length } знаков
    }
price-minimum-second = минимум за { $quantity } с
price-minimum-image =
    минимум за { $quantity ->
        [one] { $quantity } картинку
        [few] { $quantity } картинки
       *[many] { $quantity } картинок
    }
price-minimum-request =
    минимум за { $quantity ->
        [one] { $quantity } заказ
        [few] { $quantity } заказа
       *[many] { $quantity } заказов
    }
price-minimum-character =
    минимум за { $quantity ->
        [one] { $quantity } знак
        [few] { $quantity } знака
       *[many] { $quantity } знаков
    }
order-too-many =
    Одновременно можно держать в работе { $most ->
        [one] { $most } заказ
        [few] { $most } заказа
       *[many] { $most } заказов
    }. Дождитесь, пока один закончится, и нажмите «Создать» ещё раз: карточка сохранилась.
order-daily-cap = За день можно потратить до { $most }; сегодня ушло { $spent }, осталось { $left }. Сделайте заказ дешевле или вернитесь к карточке завтра.


prices =
    <b>Цены</b>

    { $lines }

    Точная цена видна на карточке до заказа.
prices-from = { $name } — от { $amount }
prices-characters = { $name } — { $amount } за 1000 знаков
prices-answer = { $name } — ≈ { $amount } за ответ
prices-chat = Кто отвечает на вопросы, выберите в /chat
prices-unknown = { $name } — цена на карточке
able-image_to_video = из картинок
able-video_to_video = из видео
able-high_quality = до 4K
prices-nothing = Сейчас ничего не продаётся. Загляните позже.

# How far an amount goes.

enough = Хватит на { $things }.
enough-image = { $count ->
    [one] { $count } картинку
    [few] { $count } картинки
   *[other] { $count } картинок
}
enough-video = { $count } видео
