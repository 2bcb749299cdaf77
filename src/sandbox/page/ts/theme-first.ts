// Sets the chosen theme before the first paint, so that a dark page never flashes white.

document.documentElement.dataset.theme = localStorage.getItem('sandbox.theme') ?? 'auto'
