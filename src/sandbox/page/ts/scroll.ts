// The scrolling area of a conversation. It follows the newest message while its end is in view; otherwise a button counts
// the new messages.

import { type Child, fill, h, icon } from './dom.ts'
import { plural, t } from './i18n.ts'

const nearBottomPx = 80

export interface Scroll {
  readonly element: HTMLElement
  /** Scrolls to the end if the end was in view before the last change. */
  settle(): void
  toBottom(): void
  /** A message has come. The user's own message is always brought into view. */
  arrived(isOwn: boolean): void
  /** Runs something that adds height above, and keeps in view what is in view. */
  keepPlace(act: () => void): void
  destroy(): void
}

export function createScroll(children: Child): Scroll {
  const content = h('div.scroll-content', {}, children)
  const box = h('div.scroll', { testid: 'scroll', tabindex: '-1' }, content)
  const button = h('button.to-bottom', { testid: 'to-bottom', label: t('jumpDown'), hidden: true })
  const element = h('div.conversation', {}, box, button)
  let isAtBottom = true
  let missed = 0

  const drawButton = () => {
    button.hidden = isAtBottom
    fill(
      button,
      missed > 0 && h('span', { testid: 'new-messages' }, plural('newMessages', missed)),
      icon('down'),
    )
  }
  const toBottom = () => {
    box.scrollTop = box.scrollHeight
    isAtBottom = true
    missed = 0
    drawButton()
  }
  const look = () => {
    isAtBottom = box.scrollHeight - box.scrollTop - box.clientHeight < nearBottomPx
    if (isAtBottom) missed = 0
    drawButton()
  }
  const sizes = () => `${box.clientHeight} ${box.scrollHeight}`
  let settled = ''
  const settle = () => {
    settled = sizes()
    if (isAtBottom) toBottom()
    else look()
  }
  // A scroll event may come when the sizes have changed since: then the distance to the end says nothing about the user,
  // and the observer settles it.
  const scrolled = () => {
    if (sizes() === settled) look()
  }
  box.addEventListener('scroll', scrolled, { passive: true })
  button.addEventListener('click', toBottom)

  // The end moves when pictures load, keyboards open and the window changes its size.
  const watcher = new ResizeObserver(settle)
  watcher.observe(content)
  watcher.observe(box)

  return {
    element,
    settle,
    toBottom,
    arrived(isOwn) {
      if (isOwn || isAtBottom) return toBottom()
      missed += 1
      return drawButton()
    },
    keepPlace(act) {
      const below = box.scrollHeight - box.scrollTop
      act()
      box.scrollTop = box.scrollHeight - below
    },
    destroy: () => watcher.disconnect(),
  }
}
