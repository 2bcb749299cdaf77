// A simulated person, who writes, taps, pays and reads chats through the users' API of the local Telegram.

import { Agent, request } from 'undici'
import { z } from 'zod'
import type { Chance } from '../chance.ts'
import type { Journal } from '../journal.ts'
import { patienceMs } from '../settings.ts'
import { type Chat, type Chats, isOfBot, type Message } from './chats.ts'

/** A tap, and the update that the bot gets of it. */
export interface Pressed {
  readonly tap: string
  readonly updateId: number
}

interface Own {
  readonly id: number
  readonly chance: Chance
  /** Aborts when the person must stop. */
  readonly ending: AbortSignal
}

const group = z.object({ id: z.int() })
const tapped = z
  .object({ callback_query_id: z.string(), update_id: z.int() })
  .transform((told): Pressed => ({ tap: told.callback_query_id, updateId: told.update_id }))
const decided = z.object({ status: z.string() })
const paid = z.object({ ok: z.boolean(), telegram_payment_charge_id: z.string().optional() })

export type Phones = ReturnType<typeof createPhones>
/** A person in their private chat; `in` is the same person in a group. */
export type Person = Awaited<ReturnType<Phones['person']>>
/** A person in one chat. */
export type Visitor = ReturnType<Person['in']>

export function createPhones(url: string, chats: Chats, journal: Journal) {
  const dispatcher = new Agent({ connections: 100 })
  const post = async (path: string, body: object): Promise<unknown> => {
    const { statusCode, body: answer } = await request(url + path, {
      dispatcher,
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
      headersTimeout: 0,
      // Connections are not reused, for the reason given in evidence.ts.
      reset: true,
    })
    const told = await answer.text()
    if (statusCode >= 500) throw new Error(`${path}: ${statusCode} ${told}`)
    return statusCode === 200 && told !== '' ? JSON.parse(told) : undefined
  }
  const decides = async (paymentId: string, action: 'pay' | 'cancel') =>
    decided.optional().parse(await post(`/api/yookassa/payments/${paymentId}`, { action }))?.status ?? ''
  const inChat = (own: Own, place: number) => {
    const chat = chats.of(place)
    const at = (act: string, body: object) => {
      journal.count(`act: ${act}`)
      return post(`/api/chats/${place}/${act}`, { from: own.id, ...body })
    }
    const says = async (text: string) => void (await at('messages', { text }))
    /** Waits until a message of the bot fits. @returns the newest one that fits */
    const sees = (fits: (message: Message) => boolean) =>
      chat.until(() => newest(chat, fits), patienceMs, own.ending)
    return {
      ...own,
      chat,
      says,
      sees,
      /** Says something and waits for a newer message of the bot that fits. */
      async asks(text: string, fits: (message: Message) => boolean) {
        const before = Math.max(0, ...chat.shown.keys())
        await says(text)
        return sees((message) => message.message_id > before && fits(message))
      },
      /**
       * Taps a button, which the message may no longer show; with this share twice at the same time.
       * @returns the taps that were possible
       */
      async taps(message_id: number, data: string, twiceShare = 0): Promise<readonly Pressed[]> {
        const times = twiceShare > 0 && own.chance.happens(twiceShare) ? 2 : 1
        const told = await Promise.all(Array.from({ length: times }, () => at('taps', { message_id, data })))
        return told.flatMap((one) => tapped.optional().parse(one) ?? [])
      },
      /** Waits for the answer to a tap. @returns its text */
      isTold: (tap: string) => chat.until(() => chat.answers.get(tap), patienceMs, own.ending),
      /** @param total_amount replaces the amount of the invoice @returns the charge; undefined if the bot refused the payment */
      async pays({ message_id }: Message, total_amount?: number) {
        const told = await at('payments', { message_id, ...(total_amount && { total_amount }) })
        return paid.optional().parse(told)?.telegram_payment_charge_id
      },
      /** Pays or cancels on the page of YooKassa. @returns the state of the payment */
      decides,
    }
  }
  const register = (id: number) => post('/api/users', { id, first_name: `Person ${id}`, language_code: 'en' })
  return {
    async person(id: number, chance: Chance, ending: AbortSignal) {
      await register(id)
      const own = { id, chance, ending }
      return { ...inChat(own, id), in: (place: number) => inChat(own, place) }
    },
    /** Creates a group; the first member is its administrator. @returns the id of the group */
    async group(title: string, members: readonly number[]): Promise<number> {
      for (const id of members) await register(id)
      return group.parse(await post('/api/chats', { title, members })).id
    },
    close: () => dispatcher.close(),
  }
}

function newest({ shown }: Chat, fits: (message: Message) => boolean): Message | undefined {
  const isFitting = ({ message, isGone }: { message: Message; isGone: boolean }) =>
    !isGone && isOfBot(message) && fits(message)
  return [...shown.values()].findLast(isFitting)?.message
}
