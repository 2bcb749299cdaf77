// The simulated people of a run, and the record of their actions.

import type { Question, Stop } from '../model/answers.ts'
import { promoCodes } from '../settings.ts'
import type { ChaosWorld } from '../world.ts'
import { live } from './errands.ts'
import { createDesk, operate, operatorIds } from './operating.ts'
import { createOrderBook, type OrderTap } from './ordering.ts'
import type { Invitation, Payment } from './paying.ts'
import { createPhones, type Phones } from './person.ts'
import { type Group, newGroup } from './wallets.ts'

export type Town = Awaited<ReturnType<typeof createTown>>

/** A button of a card. */
interface CardButton {
  readonly person: number
  readonly place: number
  readonly messageId: number
  readonly data: string
}

/** Creates the promo codes. @returns the record of what people do, which is empty */
export async function createTown({ database: { sql }, journal, clock, settings }: ChaosWorld) {
  for (const { code, amount, mostUses, isOver } of promoCodes)
    await sql`
      with made as (
        insert into operator_actions (action, subject, details, created_at)
        values ('promo', 'promo:' || ${code}::text, jsonb_build_object('amount', ${String(amount)}::text), now())
      )
      insert into promo_codes (code, amount, max_uses, created_at, expires_at)
      values (${code}, ${amount}, ${mostUses}, now(), now() + ${isOver ? '-1 minute' : '90 days'}::interval)`
  return {
    journal,
    clock,
    book: createOrderBook(settings.calledBack),
    desk: createDesk(),
    /** Each with the people who have tried it. */
    promoCodes: promoCodes.map((one) => ({ ...one, redeemers: new Set<number>() })),
    questions: [] as Question[],
    stops: [] as Stop[],
    payments: [] as Payment[],
    /** Payments that were declined on the page of YooKassa. */
    declined: [] as { readonly person: number }[],
    /** The people who have ever written to the bot, without the operators. */
    people: new Set<number>(),
    /** Invitation links by inviter. */
    links: new Map<number, string>(),
    /** Invitations by the invited friend. */
    invitations: new Map<number, Invitation>(),
    oldButtons: [] as CardButton[],
    groups: [] as Group[],
    /** Requests of results from /history. */
    sentAgain: [] as OrderTap[],
    withdrawals: [] as OrderTap[],
    /** The people who have tapped the offer of their first answer. */
    knowPrices: new Set<number>(),
  }
}

const firstPerson = 600_000_001
const groupSize = 4

/** Forms groups of people with consecutive ids. The last member of a group is the owner of the next one. */
async function formGroups({ groups }: Town, phones: Phones, people: number): Promise<void> {
  for (let first = 0; first + groupSize <= people; first += groupSize - 1) {
    const owner = firstPerson + first
    const others = Array.from({ length: groupSize - 1 }, (_, n) => owner + 1 + n)
    const id = await phones.group(`Group ${groups.length + 1}`, [owner, ...others])
    groups.push(newGroup(id, [owner, ...others]))
  }
}

/** The payments that may be refunded: those of owners of wallets may not, since the app would empty their wallets. */
export const refundable = ({ payments, groups }: Town): readonly Payment[] =>
  payments.filter(({ person }) => !groups.some(({ owner }) => owner === person))

/** Resolves when all people have stopped. */
export async function liveTogether(world: ChaosWorld, town: Town, ending: AbortSignal): Promise<void> {
  const { settings, chance, outside, chats, journal, clock } = world
  const phones = createPhones(outside.url, chats, journal, settings.patienceMs)
  await formGroups(town, phones, settings.people)
  const lives = Array.from({ length: settings.people }, async (_, n) => {
    const own = chance.stream(`person ${n}`)
    // Half of the people arrive later, so that the first message of a person also meets faults.
    await clock.wait(n % 2 === 0 ? 0 : own.between(0, settings.seconds * 800), ending)
    if (ending.aborted) return
    town.people.add(firstPerson + n)
    await live(town, await phones.person(firstPerson + n, own, ending), settings.pauseMs)
  })
  const office = {
    desk: town.desk,
    clock,
    people: () => [...town.people].filter((person) => chats.of(person).told().length > 0),
    payers: () => refundable(town).map(({ person }) => person),
  }
  const operator = (id: number) => phones.person(id, chance.stream(`operator ${id}`), ending)
  const [one, other] = [await operator(operatorIds[0]), await operator(operatorIds[1])]
  const works = (
    [
      [one, other],
      [other, one],
    ] as const
  ).map((both) => operate(office, both, settings.operatorPauseMs))
  await Promise.all([...lives, ...works])
  await phones.close()
}
