// The simulated people of a run, and the record of their actions.

import type { ChaosWorld } from '../world.ts'
import { type OrderRefund, operate, operatorIds } from './operating.ts'
import {
  createOrderBook,
  type OrderTap,
  orderAgain,
  orderInGroup,
  orderOne,
  orderSeveral,
  tapOldButton,
} from './ordering.ts'
import { begin, invite, type Payment, topUp } from './paying.ts'
import { createPhones, type Person, type Phones } from './person.ts'
import { chooseModel, type Question, talk } from './talking.ts'
import { type Group, manageWallet, newGroup, startWallet } from './wallets.ts'

export type Town = Awaited<ReturnType<typeof createTown>>

/** Marks all users as having agreed to paid answers. @returns an empty record of what people do */
export async function createTown({ database: { sql }, journal, clock }: ChaosWorld) {
  await sql`alter table users alter column answers_accepted_at set default now()`
  return {
    journal,
    clock,
    sql,
    book: createOrderBook(),
    refunds: [] as OrderRefund[],
    questions: [] as Question[],
    payments: [] as Payment[],
    /** Payments that were declined on the page of YooKassa. */
    declined: [] as { readonly person: number }[],
    /** The people who have ever written to the bot, without the operators. */
    people: new Set<number>(),
    /** Invitation links by inviter. */
    links: new Map<number, string>(),
    groups: [] as Group[],
    withdrawals: [] as OrderTap[],
  }
}

export type Errand = (town: Town, person: Person) => Promise<void>

const errands: readonly { readonly weight: number; readonly run: Errand }[] = [
  { weight: 100, run: orderOne },
  { weight: 10, run: orderSeveral },
  { weight: 40, run: orderInGroup },
  { weight: 50, run: orderAgain },
  { weight: 8, run: manageWallet },
  { weight: 10, run: topUp },
  { weight: 6, run: tapOldButton },
  { weight: 4, run: (_, person) => person.says('/balance') },
  { weight: 4, run: invite },
  { weight: 20, run: talk },
  { weight: 14, run: chooseModel },
]

/** Does one errand after another until the signal aborts. */
async function live(town: Town, person: Person, pauseMs: number): Promise<void> {
  const { chance, ending } = person
  await begin(town, person)
  await startWallet(town, person)
  while (!ending.aborted) {
    await chance.weighed(errands).run(town, person)
    await town.clock.wait(chance.between(0, pauseMs), ending)
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

/** Resolves when all people have stopped. */
export async function liveTogether(world: ChaosWorld, town: Town, ending: AbortSignal): Promise<void> {
  const { settings, chance, outside, chats, journal, clock } = world
  const phones = createPhones(outside.url, chats, journal)
  await formGroups(town, phones, settings.people)
  const lives = Array.from({ length: settings.people }, async (_, n) => {
    const own = chance.stream(`person ${n}`)
    // Half of the people arrive later, so that the first message of a person also meets faults.
    await clock.wait(n % 2 === 0 ? 0 : own.between(0, settings.seconds * 800), ending)
    if (ending.aborted) return
    town.people.add(firstPerson + n)
    await live(town, await phones.person(firstPerson + n, own, ending), settings.pauseMs)
  })
  const operator = (id: number) => phones.person(id, chance.stream(`operator ${id}`), ending)
  const [one, other] = [await operator(operatorIds[0]), await operator(operatorIds[1])]
  const pauseMs = 5 * settings.pauseMs
  await Promise.all([...lives, operate(town, one, other, pauseMs), operate(town, other, one, pauseMs)])
  await phones.close()
}
