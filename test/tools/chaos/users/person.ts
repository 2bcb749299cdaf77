// A simulated person, who writes, taps, pays and reads chats through the users' API of the local Telegram.

import type { Message } from 'grammy/types'
import { Agent, request } from 'undici'
import { z } from 'zod'
import type { Chance } from '../chance.ts'
import type { Journal } from '../journal.ts'
import { buttonsOf, type Chat, type Chats } from './chats.ts'

/** A tap that the bot gets as an update. */
export interface Pressed {
  readonly tap: string
  readonly updateId: number
}

export interface Person {
  readonly id: number
  readonly chat: Chat
  readonly chance: Chance
  /** Aborts when the person must stop. */
  readonly ending: AbortSignal
  says(text: string): Promise<void>
  /** Sends a picture with this caption. */
  shows(caption: string): Promise<void>
  /** Taps a button, which the message may no longer show. @returns the id of the tap, or undefined if the tap was impossible */
  taps(messageId: number, data: string): Promise<string | undefined>
  /** Like `taps`. @returns the tap with the `update_id` of the update that the bot gets */
  presses(messageId: number, data: string): Promise<Pressed | undefined>
  /** @param stars replaces the amount of the invoice @returns the charge, or undefined if the bot refused the payment */
  pays(invoice: Message, stars?: number): Promise<string | undefined>
  /** Pays or cancels on the page of YooKassa. @returns the state of the payment */
  decides(paymentId: string, action: 'pay' | 'cancel'): Promise<string>
  /** Stops the answer that is being written. @returns the id of its draft, or undefined if no answer was being written */
  stops(): Promise<number | undefined>
  /** Waits until a message of the bot fits. @returns the newest one that fits */
  sees(fits: (message: Message) => boolean): Promise<Message | undefined>
  /** Waits for the answer to a tap. @returns its text */
  isTold(tap: string): Promise<string | undefined>
  /** The same person in a group. */
  in(group: number): Person
}

/** A PNG of one pixel, as the users’ API takes an attachment. */
const picture = {
  kind: 'photo',
  name: 'picture.png',
  base64: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
}

const group = z.object({ id: z.int() })
const tapped = z.object({ callback_query_id: z.string(), update_id: z.int() })
const stopped = z.object({ draft_id: z.int() })
const decided = z.object({ status: z.string() })
const paid = z.object({ ok: z.boolean(), telegram_payment_charge_id: z.string().optional() })

export interface Phones {
  person(id: number, chance: Chance, ending: AbortSignal): Promise<Person>
  /** Creates a group; the first member is its administrator. @returns the id of the group */
  group(title: string, members: readonly number[]): Promise<number>
  /** The owner of the shop refunds a payment of YooKassa there. */
  refundsInCabinet(paymentId: string): Promise<void>
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
      // Connections are not reused, for the reason given in ask.ts.
      reset: true,
    })
    const told = await answer.text()
    if (statusCode >= 500) throw new Error(`${path}: ${statusCode} ${told}`)
    return statusCode === 200 ? told : undefined
  }
  const personAt = (place: number, own: Pick<Person, 'id' | 'chance' | 'ending'>): Person => {
    const { id, ending } = own
    const chat = chats.of(place)
    const at = (act: string, body: object) => {
      journal.count(`act: ${act}`)
      return post(`/api/chats/${place}/${act}`, { from: id, ...body })
    }
    const presses = async (message_id: number, data: string): Promise<Pressed | undefined> => {
      const told = await at('taps', { message_id, data })
      if (told === undefined) return undefined
      const { callback_query_id: tap, update_id: updateId } = tapped.parse(JSON.parse(told))
      return { tap, updateId }
    }
    return {
      ...own,
      chat,
      says: async (text) => void (await at('messages', { text })),
      shows: async (caption) => void (await at('messages', { caption, file: picture })),
      presses,
      taps: async (messageId, data) => (await presses(messageId, data))?.tap,
      async pays({ message_id }, total_amount) {
        const told = await at('payments', { message_id, ...(total_amount && { total_amount }) })
        return told === undefined ? undefined : paid.parse(JSON.parse(told)).telegram_payment_charge_id
      },
      async decides(paymentId, action) {
        const told = await post(`/api/yookassa/payments/${paymentId}`, { action })
        return told === undefined ? '' : decided.parse(JSON.parse(told)).status
      },
      async stops() {
        const told = await at('stop', {})
        return told === undefined ? undefined : stopped.parse(JSON.parse(told)).draft_id
      },
      sees: (fits) => chat.until(() => newest(chat, fits), patienceMs, ending),
      isTold: (tap) => chat.until(() => chat.answers.get(tap), patienceMs, ending),
      in: (group) => personAt(group, own),
    }
  }
  const register = (id: number) => post('/api/users', { id, first_name: `Person ${id}`, language_code: 'en' })
  return {
    async person(id, chance, ending) {
      await register(id)
      return personAt(id, { id, chance, ending })
    },
    async group(title, members) {
      for (const id of members) await register(id)
      return group.parse(JSON.parse((await post('/api/chats', { title, members })) ?? '')).id
    },
    refundsInCabinet: async (paymentId) =>
      void (await post(`/api/yookassa/payments/${paymentId}`, { action: 'refund' })),
    close: () => dispatcher.close(),
  }
}

function newest({ shown }: Chat, fits: (message: Message) => boolean): Message | undefined {
  const ofBot = ({ message, isGone }: { message: Message; isGone: boolean }) =>
    !isGone && message.from?.is_bot === true && fits(message)
  return [...shown.values()].findLast(ofBot)?.message
}

/** The data of the first button whose data has this start and end. */
export const buttonOf = (message: Message, start: string, end = ''): string | undefined =>
  buttonsOf(message).find(({ data }) => data.startsWith(start) && data.endsWith(end))?.data

/** The id of the newest message in the chat. */
export const lastMessage = ({ chat }: Person): number => Math.max(0, ...chat.shown.keys())
