// Separates an answer from what else a model writes into its text: its thinking between tags, and markers of citations, which only pages of
// the vendor can show. Every reader of the text of an answer uses it. What stands in code is a part of the answer.

import { isJson } from './lines.ts'

interface Written {
  readonly text: string
  /** The thinking that came apart from the text. */
  readonly thinking: string
}

interface Separated {
  readonly answer: string
  readonly thinking: string
}

const name = String.raw`(?:\w{1,20}:)?(?:(?:ant)?think(?:ing)?|thought|reasoning)`
/** The tags of public reports; the last two kinds are the tokens of channels (`<|channel|>analysis<|message|>…`). */
const kinds = {
  opening: String.raw`<${name}(?:\s[^<>]{0,200})?(?<!/)>|\[THINK\]|<\|channel>\s*thought\b`,
  closing: String.raw`</${name}\s*>|\[/THINK\]|<channel\|>`,
  header: String.raw`<\|(?:start|channel)\|>`,
  body: String.raw`<\|message\|>`,
  end: String.raw`<\|(?:end|return|call)\|>(?=\s*(?:<|$))`,
}
type Kind = keyof typeof kinds
const isKind = (key: string): key is Kind => key in kinds

/** A block of code, also behind a tag and without an end. */
const fenced = String.raw`(?:^[ \t]*|(?<=[>\]]))(?<fence>\`{3,}|~{3,})(?!.*\k<fence>)[\s\S]*?(?:^[ \t]*\k<fence>[\`~]*[ \t]*$|(?![\s\S]))`
const span = String.raw`(?<ticks>\`+)(?!\`)(?:.*?[^\`])?\k<ticks>(?!\`)`
const code = `(?<code>${fenced}|${span})`
const tagPatterns = Object.entries(kinds).map(([kind, pattern]) => `(?<${kind}>${pattern})`)
const tags = new RegExp(tagPatterns.join('|'), 'gim')
const codeAndTags = new RegExp([code, ...tagPatterns].join('|'), 'gim')

interface Tag {
  readonly start: number
  readonly end: number
}

interface Reading {
  readonly content: string
  /** Where the text begins that is in no part yet. */
  at: number
  part: 'answer' | 'thinking' | 'header'
  /** Begins with visible text. */
  readonly answer: string[]
  readonly thoughts: string[]
  /** Opening tags that are a part of the answer, as their closing tags are. */
  mentioned: number
  /** Where the tag of the thinking begins that is open. */
  opened: number
}

/** @param isUnfinished the text is still streaming or was cut, so an incomplete tag at its end is hidden */
export function separated({ text, thinking }: Written, isUnfinished = false): Separated {
  const content = withoutCitations(text)
  const reading: Reading = {
    content,
    at: 0,
    part: 'answer',
    answer: [],
    thoughts: [thinking],
    mentioned: 0,
    opened: 0,
  }
  for (let from = 0; from !== -1; ) from = readTag(reading, from)
  putRest(reading, isUnfinished)
  const thoughts = reading.thoughts.map((thought) => thought.trim()).filter(Boolean)
  const answer = reading.answer.join('')
  return { answer: reading.at > 0 ? answer.trimStart() : answer, thinking: thoughts.join('\n\n') }
}

/** In thinking, where backticks often stay open, only a tag in backticks of its own is code. @returns where to read on, or -1 */
function readTag(reading: Reading, from: number): number {
  const { content, part } = reading
  const pattern = part === 'thinking' ? tags : codeAndTags
  pattern.lastIndex = from
  const found = pattern.exec(content)
  if (!found) return -1
  const [start, end] = [found.index, found.index + found[0].length]
  const isQuoted = content[start - 1] === '`' && content[end] === '`'
  const kind = Object.keys(found.groups ?? {}).find((key) => found.groups?.[key] !== undefined)
  if (kind !== undefined && isKind(kind) && !isQuoted) takers[kind](reading, { start, end })
  return end
}

function putRest(reading: Reading, isUnfinished: boolean): void {
  const { content, at, part, opened, answer } = reading
  // Thinking within an answer that has ended would have ended, too: the tag is a part of the answer.
  const isMention = !isUnfinished && (part === 'header' || (part === 'thinking' && answer.length > 0))
  if (isMention) answer.push(content.slice(opened))
  else put(reading, isUnfinished ? withoutHalf(content.slice(at), part) : content.slice(at))
}

