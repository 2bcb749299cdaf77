// The scrolling area of a conversation. It follows the newest message while its end is visible; otherwise a button counts the new messages.

import { type Child, fill, h, icon } from './dom.ts'
import { plural, t } from './i18n.ts'

const nearBottomPx = 80

export interface Scroll {
  readonly element: HTMLElement
  /** Scrolls to the end if the end was visible before the last change. */
  settle(): void
  toBottom(): void
  /** Handles a new message. The user's own message is always scrolled into view. */
  arrived(isOwn: boolean): void
  /** Runs a function that adds height above, and keeps the visible part in its place. */
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
  // When the sizes have changed before a scroll event, the distance to the end does not show what the user did; the observer calls `settle`
  // for the new sizes.
  const scrolled = () => {
    if (sizes() === settled) look()
  }
  box.addEventListener('scroll', scrolled, { passive: true })
  button.addEventListener('click', toBottom)

  // The end moves when pictures load, a keyboard opens or the window is resized.
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
