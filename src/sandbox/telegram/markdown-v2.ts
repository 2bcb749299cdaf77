// Telegram's MarkdownV2: nested formatting, and an error for every special character that is not escaped. The messages are those
// of tdlib, which count bytes of UTF-8.

import type { FormatElement, ParsedText } from './format-element.ts'
import { byteOffset, codeStart } from './markdown.ts'
import { refuse } from './refusal.ts'

type Kind =
  | 'Bold'
  | 'Italic'
  | 'Underline'
  | 'Strikethrough'
  | 'Spoiler'
  | 'Code'
  | 'Pre'
  | 'TextUrl'
  | 'CustomEmoji'
  | 'BlockQuote'

interface Mark {
  readonly kind: Kind
  readonly tag: string
  readonly open: string
  readonly close: string
}

/** When one mark begins with another one, the longer comes first. Quotes are not listed, since lines begin and end them. */
const marks: readonly Mark[] = [
  { kind: 'Underline', tag: 'u', open: '__', close: '__' },
  { kind: 'Italic', tag: 'i', open: '_', close: '_' },
  { kind: 'Bold', tag: 'b', open: '*', close: '*' },
  { kind: 'Strikethrough', tag: 's', open: '~', close: '~' },
  { kind: 'Spoiler', tag: 'tg-spoiler', open: '||', close: '||' },
  { kind: 'Pre', tag: 'pre', open: '```', close: '```' },
  { kind: 'Code', tag: 'code', open: '`', close: '`' },
  { kind: 'CustomEmoji', tag: 'tg-emoji', open: '![', close: ']' },
  { kind: 'TextUrl', tag: 'a', open: '[', close: ']' },
]
const quote: Mark = { kind: 'BlockQuote', tag: 'blockquote', open: '>', close: '' }
const reserved = '_*[]()~`>#+-=|{}.!'

interface Open extends Mark {
  readonly offset: number
  readonly startedAt: number
  readonly argument: string
}

interface Reader {
  readonly source: string
  at: number
  text: string
  /** Whether only marks were read since the line began, so that a `>` begins a quote. */
  lineStart: boolean
  readonly open: Open[]
  readonly elements: FormatElement[]
}

const fail = (text: string): never => refuse(`can't parse entities: ${text}`)
const cannotEnd = ({ source }: Reader, { kind, startedAt, argument }: Open): never => {
  const name = kind === 'Pre' && argument !== '' ? 'PreCode' : kind
  return fail(`Can't find end of ${name} entity at byte offset ${byteOffset(source, startedAt)}`)
}

/** A backslash escapes any ASCII character after it. */
function isEscape(source: string, at: number): boolean {
  const next = source.charCodeAt(at + 1)
  return source.charAt(at) === '\\' && next > 0 && next <= 126
}

function take(reader: Reader, text: string, length = text.length): void {
  reader.text += text
  reader.at += length
  reader.lineStart = text === '\n'
}

function begin(reader: Reader, mark: Mark): void {
  const { source, at: startedAt } = reader
  reader.at += mark.open.length
  let argument = ''
  if (mark.kind === 'Pre') {
    const code = codeStart(source, reader.at)
    argument = code.language
    reader.at = code.begin
  }
  reader.open.push({ ...mark, startedAt, argument, offset: reader.text.length })
}

/** The address in parentheses; undefined when no parenthesis follows. */
function readAddress(reader: Reader): string | undefined {
  const { source } = reader
  if (source.charAt(reader.at) !== '(') return undefined
  const start = reader.at + 1
  let address = ''
  for (reader.at = start; source.charAt(reader.at) !== ')'; reader.at += 1) {
    if (reader.at >= source.length)
      return fail(`Can't find end of a URL at byte offset ${byteOffset(source, start)}`)
    if (isEscape(source, reader.at)) reader.at += 1
    address += source.charAt(reader.at)
  }
  reader.at += 1
  return address
}

type Target = Pick<FormatElement, 'tag' | 'argument' | 'unix'>

