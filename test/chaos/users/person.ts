// A simulated person: writes, taps, pays and reads the chat, by requests to the users' API of the local Telegram.

import type { Message } from 'grammy/types'
import { Agent, request } from 'undici'
import { z } from 'zod'
import type { Chance } from '../chance.ts'
import type { Journal } from '../journal.ts'
import { buttonsOf, type Chat, type Chats } from './chats.ts'

export interface Person {
  readonly id: number
  readonly chat: Chat
  readonly chance: Chance
  /** Aborts when people must stop. */
  readonly ending: AbortSignal
  says(text: string): Promise<void>
  /** Also a button that the message no longer shows. */
  taps(messageId: number, data: string): Promise<void>
  /** @param stars in place of the amount of the invoice @returns the charge, or undefined if the bot refused the payment */
  pays(invoice: Message, stars?: number): Promise<string | undefined>
  /** Waits for a message of the bot that fits, and returns the newest. */
  sees(fits: (message: Message) => boolean): Promise<Message | undefined>
}

const paid = z.object({ ok: z.boolean(), telegram_payment_charge_id: z.string().optional() })

export interface Phones {
  person(id: number, chance: Chance, ending: AbortSignal): Promise<Person>
  close(): Promise<void>
}

export function createPhones(url: string, chats: Chats, journal: Journal, patienceMs: number): Phones {
  const dispatcher = new Agent({ connections: 100 })
  const post = async (path: string, body: object) => {
    const { statusCode, body: answer } = await request(url + path, {
      dispatcher,
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
      headersTimeout: 0,
      // As in ask.ts.
      reset: true,
    })
    const told = await answer.text()
    if (statusCode >= 500) throw new Error(`${path}: ${statusCode} ${told}`)
    return statusCode === 200 ? told : undefined
  }
  return {
    async person(id, chance, ending) {
      await post('/api/users', { id, first_name: `Person ${id}`, language_code: 'en' })
      const chat = chats.of(id)
      const at = (act: string, body: object) => {
        journal.count(`act: ${act}`)
        return post(`/api/chats/${id}/${act}`, { from: id, ...body })
      }
      return {
        id,
        chat,
        chance,
        ending,
        says: async (text) => void (await at('messages', { text })),
        taps: async (message_id, data) => void (await at('taps', { message_id, data })),
        async pays({ message_id }, total_amount) {
          const told = await at('payments', { message_id, ...(total_amount && { total_amount }) })
          return told === undefined ? undefined : paid.parse(JSON.parse(told)).telegram_payment_charge_id
        },
        sees: (fits) => chat.until(() => newest(chat, fits), patienceMs, ending),
      }
    },
    close: () => dispatcher.close(),
  }
}

function newest({ shown }: Chat, fits: (message: Message) => boolean): Message | undefined {
  const ofBot = ({ message, isGone }: { message: Message; isGone: boolean }) =>
    !isGone && message.from?.is_bot === true && fits(message)
  return [...shown.values()].findLast(ofBot)?.message
}

/** The data of the first button whose data starts with `start`. */
export const buttonOf = (message: Message, start: string): string | undefined =>
  buttonsOf(message).find(({ data }) => data.startsWith(start))?.data
