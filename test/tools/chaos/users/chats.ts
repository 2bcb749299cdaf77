// The messages of all chats, including deleted ones, kept up to date by the events of the local Telegram.

import type { Clock } from '../../../../src/runtime/clock.ts'
import type { ChatEvent, SeenMessage, Telegram } from '../../../../src/sandbox/telegram/index.ts'
import { realNow } from '../journal.ts'

export type Message = SeenMessage

/** A message of the bot in its latest version, as a person sees it. */
export interface Said {
  readonly message: Message
  readonly words: string
  /** The callback data and the label of each button. */
  readonly buttons: readonly { readonly data: string; readonly label: string }[]
}

export interface Shown {
  readonly first: Message
  /** The latest version of the message. */
  message: Message
  /** When it first had a file, in milliseconds since 1970 by real time; undefined for a message without a file. */
  filedAt: number | undefined
  isGone: boolean
}

export type Chat = ReturnType<typeof createChat>

export interface Chats {
  of(id: number): Chat
  all(): Iterable<readonly [number, Chat]>
}

export function watchChats(telegram: Telegram, clock: Clock): Chats {
  const chats = new Map<number, Chat>()
  const of = (id: number): Chat => {
    const chat = chats.get(id) ?? createChat(clock)
    chats.set(id, chat)
    return chat
  }
  telegram.on((event) => {
    if (event.chat_id !== undefined) of(event.chat_id).take(event)
  })
  return { of, all: () => chats }
}

function createChat(clock: Clock) {
  /** Messages by id, in the order of the chat. */
  const shown = new Map<number, Shown>()
  /** The text of the bot's answers to taps, by the id of the tap; may be empty. */
  const answers = new Map<string, string>()
  const lookers = new Set<() => void>()
  // Cached until the next change, since the checks at the end of a run read it once for each order.
  let said: readonly Said[] | undefined
  return {
    shown: shown as ReadonlyMap<number, Shown>,
    answers: answers as ReadonlyMap<string, string>,
    /** The messages of the bot, including deleted ones. */
    said() {
      said ??= [...shown.values()]
        .filter(({ message }) => isOfBot(message))
        .map(({ message }) => ({ message, words: wordsOf(message), buttons: buttonsOf(message) }))
      return said
    },
    take(event: ChatEvent) {
      show(shown, event)
      if (event.type === 'answer') answers.set(event.data.callback_query_id, event.data.text ?? '')
      said = undefined
      for (const look of [...lookers]) look()
    },
    /** Calls `look` now and after every event. @returns its first defined result, or undefined after `ms` or an abort */
    until: <T>(look: () => T | undefined, ms: number, signal: AbortSignal) =>
      new Promise<T | undefined>((resolve) => {
        const over = new AbortController()
        const end = (found?: T) => {
          over.abort('ended')
          lookers.delete(again)
          resolve(found)
        }
        const again = () => {
          const found = look()
          if (found !== undefined) end(found)
        }
        lookers.add(again)
        void clock.wait(ms, AbortSignal.any([signal, over.signal])).then(() => end())
        if (!signal.aborted) again()
      }),
  }
}

function show(shown: Map<number, Shown>, { type, data }: ChatEvent): void {
  if (type === 'message') {
    shown.set(data.message_id, { first: data, message: data, filedAt: filedNow(data), isGone: false })
  }
  if (type === 'edited') {
    const before = shown.get(data.message_id)
    if (before) before.message = data
    if (before) before.filedAt ??= filedNow(before.message)
  }
  if (type !== 'deleted') return
  for (const id of data.message_ids) {
    const before = shown.get(id)
    if (before) before.isGone = true
  }
}

const filedNow = (message: Message): number | undefined => (fileOf(message) ? realNow() : undefined)
export const fileOf = ({ photo, voice, audio, video, document }: Message) =>
  photo?.at(-1) ?? voice ?? audio ?? video ?? document

export const isOfBot = ({ from }: Message): boolean => from?.is_bot === true
export const wordsOf = ({ text, caption }: Message): string => text ?? caption ?? ''

const inlineButtons = ({ reply_markup }: Message) =>
  reply_markup && 'inline_keyboard' in reply_markup ? reply_markup.inline_keyboard.flat() : []

export const buttonsOf = (message: Message): Said['buttons'] =>
  inlineButtons(message).flatMap((one) =>
    'callback_data' in one ? [{ data: one.callback_data, label: one.text }] : [],
  )

/** The addresses that the message's buttons open. */
export const linksOf = (message: Message): readonly string[] =>
  inlineButtons(message).flatMap((one) => ('url' in one ? [one.url] : []))

/** The data of the first button whose data has this start and end. */
export const buttonOf = (message: Message, start: string, end = ''): string | undefined =>
  buttonsOf(message).find(({ data }) => data.startsWith(start) && data.endsWith(end))?.data

export const hasButton =
  (start: string, end = '') =>
  (message: Message): boolean =>
    buttonOf(message, start, end) !== undefined

/** The first amount of a text in kopecks, as the English texts of the bot show it: `₽1,092.45` is 109245 kopecks, and `₽500` is 50000. */
export function amountIn(text: string): number | undefined {
  const [, roubles, kopecks = '00'] = /₽(\d[\d,]*)(?:\.(\d\d))?(?!\.?\d)/.exec(text) ?? []
  return roubles === undefined ? undefined : Number(roubles.replaceAll(',', '') + kopecks)
}

const naming = /^(?:r|ro|e|rm|rb|rn|rp|rq|rr|rs|rt|rv|rx|o|gc|hg|hm|ho|hr|hs):([a-z0-9]{10})(?::|$)/

/** Whether the buttons name another order. Orders by "Again" have the same prompt, but the buttons below a message contain the order's id. */
export function isAboutAnother({ buttons }: Said, id: string): boolean {
  const named = buttons.flatMap(({ data }) => naming.exec(data)?.[1] ?? [])
  return named.length > 0 && !named.includes(id)
}
