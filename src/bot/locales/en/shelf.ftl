# What the list of orders shows, and the marks of one order.

history-none = Nothing matches the filter “{ $what }”. Choose another one, or see all your orders.
history-all-hidden = You’ve hidden all your orders. They are under the filter “Hidden”.
button-all-orders = 🗂 All orders
history-no-favourites = No favourites yet. Open an order in /history and tap “🤍 Favourite”.
history-filters = 🔎 Which orders do you want to see?
button-filter = 🔎 Filter
button-filtered = 🔎 Filter: { $what }
history-filter-all = All
history-filter-favourite = ❤️ Favourites
history-filter-image = Pictures
history-filter-video = Video
history-filter-audio = Sound
history-filter-object3d = 3D
history-filter-done = Done
history-filter-failed = Failed
history-filter-hidden = Hidden
history-now-hide = Hidden from the list. The payment stays in /statement
history-now-show = Back on the list
button-mark-favourite = 🤍 Favourite
button-mark-ordinary = 💔 Unfavourite
button-mark-hide = 🗑 Hide
button-mark-show = ↩️ Show it again