const textBefore = ({ content, at }: Reading, { start }: Tag): string => content.slice(at, start)

const takers: Readonly<Record<Kind, (reading: Reading, tag: Tag) => void>> = {
  opening(reading, tag) {
    if (reading.part === 'thinking') return
    if (startsThought(reading, tag)) turn(reading, tag, 'thinking')
    else reading.mentioned += 1
  },
  closing(reading, tag) {
    if (reading.part === 'thinking') turn(reading, tag, 'answer')
    else if (reading.mentioned > 0) reading.mentioned -= 1
    else if (endsThought(reading, tag)) {
      // The text began within the thinking.
      reading.thoughts.push(reading.answer.splice(0).join('') + textBefore(reading, tag))
      reading.at = tag.end
    }
  },
  header(reading, tag) {
    if (reading.part !== 'answer' || startsThought(reading, tag)) turn(reading, tag, 'header')
  },
  body(reading, tag) {
    const channel = textBefore(reading, tag).trim()
    if (reading.part !== 'header' && !/^\w*$/.test(channel)) return
    reading.part = 'header'
    turn(reading, tag, /analysis|commentary|thought/i.test(channel) ? 'thinking' : 'answer')
  },
  end: (reading, tag) => turn(reading, tag, reading.part),
}

function turn(reading: Reading, tag: Tag, part: Reading['part']): void {
  put(reading, reading.content.slice(reading.at, tag.start))
  reading.at = tag.end
  reading.part = part
  reading.opened = tag.start
}

function put({ part, answer, thoughts }: Reading, text: string): void {
  if (part === 'answer' && (answer.length > 0 || text.trim() !== '')) answer.push(text)
  if (part === 'thinking') thoughts.push(text)
}

/** Thinking starts on a line of its own or behind another tag; the tag within a sentence of the answer is a mention. */
function startsThought({ content, at, answer }: Reading, { start }: Tag): boolean {
  const before = content.slice(at, start)
  const isBehindTag = at > 0 && before === ''
  const isFirst = answer.length === 0 && before.trim() === ''
  return isBehindTag || isFirst || /\n {0,3}$/.test(before.slice(-4))
}

/** A closing tag alone ends thinking that began before the text, unless it is mentioned in a sentence or in JSON. */
function endsThought({ content, at, answer }: Reading, { start, end }: Tag): boolean {
  const isMention = /[ \t"'«“‘(]/.test(content.charAt(start - 1)) && /^[ \t]*\S/.test(content.slice(end))
  return !isMention && !isJson(answer.join('') + content.slice(at))
}

const beginnings = ['think', 'thought', 'reasoning'].flatMap((one) => [`<${one}`, `</${one}`])
const others = ['[think]', '[/think]', '<|', '<channel|']

function withoutHalf(text: string, part: Reading['part']): string {
  const at = Math.max(text.lastIndexOf('<'), text.lastIndexOf('['))
  const tail = text.slice(Math.max(0, at)).toLowerCase()
  const tag = tail.replace(/^(<\/?)\w{1,20}:/, '$1')
  const isOpen = !/(?<!<\|channel)>|[\]\n]/.test(tag)
  const isHalf = [...beginnings, ...others].some(
    (one) => one.startsWith(tag) || (isOpen && tag.startsWith(one)),
  )
  if (at === -1) return text
  if (part === 'thinking') return isHalf || /^<\/?[\w:]*$/.test(tail) ? text.slice(0, at) : text
  return isHalf && (tail.length > 1 || text.trim() === tail) ? text.slice(0, at) : text
}

/** A name and references, divided and closed by private characters; a marker that was cut has no end. Other private characters show nothing. */
const markers = [
  String.raw`\ue200[^\ue200\ue201\n]{0,300}?(?:cite|turn\d)[^\ue200\ue201\n]{0,300}\ue201`,
  String.raw`\ue200\w*cite(?:\ue202[^\s\ue200-\ue202]*)*`,
  String.raw`\ue200\w*(?:\ue202[^\s\ue200-\ue202]*)*(?![\s\S])`,
  String.raw`[\ue000-\uf8ff]`,
  String.raw`【\d+(?::\d+)?†[^】\n]{0,100}】`,
]
const citation = new RegExp([code, ...markers].join('|'), 'gm')

const withoutCitations = (text: string): string =>
  /[\ue000-\uf8ff†]/.test(text) ? text.replace(citation, '$<code>') : text
