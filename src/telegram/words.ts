// The words of a message, wherever Telegram puts them: a text, a caption, or a rich message. Each update is brought into one form when it is
// stored: a rich message gets its text, or its first file with a caption, and a command in a caption is marked like one in a text. So
// handlers need to know texts and captions only.

import type {
  Animation,
  Audio,
  Document,
  Message,
  MessageEntity,
  PhotoSize,
  Update,
  Video,
  Voice,
} from 'grammy/types'
import { z } from 'zod'

export const wordsIn = ({ text, caption }: Pick<Message, 'text' | 'caption'>): string => text ?? caption ?? ''

export const entitiesIn = ({
  entities,
  caption_entities,
}: Pick<Message, 'entities' | 'caption_entities'>): readonly MessageEntity[] =>
  entities ?? caption_entities ?? []

/** @returns the update in the form that handlers read; one that has this form already is not changed */
export function withWords(update: Update): Update {
  const { message, edited_message: edited } = update
  if (message) return { ...update, message: withCommand(read(message)) }
  return edited ? { ...update, edited_message: read(edited) } : update
}

function read<M extends Message>(message: M): M {
  const { reply_to_message: replied, external_reply: external } = message
  return {
    ...message,
    ...plainContentOf(message),
    ...(replied ? { reply_to_message: { ...replied, ...plainContentOf(replied) } } : {}),
    ...(external ? { external_reply: { ...external, ...paidFile(external) } } : {}),
  }
}

/** The content of a rich message or of bought media, in the fields of ordinary messages. */
function plainContentOf(message: Message): Partial<Message> {
  const { rich_message: rich, text, caption } = message
  if (!rich || text !== undefined || caption !== undefined) return paidFile(message)
  const { text: words, entities, files } = readRich(rich)
  const [file] = files
  if (words === '') return file ?? {}
  const all = [...entities, ...unmarkedIn(words, entities)]
  return file ? { ...file, caption: words, caption_entities: all } : { text: words, entities: all }
}

const commandOrName = /^\/\w{1,32}(?:@\w+)?(?!\S)|(?<![\p{L}\p{N}_@/.])@\w{4,32}(?![\p{L}\p{N}_])/gu
const formats = new Set<string>(['bold', 'italic', 'underline', 'strikethrough', 'blockquote', 'spoiler'])

/** The command at the beginning and the names that are a plain part of a rich message, whose client may not have marked them. */
function unmarkedIn(words: string, entities: readonly MessageEntity[]): MessageEntity[] {
  const marked = entities.filter(({ type }) => !formats.has(type))
  return [...words.matchAll(commandOrName)].flatMap(({ 0: { length }, index: offset }): MessageEntity[] => {
    const isMarked = marked.some((one) => one.offset < offset + length && offset < one.offset + one.length)
    return isMarked ? [] : [{ type: words[offset] === '/' ? 'bot_command' : 'mention', offset, length }]
  })
}

/** The first of the paid media that is a picture or a video; a preview is neither. */
function paidFile({ paid_media: paid }: Pick<Message, 'paid_media'>): Pick<Message, 'photo' | 'video'> {
  for (const one of paid?.paid_media ?? []) {
    if (one.type === 'photo') return { photo: one.photo }
    if (one.type === 'video') return { video: one.video }
  }
  return {}
}

const withCapitals = /^\/\w*[A-Z]\w*/

/** Keyboards of phones begin a message with a capital, and grammY knows `/image` only. */
const lowered = (words: string): string => words.replace(withCapitals, (command) => command.toLowerCase())

/** Writes the command at the beginning in lower case. grammY looks for commands in `entities`, also when the words are a caption. */
function withCommand<M extends Message>(message: M): M {
  const { text, caption, caption_entities: marks = [] } = message
  const isCommand = marks.some(({ type, offset }) => type === 'bot_command' && offset === 0)
  return {
    ...message,
    ...(text === undefined ? {} : { text: lowered(text) }),
    ...(caption === undefined ? {} : { caption: lowered(caption) }),
    ...(text === undefined && isCommand ? { entities: marks } : {}),
  }
}

// Reads a rich message (Bot API 10.1) as a plain text with entities, and finds the files in it. Every part is parsed by itself: an unknown or
// broken part loses only itself, and its nested texts are read all the same.

type RichFile = Partial<Pick<Message, 'photo' | 'video' | 'animation' | 'audio' | 'voice' | 'document'>>

interface Read {
  readonly text: string
  readonly entities: readonly MessageEntity[]
  readonly files: readonly RichFile[]
}

const nothing: Read = { text: '', entities: [], files: [] }
const plain = (text: string): Read => ({ ...nothing, text })

/** Telegram allows 16 levels of nesting. */
const deepest = 100

const maybe = <T extends z.ZodType>(schema: T) => schema.optional().catch(undefined)
const anything = z.unknown().optional()
const parts = maybe(z.array(z.unknown()))
const hasId = z.looseObject({ file_id: z.string() })
const file = <T>() => maybe(z.custom<T>((value) => hasId.safeParse(value).success))

