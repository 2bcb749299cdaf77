// Keeps the newest message in view, but only for someone who is looking at it; others get a button.

import { fill, h, icon } from './dom.ts'
import { plural, t } from './i18n.ts'

const nearBottomPx = 80

export function createScroll(children) {
  const content = h('div.scroll-content', {}, children)
  const box = h('div.scroll', { testid: 'scroll', tabindex: '-1' }, content)
  const button = h('button.to-bottom', { testid: 'to-bottom', label: t('jumpDown'), hidden: true })
  const element = h('div.conversation', {}, box, button)
  let atBottom = true
  let missed = 0

  const drawButton = () => {
    button.hidden = atBottom
    fill(
      button,
      missed > 0 && h('span', { testid: 'new-messages' }, plural('newMessages', missed)),
      icon('down'),
    )
  }
  const toBottom = () => {
    box.scrollTop = box.scrollHeight
    atBottom = true
    missed = 0
    drawButton()
  }
  const settle = () => atBottom && toBottom()

  box.addEventListener(
    'scroll',
    () => {
      atBottom = box.scrollHeight - box.scrollTop - box.clientHeight < nearBottomPx
      if (atBottom) missed = 0
      drawButton()
    },
    { passive: true },
  )
  button.addEventListener('click', toBottom)

  // Pictures that load, keyboards that open and windows that turn all move the bottom.
  const watcher = new ResizeObserver(settle)
  watcher.observe(content)
  watcher.observe(box)

  return {
    element,
    settle,
    toBottom,
    /** @param {boolean} own one's own message is always shown */
    arrived(own) {
      if (own || atBottom) return toBottom()
      missed += 1
      return drawButton()
    },
    /** Does something that adds height above, and leaves the eye where it was. */
    keepingPlace(act) {
      const below = box.scrollHeight - box.scrollTop
      act()
      box.scrollTop = box.scrollHeight - below
    },
    destroy: () => watcher.disconnect(),
  }
}
