// A file that a message only names: by a typed address, by one hidden under words, or by an id of the gateway.

import type { Message } from 'grammy/types'
import type { Attachment, MediaField } from '../../catalog/field.ts'
import { linkSchema } from '../../catalog/media.ts'
import { frameNamed, type Refusal } from '../../form/answer.ts'
import { entitiesIn, wordsIn } from '../../telegram/words.ts'
import { locales, type Texts } from '../../texts.ts'
import type { BotDeps } from '../context.ts'
import { frameWordsIn } from './attachment.ts'

/** A file that was sent or named, with the words beside it, or why none can be taken. */
export type Given =
  | { readonly sent: Attachment; readonly caption: string }
  | {
      readonly unread: Extract<
        Refusal['reason'],
        'one-link' | 'link-not-public' | 'link-unreachable' | 'link-not-media'
      >
    }

/** @returns undefined when the message names no file */
export async function givenIn(
  { remoteFiles, texts }: Pick<BotDeps, 'remoteFiles' | 'texts'>,
  field: MediaField,
  message: Message,
): Promise<Given | undefined> {
  const { named, words, under } = namesIn(message)
  const [file, ...more] = named
  if (file === undefined) return undefined
  if (more.length > 0) return { unread: 'one-link' }
  const caption = words || (field.caption === 'frame' && !isFrame(texts, under) ? '' : under)
  if (!isAddress(file)) {
    const [usual = 'image'] = field.media
    const medium = field.media.includes('audio') && isSound(texts, caption) ? 'audio' : usual
    return { sent: { file, given: 'id', medium, mime: '' }, caption }
  }
  const { ok, ...read } = await remoteFiles.read(file)
  if ('reason' in read) return { unread: `link-${read.reason}` }
  return { sent: { file, given: 'link', ...read }, caption }
}

/** Whether the words under a hidden link name a frame, like a caption; others are how people write. */
const isFrame = (texts: Texts, words: string): boolean =>
  typeof frameNamed(words, frameWordsIn(texts)) === 'string'

/** Whether the words beside an id say that it is a sound, in any language. */
const isSound = (texts: Texts, words: string): boolean =>
  locales.some((locale) => words.toLowerCase().includes(texts(locale).plain('caption-sound').toLowerCase()))

interface Span {
  readonly offset: number
  readonly length: number
  readonly name: string
}

const isAddress = (name: string): boolean => /^[a-z][a-z\d+.-]*:/i.test(name)
const typedNames =
  /https?:\/\/\S*[^\s.,;:!?)\]»"']|(?<![\w-])[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}(?![\w-])/gi

interface Names {
  readonly named: readonly string[]
  /** The words beside them. */
  readonly words: string
  /** The words under which an address is hidden. */
  readonly under: string
}

/** The addresses and ids in a message. */
export function namesIn(message: Message): Names {
  const text = wordsIn(message)
  const marks = entitiesIn(message)
  const shown = ({ offset, length }: Omit<Span, 'name'>) => text.slice(offset, offset + length)
  const marked = marks.flatMap((one): Span[] => {
    if (one.type === 'text_link') return [{ ...one, name: one.url }]
    return one.type === 'url'
      ? [{ ...one, name: isAddress(shown(one)) ? shown(one) : `https://${shown(one)}` }]
      : []
  })
  const typed = [...text.matchAll(typedNames)].map(({ index: offset, 0: name }) => ({
    offset,
    length: name.length,
    name,
  }))
  const isMarked = ({ offset, length }: Span) =>
    marked.some((one) => offset < one.offset + one.length && one.offset < offset + length)
  const spans = [...marked, ...typed.filter((one) => !isMarked(one))]
  return {
    named: [...new Set(spans.map(({ name }) => canonical(name)))].filter(isNamed),
    words: withoutSpans(text, spans).replace(/\s+/g, ' ').trim(),
    under: marks
      .filter(({ type }) => type === 'text_link')
      .map(shown)
      .join(' ')
      .trim(),
  }
}

function withoutSpans(text: string, spans: readonly Span[]): string {
  let rest = text
  for (const { offset, length } of spans.toSorted((a, b) => b.offset - a.offset))
    rest = `${rest.slice(0, offset)} ${rest.slice(offset + length)}`
  return rest
}

/** An address as it is sent: with the letters of a host and a path encoded. */
const canonical = (name: string): string =>
  isAddress(name) && URL.canParse(name) ? new URL(name).href : name.toLowerCase()

const isNamed = (name: string): boolean => isAddress(name) || linkSchema.safeParse(name).success
