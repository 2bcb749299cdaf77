// A small menu beside a button: arrows move, Escape closes, the focus comes back to where it was.

import { h, icon } from './dom.ts'

const margin = 8

/**
 * @typedef {{ label: string, testid: string, icon?: string, before?: Node, note?: string, checked?: boolean,
 *   danger?: boolean, onclick: () => void }} MenuItem
 * @param {Element | { x: number, y: number }} at
 * @param {MenuItem[]} items
 * @param {{ testid: string, label: string }} names
 */
export function openMenu(at, items, { testid, label }) {
  const before = document.activeElement
  const element = h('div.menu', { role: 'menu', testid, label, popover: 'auto' })
  const close = () => element.matches(':popover-open') && element.hidePopover()
  element.append(...items.map((item) => menuRow(item, close)))
  element.addEventListener('keydown', (event) => moveFocus(event, element))
  element.addEventListener('toggle', (event) => {
    if (event.newState !== 'closed') return
    const hadFocus = element.contains(document.activeElement) || document.activeElement === document.body
    element.remove()
    if (hadFocus && before instanceof HTMLElement) before.focus({ preventScroll: true })
  })
  document.body.append(element)
  element.showPopover()
  place(element, at instanceof Element ? at.getBoundingClientRect() : pointBox(at))
  element.querySelector('button')?.focus()
}

const pointBox = ({ x, y }) => ({ left: x, right: x, top: y, bottom: y })

function menuRow(item, close) {
  const role = item.checked === undefined ? 'menuitem' : 'menuitemradio'
  const onclick = () => {
    close()
    item.onclick()
  }
  return h(
    `button.menu-item${item.danger ? '.danger' : ''}`,
    {
      role,
      testid: item.testid,
      'aria-checked': item.checked === undefined ? null : `${item.checked}`,
      onclick,
    },
    item.before ?? (item.icon && icon(item.icon)),
    h('span.menu-label', {}, item.label, item.note && h('small', {}, item.note)),
    item.checked && icon('check'),
  )
}

function moveFocus(event, element) {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  if (!step) return
  event.preventDefault()
  const rows = [...element.querySelectorAll('button')]
  const at = rows.indexOf(document.activeElement)
  rows.at((at + step) % rows.length)?.focus()
}

/** Below the box if there is room, else above; never outside the window. */
function place(element, box) {
  const { offsetWidth: width, offsetHeight: height } = element
  const below = box.bottom + margin
  const fits = below + height + margin <= window.innerHeight
  const top = fits ? below : Math.max(margin, box.top - height - margin)
  const left = Math.min(Math.max(margin, box.left), window.innerWidth - width - margin)
  element.style.setProperty('top', `${top}px`)
  element.style.setProperty('left', `${Math.max(margin, left)}px`)
}
