// People in their private chats: their updates, and what they do before a measurement begins.

import { z } from 'zod'
import { inTime } from './serve.ts'
import type { Call, TelegramStub } from './telegram.ts'

export interface People {
  /** @param n the number of the person, from 0 */
  says(n: number, text: string): string
  /** The first `count` people prepare an order each. @returns the taps that confirm them */
  prepareOrders(count: number): Promise<readonly string[]>
  /** The first `count` people ask a text model for the first time. @returns the taps that accept the price */
  prepareAnswers(count: number): Promise<readonly string[]>
  /** The number of the person of a chat. */
  numberOf(call: Call): number
}

interface Card {
  readonly message: number
  readonly data: string
}

/** The Telegram id of the first person; the others follow. */
const firstId = 1_000_000

const personOf = (n: number) => ({ id: firstId + n, is_bot: false, first_name: 'P', language_code: 'en' })
const chatOf = (n: number) => ({ id: firstId + n, type: 'private', first_name: 'P' })

export function createPeople(telegram: TelegramStub): People {
  let last = 0
  const update = (content: object): string => {
    last += 1
    return JSON.stringify({ update_id: last, ...content })
  }
  const numberOf = ({ chat }: Call) => chat - firstId
  const says: People['says'] = (n, text) => {
    const [command] = /^\/\w+/.exec(text) ?? []
    const entities = command ? [{ type: 'bot_command', offset: 0, length: command.length }] : []
    const message = { message_id: 10_000_000 + last, date: 1, chat: chatOf(n), from: personOf(n), text }
    return update({ message: { ...message, entities } })
  }
  const taps = (n: number, { message, data }: Card) => {
    const card = { message_id: message, date: 1, chat: chatOf(n), text: 'card' }
    return update({
      callback_query: { id: String(last), from: personOf(n), chat_instance: '1', message: card, data },
    })
  }
  /** The people say a text each, whose answer has a button. @returns the taps on it */
  const prepare = (label: string, texts: readonly string[]) =>
    inTime<readonly string[]>(`${texts.length} × ${label}`, (resolve) => {
      const cards = new Map<number, Card>()
      const stop = telegram.listen((call) => {
        const data = call.method === 'sendMessage' ? dataIn(call.body, label) : undefined
        if (data !== undefined) cards.set(numberOf(call), { message: call.message, data })
        if (cards.size < texts.length) return
        stop()
        resolve([...cards].map(([n, card]) => taps(n, card)))
      })
      telegram.give(texts.map((text, n) => says(n, text)))
    })
  return {
    numberOf,
    says,
    prepareOrders: (count) =>
      prepare(
        'Generate',
        Array.from({ length: count }, (_, n) => `/music a song-${n} about the sea`),
      ),
    prepareAnswers: (count) => prepare('Answer', Array<string>(count).fill('how are you?')),
  }
}

const button = z.object({ text: z.string(), callback_data: z.string().optional() })
const withButtons = z.object({
  reply_markup: z.object({ inline_keyboard: z.array(z.array(button)) }).optional(),
})

/** The callback data of a button, found by the beginning of its label. */
function dataIn(body: Buffer, label: string): string | undefined {
  const { reply_markup } = withButtons.parse(JSON.parse(body.toString()))
  return reply_markup?.inline_keyboard.flat().find(({ text }) => text.startsWith(label))?.callback_data
}
