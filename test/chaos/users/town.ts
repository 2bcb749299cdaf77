// The simulated people of a run, and the record of their actions.

import type { Clock } from '../../../src/runtime/clock.ts'
import type { Journal } from '../journal.ts'
import type { World } from '../world.ts'
import { live } from './errands.ts'
import { createOrderBook, type OrderBook } from './orders.ts'
import type { Payment } from './paying.ts'
import { createPhones } from './person.ts'

export interface Town {
  readonly journal: Journal
  readonly clock: Clock
  readonly book: OrderBook
  readonly payments: Payment[]
  readonly oldButtons: { readonly person: number; readonly messageId: number; readonly data: string }[]
  readonly promoCode: string
  /** Numbers that make questions different. */
  readonly asked: Iterator<number, never>
  /** People who have tapped the offer of their first answer. */
  readonly knowPrices: Set<number>
}

export async function createTown({ database: { sql }, journal, clock }: World): Promise<Town> {
  const promoCode = 'CHAOS'
  await sql`insert into promo_codes (code, amount, max_uses, created_at) values (${promoCode}, 2500, 1000000, now())`
  return {
    journal,
    clock,
    promoCode,
    asked: numbers(),
    knowPrices: new Set(),
    book: createOrderBook(),
    payments: [],
    oldButtons: [],
  }
}

function* numbers(): Generator<number, never> {
  for (let number = 1; ; number += 1) yield number
}

const firstPerson = 600_000_001

/** Resolves when all people have stopped. */
export async function liveTogether(world: World, town: Town, ending: AbortSignal): Promise<void> {
  const { settings, chance, outside, chats, journal } = world
  const phones = createPhones(outside.url, chats, journal, settings.patienceMs)
  const lives = Array.from({ length: settings.people }, async (_, n) => {
    const own = chance.stream(`person ${n}`)
    // Half of them arrive later, so that faults also meet the first message of a person.
    const comesMs = n % 2 === 0 ? 0 : own.between(0, settings.seconds * 800)
    await world.clock.wait(comesMs, ending)
    if (ending.aborted) return
    await live(town, await phones.person(firstPerson + n, own, ending), settings.pauseMs)
  })
  await Promise.all(lives)
  await phones.close()
}