function emojiTarget(address: string | undefined): Target {
  const query = new URLSearchParams(/^tg:\/\/(emoji|time)\?(.*)$/.exec(address ?? '')?.[2] ?? '')
  const id = query.get('id')
  if (id !== null) return { tag: 'tg-emoji', argument: id, unix: 0 }
  const unix = Number(query.get('unix') ?? 0)
  if (unix > 0) return { tag: 'tg-time', argument: query.get('format') ?? '', unix }
  return fail('Custom emoji entity must contain a tg://emoji URL')
}

function targetOf(reader: Reader, { kind, tag, argument, offset }: Open): Target {
  if (kind === 'CustomEmoji') return emojiTarget(readAddress(reader))
  if (kind !== 'TextUrl') return { tag, argument, unix: 0 }
  return { tag, argument: readAddress(reader) ?? reader.text.slice(offset), unix: 0 }
}

function end(reader: Reader, ended: Open): void {
  reader.open.pop()
  reader.at += ended.close.length
  const target = targetOf(reader, ended)
  const length = reader.text.length - ended.offset
  if (length > 0) reader.elements.push({ ...target, offset: ended.offset, length })
}

/** Ends a quote. A line without `>` ends it; `||` at its end makes it expandable. */
function endQuote(reader: Reader, mark: '' | '||'): void {
  const last = reader.open.at(-1)
  if (last?.kind !== 'BlockQuote') return
  end(reader, { ...last, close: mark, argument: mark && '1' })
}

const endsLine = (source: string, at: number) => at >= source.length || source.charAt(at) === '\n'

const inQuote = ({ open }: Reader): boolean => open.some((one) => one.kind === 'BlockQuote')

function readLineEnd(reader: Reader): void {
  const last = reader.open.at(-1)
  if (inQuote(reader) && reader.source.charAt(reader.at + 1) === '>') take(reader, '\n', 2)
  else if (inQuote(reader) && last && last.kind !== 'BlockQuote') cannotEnd(reader, last)
  else {
    endQuote(reader, '')
    take(reader, '\n')
  }
}

/** The mark that begins here. A reserved character that begins no mark is refused. */
function markAt({ source, at, lineStart }: Reader, isQuoted: boolean): Mark {
  if (source.charAt(at) === '>' && lineStart && !isQuoted) return quote
  const mark = marks.find(({ open }) => source.startsWith(open, at))
  return (
    mark ?? fail(`Character '${source.charAt(at)}' is reserved and must be escaped with the preceding '\\'`)
  )
}

function readMark(reader: Reader): void {
  const { source, at } = reader
  const last = reader.open.at(-1)
  const isEnd = last && last.close !== '' && source.startsWith(last.close, at) && !isUnderline(reader, last)
  const expands = last?.kind === 'BlockQuote' && source.startsWith('||', at) && endsLine(source, at + 2)
  if (isEnd) end(reader, last)
  else if (expands) endQuote(reader, '||')
  else begin(reader, markAt(reader, inQuote(reader)))
}

/** Two underscores in italic text begin underlined text; they do not end the italic. */
const isUnderline = ({ source, at }: Reader, { kind }: Open) =>
  kind === 'Italic' && source.startsWith('__', at)

export function parseMarkdownV2(source: string): ParsedText {
  const reader: Reader = { source, at: 0, text: '', lineStart: true, open: [], elements: [] }
  while (reader.at < source.length) {
    const char = source.charAt(reader.at)
    const inCode = /^(Code|Pre)$/.test(reader.open.at(-1)?.kind ?? '')
    if (isEscape(source, reader.at)) take(reader, source.charAt(reader.at + 1), 2)
    else if (char === '\n' && !inCode) readLineEnd(reader)
    else if (inCode ? char === '`' : reserved.includes(char)) readMark(reader)
    else take(reader, char)
  }
  endQuote(reader, '')
  const unclosed = reader.open.at(-1)
  return unclosed ? cannotEnd(reader, unclosed) : { text: reader.text, elements: reader.elements }
}
