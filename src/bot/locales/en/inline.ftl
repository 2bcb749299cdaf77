# Inline mode: `@bot words` in any chat sends one's own results. These are buttons above the results, which open the private chat.

inline-nothing-yet = You have no results yet: make the first one
inline-nothing-found = Nothing with these words yet: make it
# Below the prompt of a result.
inline-about = { $model } · { $date }
