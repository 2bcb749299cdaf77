// What the words and the buttons of the bot's messages say.

import type { Said } from '../users/chats.ts'

/** The first amount of a text in kopecks, as the English texts of the bot show it: `₽1,092.45` is 109245 kopecks, and `₽500` is 50000. */
export function amountIn(text: string): number | undefined {
  const [, roubles, kopecks = '00'] = /₽(\d[\d,]*)(?:\.(\d\d))?(?!\.?\d)/.exec(text) ?? []
  return roubles === undefined ? undefined : Number(roubles.replaceAll(',', '') + kopecks)
}

const naming = /^(?:r|ro|e|rm|rb|rn|rp|rq|rr|rs|rt|rv|rx|o|gc|hg|hm|ho|hr|hs):([a-z0-9]{10})(?::|$)/

/** Whether the buttons name another order. Orders by "Again" have the same prompt, but the buttons below a message contain the order's id. */
export function isAboutAnother(buttons: Said['buttons'], id: string): boolean {
  const named = buttons.flatMap(({ data }) => naming.exec(data)?.[1] ?? [])
  return named.length > 0 && !named.includes(id)
}
