// Links and images: `[text](address)`, `[text][label]`, `[label]`. An address that cannot be a link is shown as text.

import { isBlank } from './characters.ts'
import { pairDelimiters } from './emphasis.ts'
import { type Bracket, type Inline, type PlacedDelimiter, take } from './inline-state.ts'
import { matchAt } from './source.ts'
import { linkOf, shownAddress } from './urls.ts'

/** Limit for addresses, titles and labels, which keeps the search for their end cheap. */
const longest = 2048
const angled = /<([^<>\n]{0,2048})>/y
const destination = /^(?:<([^<>\n]*)>|([^\s<]\S*)?)(?:\s+(?:"[^"]*"|'[^']*'|\([^()]*\)))?$/

export const nameOf = (label: string): string => label.trim().replace(/\s+/g, ' ').toLowerCase()

interface Target {
  readonly address: string
  /** Index after the whole link. */
  readonly end: number
  /** A shortcut reference, whose brackets are shown: `[1]`. */
  readonly isName?: boolean
}

function addressAt({ source, parens }: Inline, at: number): Target | undefined {
  const long = matchAt(angled, source, at + 1)
  const end = long && source[at + 1 + long[0].length] === ')' ? at + 1 + long[0].length : parens.get(at)
  if (end === undefined || end - at > longest) return undefined
  const found = destination.exec(source.slice(at + 1, end).trim())
  return found ? { address: found[1] ?? found[2] ?? '', end: end + 1 } : undefined
}

function namedAt({ source, options, at, find }: Inline, bracket: Bracket): Target | undefined {
  if (options.definitions.size === 0) return undefined
  const content = at - bracket.at > longest ? '' : source.slice(bracket.at, at)
  if (source[at + 1] === '[') {
    const close = find(']', at + 2)
    const label = close === -1 || close - at > longest ? '' : source.slice(at + 2, close)
    const address = options.definitions.get(nameOf(label || content))
    if (address !== undefined) return { address, end: close + 1 }
  }
  const address = options.definitions.get(nameOf(content))
  return address === undefined ? undefined : { address, end: at + 1, isName: true }
}

/** Shows the unused characters of delimiters as text. */
export function showLeft({ nodes }: Inline, delimiters: readonly PlacedDelimiter[]): void {
  for (const { delimiter, node } of delimiters) nodes[node] = delimiter.char.repeat(delimiter.length)
}

/** Pairs and removes the delimiters after the first `count`: they cannot pair with outer ones. */
export function styleSince(inline: Inline, count: number): PlacedDelimiter[] {
  const inside = inline.delimiters.splice(count)
  const nodes = new Map(inside.map(({ delimiter, node }) => [delimiter, node]))
  const pairs = pairDelimiters(
    inline.source,
    inside.map(({ delimiter }) => delimiter),
  )
  for (const { open, close, type } of pairs) {
    inline.marks.push({ type, start: (nodes.get(open) ?? 0) + 1, end: nodes.get(close) ?? 0 })
  }
  showLeft(inline, inside)
  return inside
}

function addLink(inline: Inline, { node, isImage }: Bracket, { address, isName }: Target): void {
  const { nodes, marks } = inline
  const content = nodes.slice(node + 1).join('')
  if (!isName) nodes[node] = isImage ? '🖼 ' : ''
  const url = linkOf(address)
  if (isName) nodes.push(']')
  if (url === undefined) {
    const shown = shownAddress(address)
    if (shown !== '' && content !== shown && !isName) take(inline, content === '' ? shown : ` (${shown})`, 0)
    return
  }
  if (isBlank(content)) take(inline, address, 0)
  marks.push({ type: 'text_link', start: isName ? node : node + 1, end: nodes.length, url })
}

export function closeBracket(inline: Inline): true {
  const bracket = inline.brackets.pop()
  const { source, at } = inline
  const target =
    bracket && !bracket.isDead
      ? ((source[at + 1] === '(' ? addressAt(inline, at + 1) : undefined) ?? namedAt(inline, bracket))
      : undefined
  if (!bracket || !target) return take(inline, ']', at + 1)
  styleSince(inline, bracket.delimiters)
  addLink(inline, bracket, target)
  if (!bracket.isImage) for (const outer of inline.brackets) outer.isDead = !outer.isImage
  inline.at = target.end
  return true
}
