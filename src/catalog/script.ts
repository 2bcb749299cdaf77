// Parses a text to be spoken: a dialogue with lines like `Anna: words`, or a text for one voice. Independent of models.

interface Turn {
  readonly speaker: string
  readonly words: string
}

export type Script =
  /** A text without speakers, or with only one speaker, which is spoken as written. */
  | { readonly kind: 'text'; readonly text: string }
  | {
      readonly kind: 'dialogue'
      readonly speakers: readonly [string, string]
      readonly turns: readonly Turn[]
    }
  /** There are more speakers than voices. */
  | { readonly kind: 'too-many-speakers'; readonly speakers: readonly string[] }

export function parseScript(typed: string): Script {
  const turns = turnsOf(typed.split(/\r\n?|\n/).flatMap((line) => line.trim() || []))
  const names = namesIn(turns)
  const [first, second, ...more] = names.values()
  if (first === undefined || second === undefined) return { kind: 'text', text: typed }
  if (more.length > 0) return { kind: 'too-many-speakers', speakers: [first, second, ...more] }
  const named = turns.map(({ speaker, words }) => ({ speaker: names.get(keyOf(speaker)) ?? speaker, words }))
  return { kind: 'dialogue', speakers: [first, second], turns: named }
}

/** The turns of a dialogue. Empty when the first line has no speaker: a later `Word:` is then part of the text. */
function turnsOf(lines: readonly string[]): Turn[] {
  const turns: Turn[] = []
  for (const line of lines) {
    const turn = openingOf(line) ?? continued(turns.pop(), line)
    if (!turn) return []
    turns.push(turn)
  }
  return turns.filter(({ words }) => words !== '')
}

const continued = (turn: Turn | undefined, line: string): Turn | undefined =>
  turn && { ...turn, words: turn.words ? `${turn.words}\n${line}` : line }

/** Speakers in order of appearance, in their first spelling. */
function namesIn(turns: readonly Turn[]): Map<string, string> {
  const names = new Map<string, string>()
  for (const { speaker } of turns) {
    if (!names.has(keyOf(speaker))) names.set(keyOf(speaker), speaker)
  }
  return names
}

/** A name before the first colon: letters, digits, spaces, dots and hyphens. `//` after the colon means an address. */
const opening = /^([\p{L}\p{N}][\p{L}\p{M}\p{N}\p{Zs}.-]{0,80}?)\p{Zs}*[:：](?!\/\/)(.*)$/u
const maxName = 40

function openingOf(line: string): Turn | undefined {
  const [, speaker = '', words = ''] = opening.exec(line) ?? []
  const isTime = /\p{N}$/u.test(speaker) && /^\p{N}/u.test(words)
  if (speaker === '' || [...speaker].length > maxName || isTime) return undefined
  return { speaker, words: words.trim() }
}

const keyOf = (speaker: string) => speaker.normalize('NFC').toLowerCase()
