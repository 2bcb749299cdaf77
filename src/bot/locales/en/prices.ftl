# Prices and limits, in English.

price-rounded = , rounded up to { $step }
price-minimum = minimum for { $quantity } { $unit ->
    [second] seconds
    [image] pictures
    [request] orders
   *[character] characters
}
order-too-many =
    You can have { $most ->
        [one] { $most } order
       *[other] { $most } orders
    } in progress at a time. Wait until one is done and tap “Generate” again: the card is kept.
order-daily-cap = You can spend up to { $most } in 24 hours; spent and held: { $spent }, left: { $left }. Make the order cheaper, or come back to this card later.
