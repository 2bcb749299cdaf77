// The messages of all chats, including deleted ones, kept up to date by the events of the local Telegram.

import type { Message } from 'grammy/types'
import type { Clock } from '../../../../src/runtime/clock.ts'
import type { ChatEvent, SeenMessage, Telegram } from '../../../../src/sandbox/telegram/index.ts'
import { realNow } from '../journal.ts'

/** A message of the bot, as a person sees it. */
export interface Said {
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
  let draft: number | undefined
  // Both lists are cached until the next change, since the checks at the end of a run read them once for each order.
  let ofBot: readonly Message[] | undefined
  let told: readonly Said[] | undefined
  const messages = () => {
    ofBot ??= [...shown.values()].map(({ message }) => message).filter(({ from }) => from?.is_bot === true)
    return ofBot
  }
  return {
    shown: shown as ReadonlyMap<number, Shown>,
    answers: answers as ReadonlyMap<string, string>,
    /** The id of the newest draft of an answer, which is the message id of its question. */
    drafted: () => draft,
    /** The messages of the bot in their latest version, including deleted ones. */
    ofBot: messages,
    /** The messages of the bot, reduced to what the harness's model judges. */
    told() {
      told ??= messages().map((one) => ({ words: wordsOf(one), buttons: buttonsOf(one) }))
      return told
    },
    take(event: ChatEvent) {
      show(shown, event)
      if (event.type === 'draft') draft = event.data.draft_id
      if (event.type === 'answer') answers.set(event.data.callback_query_id, event.data.text ?? '')
      ofBot = undefined
      told = undefined
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

const filedNow = (message: Message): number | undefined => (fileOf(message) ? realNow() : undefined)
export const fileOf = ({ photo, voice, audio, video, document }: Message) =>
  photo?.at(-1) ?? voice ?? audio ?? video ?? document

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
