// The words of a message, wherever Telegram puts them: a text, a caption, or a rich message. Each update is brought into one form when it is
// stored: a rich message gets its text, or its first file with a caption, and a command in a caption is marked like one in a text. So
// handlers need to know texts and captions only.

import type { Message, MessageEntity, Update } from 'grammy/types'
import { readRich } from './rich-text.ts'

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
