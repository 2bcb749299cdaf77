// Finds the order that a message is about. Orders by "Again" have the same prompt, but the buttons below a message contain the order's id.

import type { Said } from './said.ts'

const naming = /^(?:r|ro|e|rm|rb|rn|rp|rq|rr|rs|rt|rv|rx|o|gc|hg|hm|ho|hr|hs):([a-z0-9]{10})(?::|$)/

/** The ids of orders in the data of the buttons. */
export const namedBy = (buttons: Said['buttons']): readonly string[] =>
  buttons.flatMap(({ data }) => naming.exec(data)?.[1] ?? [])

export function isAboutAnother(buttons: Said['buttons'], id: string): boolean {
  const named = namedBy(buttons)
  return named.length > 0 && !named.includes(id)
}
