// Message effects: the emoji that fly up when a message with an effect arrives.

import { h } from './dom.ts'

/** Telegram's effect ids. */
const effects: Readonly<Record<string, string>> = {
  '5104841245755180586': '🔥',
  '5107584321108051014': '👍',
  '5104858069142078462': '👎',
  '5159385139981059251': '❤️',
  '5046509860389126442': '🎉',
  '5046589136895476101': '💩',
}

const pieces = 14
const lastsMs = 2200

export function playEffect(effectId: string, anchor: HTMLElement): void {
  const emoji = effects[effectId]
  if (!emoji || matchMedia('(prefers-reduced-motion: reduce)').matches) return
  const burst = h('div.effect', { 'aria-hidden': 'true', testid: 'effect' })
  for (let index = 0; index < pieces; index += 1) {
    const angle = (index / pieces) * Math.PI * 2
    const reach = 60 + (index % 4) * 28
    const style = {
      '--x': `${Math.cos(angle) * reach}px`,
      '--y': `${Math.sin(angle) * reach - 70}px`,
      '--delay': `${(index % 5) * 60}ms`,
    }
    burst.append(h('span', { style }, emoji))
  }
  anchor.append(burst)
  setTimeout(() => burst.remove(), lastsMs)
}
