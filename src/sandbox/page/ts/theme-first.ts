// Applies the chosen theme before the first paint, so that a dark page does not flash white. It is a classic script, since modules run too
// late.

document.documentElement.dataset.theme = localStorage.getItem('sandbox.theme') ?? 'auto'
