// The messages of all chats, including deleted ones, kept up to date by the events of the local Telegram.

import type { Message } from 'grammy/types'
import type { Clock } from '../../../../src/runtime/clock.ts'
import type { ChatEvent, SeenMessage, Telegram } from '../../../../src/sandbox/telegram/index.ts'
import type { Said } from '../model/answers.ts'

export interface Shown {
  readonly first: Message
  /** The latest version of the message. */
  message: Message
  /** When it first had a file, in milliseconds since 1970 by real time; undefined for a message without a file. */
  filedAt: number | undefined
  isGone: boolean
}

export interface Chat {
  /** Messages by id, in the order of the chat. */
  readonly shown: ReadonlyMap<number, Shown>
  /** The messages of the bot in their latest version, including deleted ones. */
  ofBot(): readonly Message[]
  /** The messages of the bot, reduced to what the harness's model judges: id, text and buttons. */
  told(): readonly Said[]
  /** The text of the bot's answers to taps, by the id of the tap; may be empty. */
  readonly answers: ReadonlyMap<string, string>
  /** The id of the newest draft of an answer, which is the message id of its question. */
  readonly drafted: () => number | undefined
  /** Calls `look` now and after every event of the chat. @returns its first defined result, or undefined after `ms` or an abort */
  until<T>(look: () => T | undefined, ms: number, signal: AbortSignal): Promise<T | undefined>
}

export interface Chats {
  of(id: number): Chat
  all(): Iterable<readonly [number, Chat]>
}

interface Kept extends Chat {
  readonly shown: Map<number, Shown>
  readonly answers: Map<string, string>
  draft: number | undefined
  readonly lookers: Set<() => void>
  /** Must be called after each event of the chat: drops the cached lists of messages. */
  changed(): void
}

export function watchChats(telegram: Telegram, clock: Clock): Chats {
  const chats = new Map<number, Kept>()
  const of = (id: number): Kept => {
    const chat = chats.get(id) ?? createChat(clock)
    chats.set(id, chat)
    return chat
  }
  telegram.on((event) => {
    if (event.chat_id === undefined) return
    const chat = of(event.chat_id)
    const { shown, answers, lookers, changed } = chat
    show(shown, event)
    if (event.type === 'draft') chat.draft = event.data.draft_id
    if (event.type === 'answer') answers.set(event.data.callback_query_id, event.data.text ?? '')
    changed()
    for (const look of [...lookers]) look()
  })
  return { of, all: () => chats }
}

function show(shown: Map<number, Shown>, { type, data }: ChatEvent): void {
  if (type === 'message') {
    const message = asBotSees(data)
    shown.set(data.message_id, { first: message, message, filedAt: filedNow(message), isGone: false })
  }
  if (type === 'edited') {
    const before = shown.get(data.message_id)
    if (before) before.message = asBotSees(data)
    if (before) before.filedAt ??= filedNow(before.message)
  }
  if (type !== 'deleted') return
  for (const id of data.message_ids) {
    const before = shown.get(id)
    if (before) before.isGone = true
  }
}

const filedNow = (message: Message): number | undefined => (isFile(message) ? realNow() : undefined)
/** Milliseconds since 1970 by real time, like the times of the journal and of the gateway's books. */
export const realNow = () => performance.timeOrigin + performance.now()

export const isFile = ({ photo, voice, audio, video, document }: Message): boolean =>
  (photo ?? voice ?? audio ?? video ?? document) !== undefined

export const saidBy = (message: Message): Said => ({
  id: message.message_id,
  words: wordsOf(message),
  buttons: buttonsOf(message),
})

export const wordsOf = ({ text, caption }: Message): string => text ?? caption ?? ''

export const buttonsOf = ({ reply_markup }: Message): Said['buttons'] =>
  (reply_markup?.inline_keyboard?.flat() ?? []).flatMap((one) =>
    'callback_data' in one ? [{ data: one.callback_data, label: one.text }] : [],
  )

/** The addresses that the message's buttons open. */
export const linksOf = ({ reply_markup }: Message): readonly string[] =>
  (reply_markup?.inline_keyboard?.flat() ?? []).flatMap((one) => ('url' in one ? [one.url] : []))

/** Removes the reply keyboard and the reactions, which only a client receives. */
function asBotSees({ reply_markup, reactions: _, ...message }: SeenMessage): Message {
  return reply_markup && 'inline_keyboard' in reply_markup ? { ...message, reply_markup } : message
}

function createChat(clock: Clock): Kept {
  const shown = new Map<number, Shown>()
  const lookers = new Set<() => void>()
  // Both lists are cached until the next change, since the checks at the end of a run read them once for each order.
  let ofBot: readonly Message[] | undefined
  let told: readonly Said[] | undefined
  const messages = () => {
    ofBot ??= [...shown.values()].map(({ message }) => message).filter(({ from }) => from?.is_bot === true)
    return ofBot
  }
  const chat: Kept = {
    shown,
    answers: new Map(),
    draft: undefined,
    drafted: () => chat.draft,
    lookers,
    changed() {
      ofBot = undefined
      told = undefined
    },
    ofBot: messages,
    told() {
      told ??= messages().map(saidBy)
      return told
    },
    until: (look, ms, signal) =>
      new Promise((resolve) => {
        const over = new AbortController()
        const end = (found?: ReturnType<typeof look>) => {
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
  return chat
}
