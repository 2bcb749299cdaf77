// Where people live, and what is remembered of them.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Journal } from '../journal.ts'
import type { World } from '../world.ts'
import { live } from './errands.ts'
import { createOrderBook, type OrderBook } from './orders.ts'
import type { Payment } from './paying.ts'
import { createPhones } from './person.ts'

export interface Town {
  readonly journal: Journal
  readonly book: OrderBook
  readonly payments: Payment[]
  readonly oldButtons: { readonly person: number; readonly messageId: number; readonly data: string }[]
  readonly promoCode: string
}

export async function foundTown({ database: { sql }, journal }: World): Promise<Town> {
  const promoCode = 'CHAOS'
  await sql`insert into promo_codes (code, amount, max_uses, created_at) values (${promoCode}, 2500, 1000000, now())`
  return { journal, promoCode, book: createOrderBook(), payments: [], oldButtons: [] }
}

const firstPerson = 600_000_001

/** Ends when everybody has gone home. */
export async function liveAll(world: World, town: Town, evening: AbortSignal): Promise<void> {
  const { settings, chance, outside, chats, journal } = world
  const phones = createPhones(outside.url, chats, journal, settings.patienceMs)
  const lives = Array.from({ length: settings.people }, async (_, n) => {
    const own = chance.stream(`person ${n}`)
    // Half of them come by and by: the first word of somebody is a moment of its own.
    const comesMs = n % 2 === 0 ? 0 : own.between(0, settings.seconds * 800)
    await sleep(comesMs, undefined, { signal: evening }).catch(() => undefined)
    if (evening.aborted) return
    await live(town, await phones.person(firstPerson + n, own, evening), settings.pauseMs)
  })
  await Promise.all(lives)
  await phones.close()
}
