// The theme: the system's, light, or dark. The choice is kept in localStorage; `theme-first.ts` applies it on load.

import { fill, type IconName, icon, iconButton } from './dom.ts'
import { t, type WordKey } from './i18n.ts'

const key = 'sandbox.theme'
const themes = ['auto', 'light', 'dark'] as const
type Theme = (typeof themes)[number]

const looks: Readonly<Record<Theme, { icon: IconName; label: WordKey }>> = {
  auto: { icon: 'auto', label: 'themeAuto' },
  light: { icon: 'sun', label: 'themeLight' },
  dark: { icon: 'moon', label: 'themeDark' },
}

const currentTheme = (): Theme => themes.find((one) => one === localStorage.getItem(key)) ?? 'auto'

function nextTheme(): void {
  const theme = themes[(themes.indexOf(currentTheme()) + 1) % themes.length] ?? 'auto'
  localStorage.setItem(key, theme)
  document.documentElement.dataset.theme = theme
}

/** A button that shows the theme; a click switches to the next one. */
export function themeButton(): HTMLButtonElement {
  const button = iconButton('auto', '', 'theme', () => {
    nextTheme()
    draw()
  })
  const draw = () => {
    const look = looks[currentTheme()]
    fill(button, icon(look.icon))
    button.title = t(look.label)
    button.setAttribute('aria-label', t(look.label))
  }
  draw()
  return button
}
