// The theme: as the system says, light, or dark. The choice is kept in localStorage.

const key = 'sandbox.theme'
const themes = ['auto', 'light', 'dark']

/** @returns {'auto' | 'light' | 'dark'} */
export function currentTheme() {
  const saved = localStorage.getItem(key)
  return themes.includes(saved) ? saved : 'auto'
}

/** @returns {'auto' | 'light' | 'dark'} the theme that is now on */
export function nextTheme() {
  const theme = themes[(themes.indexOf(currentTheme()) + 1) % themes.length]
  localStorage.setItem(key, theme)
  document.documentElement.dataset.theme = theme
  return theme
}