/** The fields of all kinds of blocks and of formatted texts. */
const node = z.object({
  type: maybe(z.string()),
  text: anything,
  button: anything,
  summary: anything,
  caption: anything,
  credit: anything,
  expression: maybe(z.string()),
  alternative_text: maybe(z.string()),
  location: maybe(z.object({ latitude: z.number(), longitude: z.number() })),
  blocks: parts,
  items: parts,
  cells: maybe(z.array(z.array(z.unknown()))),
  buttons: parts,
  label: maybe(z.string()),
  has_checkbox: maybe(z.boolean()),
  is_checked: maybe(z.boolean()),
  language: maybe(z.string()),
  url: maybe(z.string()),
  photo: maybe(z.array(z.custom<PhotoSize>((value) => hasId.safeParse(value).success)).min(1)),
  video: file<Video>(),
  animation: file<Animation>(),
  audio: file<Audio>(),
  document: file<Document>(),
  voice_note: file<Voice>(),
})
type Node = z.output<typeof node>

/** @param rich the field `rich_message` of a message */
export function readRich(rich: unknown): Read {
  const { blocks = [] } = node.safeParse(rich).data ?? {}
  return joined(
    blocks.map((block) => readBlock(block, 0)),
    '\n\n',
  )
}

/** A formatted text: a string, a list of formatted texts, or a node that contains one. */
function readText(value: unknown, depth: number): Read {
  if (typeof value === 'string') return plain(value)
  if (!Array.isArray(value)) return readBlock(value, depth)
  if (depth > deepest) return nothing
  return joined(
    value.map((one) => readText(one, depth + 1)),
    '',
  )
}

function readBlock(value: unknown, depth: number): Read {
  const { data } = node.safeParse(value)
  return data && depth <= deepest ? marked(data, inside(data, depth + 1)) : nothing
}

/** Everything in a node, a line for each part. */
function inside(one: Node, depth: number): Read {
  const { blocks = [], items = [], cells = [], buttons = [] } = one
  const block = (part: unknown) => readBlock(part, depth)
  const lines = joined(
    [
      readText(one.summary, depth),
      plain(ownText(one)),
      readText(one.text ?? one.button, depth),
      ...[...blocks, ...buttons].map(block),
      ...items.map((item) => readItem(item, depth)),
      ...cells.map((row) => joined(row.map(block), ' | ')),
      readText(one.caption, depth),
      readText(one.credit, depth),
    ],
    '\n',
  )
  return { ...lines, files: [...filesOf(one), ...lines.files] }
}

function ownText({ type, expression, alternative_text: emoji, location }: Node): string {
  if (expression !== undefined) return `$${expression}$`
  if (location) return `${location.latitude}, ${location.longitude}`
  return emoji ?? (type === 'divider' ? '---' : '')
}

function filesOf({ photo, video, animation, audio, document, voice_note: voice }: Node): RichFile[] {
  if (photo) return [{ photo }]
  if (video) return [{ video }]
  if (animation) return [{ animation }]
  if (audio) return [{ audio }]
  if (document) return [{ document }]
  return voice ? [{ voice }] : []
}

function readItem(value: unknown, depth: number): Read {
  const { label = '', has_checkbox: hasBox, is_checked: isChecked } = node.safeParse(value).data ?? {}
  const box = hasBox ? [isChecked ? '[x]' : '[ ]'] : []
  return indented(readBlock(value, depth), `${[label || '-', ...box].join(' ')} `)
}

const simpleMarks = {
  bold: 'bold',
  italic: 'italic',
  underline: 'underline',
  strikethrough: 'strikethrough',
  spoiler: 'spoiler',
  code: 'code',
  mention: 'mention',
  hashtag: 'hashtag',
  cashtag: 'cashtag',
  bot_command: 'bot_command',
  email_address: 'email',
  phone_number: 'phone_number',
  blockquote: 'blockquote',
  expandable_blockquote: 'blockquote',
  pullquote: 'blockquote',
} as const

const isSimple = (type: string): type is keyof typeof simpleMarks => Object.hasOwn(simpleMarks, type)

/** Adds the entity that a node is in a plain message. */
function marked({ type = '', url, language }: Node, read: Read): Read {
  const whole = { offset: 0, length: read.text.length }
  const under = (mark: MessageEntity): Read => ({ ...read, entities: [mark, ...read.entities] })
  if (whole.length === 0) return read
  if (type === 'url' && url !== undefined)
    return under(url === read.text ? { type: 'url', ...whole } : { type: 'text_link', url, ...whole })
  if (type === 'pre') return under({ type: 'pre', ...whole, ...(language ? { language } : {}) })
  return isSimple(type) ? under({ type: simpleMarks[type], ...whole }) : read
}

/** @param separator stands between the parts that have a text */
function joined(reads: readonly Read[], separator: string): Read {
  let text = ''
  const entities: MessageEntity[] = []
  for (const part of reads.filter((one) => one.text !== '')) {
    if (text !== '') text += separator
    const start = text.length
    entities.push(...part.entities.map((one) => ({ ...one, offset: one.offset + start })))
    text += part.text
  }
  return { text, entities, files: reads.flatMap(({ files }) => files) }
}

/** Puts the label of a list's item before the first line, and spaces of the same length before the others. */
function indented({ text, entities, files }: Read, label: string): Read {
  const moved = (at: number) => at + label.length * text.slice(0, at).split('\n').length
  return {
    text: label + text.replaceAll('\n', `\n${' '.repeat(label.length)}`),
    entities: entities.map((one) => {
      const offset = moved(one.offset)
      return { ...one, offset, length: moved(one.offset + one.length) - offset }
    }),
    files,
  }
}
