// A small menu beside a button or a point: the arrow keys move, Escape closes, and the focus returns to where it was.

import { focusedAt, h, type IconName, icon } from './dom.ts'

const marginPx = 8

export interface MenuItem {
  readonly label: string
  readonly testid: string
  readonly icon?: IconName
  /** An element in place of the icon. */
  readonly before?: Node
  readonly note?: string
  readonly checked?: boolean
  readonly danger?: boolean
  onclick(): unknown
}

export type MenuPlace = Element | { readonly x: number; readonly y: number }

export function openMenu(
  at: MenuPlace,
  items: readonly MenuItem[],
  { testid, label }: { readonly testid: string; readonly label: string },
): void {
  const before = document.activeElement
  const element = h('div.menu', { role: 'menu', testid, label, popover: 'auto' })
  const close = () => {
    if (element.matches(':popover-open')) element.hidePopover()
  }
  element.append(...items.map((item) => menuRow(item, close)))
  element.addEventListener('keydown', (event) => moveFocus(event, element))
  element.addEventListener('toggle', (event) => {
    if (event.newState !== 'closed') return
    const hadFocus = element.contains(document.activeElement) || document.activeElement === document.body
    element.remove()
    if (hadFocus && before instanceof HTMLElement) before.focus({ preventScroll: true })
  })
  // The menu is placed inside a landmark, like everything that a screen reader reads out.
  const landmark = document.querySelector('main') ?? document.body
  landmark.append(element)
  element.showPopover()
  place(element, at instanceof Element ? at.getBoundingClientRect() : { left: at.x, top: at.y, bottom: at.y })
  element.querySelector('button')?.focus()
}

function menuRow(item: MenuItem, close: () => void): HTMLElement {
  const onclick = () => {
    close()
    item.onclick()
  }
  return h(
    item.danger ? 'button.menu-item.danger' : 'button.menu-item',
    {
      role: item.checked === undefined ? 'menuitem' : 'menuitemradio',
      testid: item.testid,
      'aria-checked': item.checked === undefined ? null : `${item.checked}`,
      onclick,
    },
    item.before ?? (item.icon && icon(item.icon)),
    h('span.menu-label', {}, item.label, item.note && h('small', {}, item.note)),
    item.checked && icon('check'),
  )
}

const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 }

function moveFocus(event: KeyboardEvent, element: HTMLElement): void {
  const step = steps[event.key]
  if (!step) return
  event.preventDefault()
  const rows = [...element.querySelectorAll('button')]
  const at = focusedAt(rows)
  rows.at((at + step) % rows.length)?.focus()
}

/** Places the menu below the box if there is room, otherwise above; never outside the window. */
function place(element: HTMLElement, box: Pick<DOMRect, 'left' | 'top' | 'bottom'>): void {
  const { offsetWidth: width, offsetHeight: height } = element
  const below = box.bottom + marginPx
  const fits = below + height + marginPx <= window.innerHeight
  const top = fits ? below : Math.max(marginPx, box.top - height - marginPx)
  const left = Math.min(Math.max(marginPx, box.left), window.innerWidth - width - marginPx)
  element.style.setProperty('top', `${top}px`)
  element.style.setProperty('left', `${Math.max(marginPx, left)}px`)
}
