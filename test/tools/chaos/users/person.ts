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
  /** Taps a button, which the message may no longer show. @returns the id of the tap, or undefined if the tap was impossible */
  taps(messageId: number, data: string): Promise<string | undefined>
  /** Like `taps`. @returns the tap with the `update_id` of the update that the bot gets */
  presses(messageId: number, data: string): Promise<Pressed | undefined>
  /** Taps once, or twice at the same time. @returns the ids of the taps */
  tapsTwice(messageId: number, data: string, share: number): Promise<readonly string[]>
  /** @param stars replaces the amount of the invoice @returns the charge, or undefined if the bot refused the payment */
  pays(invoice: Message, stars?: number): Promise<string | undefined>
  /** Pays or cancels on the page of YooKassa. @returns the state of the payment */
  decides(paymentId: string, action: 'pay' | 'cancel'): Promise<string>
  /** Stops the answer that is being written. @returns the id of its draft, or undefined if no answer was being written */
  stops(): Promise<number | undefined>
  /** Waits until a message of the bot fits. @returns the newest one that fits */
  sees(fits: (message: Message) => boolean): Promise<Message | undefined>
  /** Says something and waits for a newer message of the bot that fits. */
  asks(text: string, fits: (message: Message) => boolean): Promise<Message | undefined>
  /** Waits for the answer to a tap. @returns its text */
  isTold(tap: string): Promise<string | undefined>
  /** The same person in a group. */
  in(group: number): Person
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
  refundsInCabinet(paymentId: string): Promise<unknown>
  close(): Promise<void>
}

export function createPhones(url: string, chats: Chats, journal: Journal, patienceMs: number): Phones {
  const dispatcher = new Agent({ connections: 100 })
  const post = async (path: string, body: object): Promise<unknown> => {
    const { statusCode, body: answer } = await request(url + path, {
      dispatcher,
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
      headersTimeout: 0,
      // Connections are not reused, for the reason given in books.ts.
      reset: true,
    })
    const told = await answer.text()
    if (statusCode >= 500) throw new Error(`${path}: ${statusCode} ${told}`)
    return statusCode === 200 && told !== '' ? JSON.parse(told) : undefined
  }
  const personAt = (place: number, own: Pick<Person, 'id' | 'chance' | 'ending'>): Person => {
    const chat = chats.of(place)
    const at = (act: string, body: object) => {
      journal.count(`act: ${act}`)
      return post(`/api/chats/${place}/${act}`, { from: own.id, ...body })
    }
    const presses = async (message_id: number, data: string) => {
      const told = tapped.optional().parse(await at('taps', { message_id, data }))
      return told && { tap: told.callback_query_id, updateId: told.update_id }
    }
    const taps = async (messageId: number, data: string) => (await presses(messageId, data))?.tap
    const says = async (text: string) => void (await at('messages', { text }))
    const sees = (fits: (message: Message) => boolean) =>
      chat.until(() => newest(chat, fits), patienceMs, own.ending)
    return {
      ...own,
      chat,
      says,
      presses,
      taps,
      async tapsTwice(messageId, data, share) {
        const times = own.chance.happens(share) ? 2 : 1
        const all = await Promise.all(Array.from({ length: times }, () => taps(messageId, data)))
        return all.filter((tap) => tap !== undefined)
      },
      async pays({ message_id }, total_amount) {
        const told = await at('payments', { message_id, ...(total_amount && { total_amount }) })
        return paid.optional().parse(told)?.telegram_payment_charge_id
      },
      decides: async (paymentId, action) =>
        decided.optional().parse(await post(`/api/yookassa/payments/${paymentId}`, { action }))?.status ?? '',
      stops: async () => stopped.optional().parse(await at('stop', {}))?.draft_id,
      sees,
      async asks(text, fits) {
        const before = Math.max(0, ...chat.shown.keys())
        await says(text)
        return sees((message) => message.message_id > before && fits(message))
      },
      isTold: (tap) => chat.until(() => chat.answers.get(tap), patienceMs, own.ending),
      in: (place) => personAt(place, own),
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
      return group.parse(await post('/api/chats', { title, members })).id
    },
    refundsInCabinet: (paymentId) => post(`/api/yookassa/payments/${paymentId}`, { action: 'refund' }),
    close: () => dispatcher.close(),
  }
}

function newest({ shown }: Chat, fits: (message: Message) => boolean): Message | undefined {
  const isFitting = ({ message, isGone }: { message: Message; isGone: boolean }) =>
    !isGone && message.from?.is_bot === true && fits(message)
  return [...shown.values()].findLast(isFitting)?.message
}

/** The data of the first button whose data has this start and end. */
export const buttonOf = (message: Message, start: string, end = ''): string | undefined =>
  buttonsOf(message).find(({ data }) => data.startsWith(start) && data.endsWith(end))?.data

export const hasButton =
  (start: string, end = '') =>
  (message: Message): boolean =>
    buttonOf(message, start, end) !== undefined
