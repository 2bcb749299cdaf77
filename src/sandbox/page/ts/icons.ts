// Icons, round buttons and avatars. The shapes of the icons are paths on a grid of 24 by 24, drawn as lines.

import { html } from 'htm/preact'
import type { VNode } from 'preact'

const shapes = {
  attach:
    'M20 11.5l-8.2 8.2a5 5 0 0 1-7.1-7.1l8.6-8.6a3.4 3.4 0 0 1 4.8 4.8l-8.5 8.5a1.7 1.7 0 0 1-2.4-2.4l7.6-7.6',
  ban: 'M12 3a9 9 0 1 0 0 18a9 9 0 0 0 0-18zM5.7 5.7l12.6 12.6',
  bolt: 'M13 3L5 14h6l-1 7 8-11h-6z',
  check: 'M5 12.5l4.5 4.5L19 7.5',
  chevron: 'M7 10l5 5 5-5',
  close: 'M6 6l12 12M18 6L6 18',
  copy: 'M9 9h10v11H9zM6 15H5V4h10v2',
  down: 'M12 5v14M6 13l6 6 6-6',
  download: 'M12 4v11M7 11l5 5 5-5M5 20h14',
  edit: 'M4 20h4L19.5 8.5l-4-4L4 16zM13 7l4 4',
  external: 'M14 4h6v6M20 4l-9 9M18 14v6H4V6h6',
  file: 'M6 3h8l5 5v13H6zM14 3v5h5',
  group:
    'M9 11a3.5 3.5 0 1 0 0-7a3.5 3.5 0 0 0 0 7zM2.5 20c0-4 2.8-6 6.5-6s6.5 2 6.5 6M16 4.6a3.2 3.2 0 0 1 0 6M17.5 14.3c2.5.6 4 2.5 4 5.7',
  image: 'M4 5h16v14H4zM4 16l5-5 4 4 3-3 4 4M15.5 9.5h.01',
  menu: 'M4 7h16M4 12h16M4 17h16',
  mic: 'M12 3a3 3 0 0 1 3 3v5a3 3 0 0 1-6 0V6a3 3 0 0 1 3-3zM6 11a6 6 0 0 0 12 0M12 17v4',
  more: 'M12 5.5h.01M12 12h.01M12 18.5h.01',
  music:
    'M9 18V6l11-2v12M9 18a2.5 2.5 0 1 1-5 0a2.5 2.5 0 0 1 5 0zM20 16a2.5 2.5 0 1 1-5 0a2.5 2.5 0 0 1 5 0z',
  plus: 'M12 5v14M5 12h14',
  quote: 'M6 17c2.5-1 3.5-3 3.5-6V7H4.5v5h3M15.5 17c2.5-1 3.5-3 3.5-6V7h-5v5h3',
  refresh: 'M20 11a8 8 0 1 0-2.3 6.5M20 5v6h-6',
  reply: 'M10 6L4 12l6 6M4 12h9a7 7 0 0 1 7 7',
  send: 'M4 4l17 8-17 8 3-8zM7 12h8',
  trash: 'M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13',
  video: 'M3 6h12v12H3zM15 10.5l6-3.5v10l-6-3.5z',
  wallet: 'M4 7h14a2 2 0 0 1 2 2v9a2 2 0 0 1-2 2H6a2 2 0 0 1-2-2zM4 7V6a2 2 0 0 1 2-2h10v3M16 13.5h.01',
}

export type IconName = keyof typeof shapes

export const icon = (name: IconName): VNode =>
  html`<svg viewBox="0 0 24 24" class="icon icon-${name}" aria-hidden="true"><path d=${shapes[name]} /></svg>`

/** @param others the other attributes of the button */
export const iconButton = (name: IconName, label: string, testid: string, others: object) =>
  html`<button type="button" class="icon-button" aria-label=${label} title=${label} data-testid=${testid} ...${others}>
    ${icon(name)}</button>`

/** The colour of a person or chat, as a style. It follows the id, so it is the same everywhere. */
export const hueOf = (id: number) => ({ '--hue': `${(Math.abs(id) * 47) % 360}` })

/** A round avatar with initials. */
export function avatar(name: string, id: number): VNode {
  const words = name.split(/[^\p{L}\p{N}]+/u).filter(Boolean)
  const initials = words.slice(0, 2).map((word) => [...word][0] ?? '')
  return html`<span class="avatar" aria-hidden="true" style=${hueOf(id)}>
    ${initials.join('').toUpperCase() || '?'}</span>`
}
