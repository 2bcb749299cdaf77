# Prices and limits, in English.

price-rounded = , rounded up to { $step }
price-text-length =
    for { $length ->
        [one] { $length } character
       *[other] { $length } characters
    }
price-minimum-second =
    minimum for { $quantity ->
        [one] { $quantity } second
       *[other] { $quantity } seconds
    }
price-minimum-image =
    minimum for { $quantity ->
        [one] { $quantity } picture
       *[other] { $quantity } pictures
    }
price-minimum-request =
    minimum for { $quantity ->
        [one] { $quantity } order
       *[other] { $quantity } orders
    }
price-minimum-character =
    minimum for { $quantity ->
        [one] { $quantity } character
       *[other] { $quantity } characters
    }
order-too-many =
    You can have { $most ->
        [one] { $most } order
       *[other] { $most } orders
    } in progress at a time. Wait until one is done and tap “Generate” again: the card is kept.
order-daily-cap = You can spend up to { $most } a day; today you’ve used { $spent }, and { $left } is left. Make the order cheaper, or come back to this card tomorrow.


prices =
    <b>Prices</b>

    { $lines }

    A card shows the exact price before you order.
prices-from = { $name } — from { $amount }
prices-characters = { $name } — { $amount } per 1,000 characters
prices-answer = { $name } — ≈ { $amount } an answer
prices-chat = Choose who answers questions: /chat
prices-unknown = { $name } — the price is on the card
able-image_to_video = from pictures
able-video_to_video = from videos
able-high_quality = up to 4K
prices-nothing = Nothing is on sale right now. Please come back later.

# How far an amount goes.

enough = Enough for { $things }.
enough-image = { $count ->
    [one] { $count } picture
   *[other] { $count } pictures
}
enough-video = { $count ->
    [one] { $count } video
   *[other] { $count } videos
}
