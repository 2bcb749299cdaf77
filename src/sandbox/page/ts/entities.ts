// Turns text with Telegram's entities into nodes. Offsets are UTF-16 code units, as JavaScript's own strings are.
// Entities may nest; ones that overlap (which Telegram splits) are cut where the outer one ends.

import { entityNode, isBlock } from './entity-nodes.ts'

/**
 * @typedef {{ type: string, offset: number, length: number, [key: string]: object }} Entity
 * @typedef {{ command(text: string): void, link(url: string): void }} TextActions
 */

const outerFirst = (a, b) => a.offset - b.offset || b.length - a.length

/**
 * @param {string} text
 * @param {Entity[] | undefined} entities
 * @param {TextActions} actions
 */
export function renderText(text, entities, actions) {
  const fragment = document.createDocumentFragment()
  fragment.append(...build(text, 0, text.length, [...(entities ?? [])].sort(outerFirst), actions))
  return fragment
}

function build(text, from, to, entities, actions) {
  const nodes = []
  let at = from
  let rest = entities
  while (rest.length > 0) {
    const [entity, ...others] = rest
    rest = others
    const start = Math.max(entity.offset, at)
    const end = Math.min(entity.offset + entity.length, to)
    if (end <= start) continue
    if (start > at) nodes.push(text.slice(at, start))
    const { inner, later } = divide(others, end)
    nodes.push(entityNode(entity, text.slice(start, end), build(text, start, end, inner, actions), actions))
    rest = later
    // A block ends its line by itself: the line break after it would show as an empty line.
    at = isBlock(entity) && text[end] === '\n' ? end + 1 : end
  }
  if (at < to) nodes.push(text.slice(at, to))
  return nodes
}

/** What lies inside the entity that ends at `end`, and what goes on after it. */
function divide(entities, end) {
  const inner = entities.filter((one) => one.offset < end)
  const later = entities.flatMap((one) => {
    const over = one.offset + one.length - end
    if (one.offset >= end) return [one]
    return over > 0 ? [{ ...one, offset: end, length: over }] : []
  })
  return { inner, later: later.sort(outerFirst) }
}
