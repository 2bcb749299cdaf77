// Turns a text with Telegram's entities into nodes. Offsets are UTF-16 code units, as in JavaScript strings. Entities may
// nest. Overlapping ones, which Telegram splits itself, are cut where the outer one ends.

import type { TextActions } from './context.ts'
import { type Entity, entityNode, isBlock } from './entity-nodes.ts'

const outerFirst = (a: Entity, b: Entity) => a.offset - b.offset || b.length - a.length

export function renderText(
  text: string,
  entities: readonly Entity[] | undefined,
  actions: TextActions,
): DocumentFragment {
  const fragment = document.createDocumentFragment()
  fragment.append(...build(text, 0, text.length, (entities ?? []).toSorted(outerFirst), actions))
  return fragment
}

function build(
  text: string,
  from: number,
  to: number,
  entities: readonly Entity[],
  actions: TextActions,
): (Node | string)[] {
  const nodes: (Node | string)[] = []
  let at = from
  let rest = entities
  for (let entity = rest[0]; entity; entity = rest[0]) {
    rest = rest.slice(1)
    const start = Math.max(entity.offset, at)
    const end = Math.min(entity.offset + entity.length, to)
    if (end <= start) continue
    if (start > at) nodes.push(text.slice(at, start))
    const { inner, later } = divide(rest, end)
    nodes.push(entityNode(entity, text.slice(start, end), build(text, start, end, inner, actions), actions))
    rest = later
    // A block element ends its line itself; the line break after it would be an empty line.
    at = isBlock(entity) && text[end] === '\n' ? end + 1 : end
  }
  if (at < to) nodes.push(text.slice(at, to))
  return nodes
}

/** Splits the entities at `end`: those inside, and those after it. An entity that crosses `end` is cut in two. */
function divide(entities: readonly Entity[], end: number): { inner: Entity[]; later: Entity[] } {
  const inner = entities.filter((one) => one.offset < end)
  const later = entities.flatMap((one) => {
    const over = one.offset + one.length - end
    if (one.offset >= end) return [one]
    return over > 0 ? [{ ...one, offset: end, length: over }] : []
  })
  return { inner, later: later.sort(outerFirst) }
}
