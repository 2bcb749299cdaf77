// The simulated people of a run, and the record of their actions.

import type { Clock } from '../../../../src/runtime/clock.ts'
import type { Journal } from '../journal.ts'
import type { Stop, TextModel } from '../model/answers.ts'
import type { PromoCode } from '../model/balances.ts'
import { promoCodes, textModels } from '../offer.ts'
import type { ChaosWorld } from '../world.ts'
import { live } from './errands.ts'
import type { Invitation } from './gifts.ts'
import type { OriginalsAsked, SentAgain, Withdrawal } from './history.ts'
import { createDesk, type Desk, operate, operatorIds } from './operating.ts'
import { createOrderBook, type OrderBook } from './ordering.ts'
import type { Payment } from './paying.ts'
import { createPhones, type Phones } from './person.ts'
import type { PresetBook } from './presets.ts'
import { createModelChoices, createQuestionBook, type ModelChoices, type QuestionBook } from './talking.ts'
import { type Group, newGroup } from './wallets.ts'

interface OfferedCode extends PromoCode {
  /** The relative frequency with which people try the code. */
  readonly weight: number
  /** The people who have tried the code. */
  readonly redeemers: Set<number>
}

export interface Town {
  readonly journal: Journal
  readonly clock: Clock
  readonly book: OrderBook
  readonly questions: QuestionBook
  readonly payments: Payment[]
  /** Payments that were declined on the page of YooKassa; the amounts are in kopecks. */
  readonly declined: { readonly person: number; readonly credit: number }[]
  readonly desk: Desk
  /** The people who have ever written to the bot. */
  readonly people: Set<number>
  /** Invitation links by inviter. */
  readonly links: Map<number, string>
  /** Invitations by the invited friend. */
  readonly invitations: Map<number, Invitation>
  readonly oldButtons: {
    readonly person: number
    /** The chat of the button. */
    readonly place: number
    readonly messageId: number
    readonly data: string
  }[]
  readonly promoCodes: readonly OfferedCode[]
  readonly groups: Group[]
  /** Requests of results from /history. */
  readonly sentAgain: SentAgain[]
  readonly originalsAsked: OriginalsAsked[]
  readonly withdrawals: Withdrawal[]
  /** Taps on Stop below answers. */
  readonly stops: Stop[]
  readonly textModels: readonly TextModel[]
  readonly choices: ModelChoices
  readonly presetBook: PresetBook
  /** The people who have tapped the offer of their first answer. */
  readonly knowPrices: Set<number>
}

export async function createTown({ database: { sql }, journal, clock, settings }: ChaosWorld): Promise<Town> {
  for (const { code, amount, mostUses, isOver } of promoCodes)
    await sql`
      with made as (
        insert into operator_actions (action, subject, details, created_at)
        values ('promo', 'promo:' || ${code}::text, jsonb_build_object('amount', ${String(amount)}::text), now())
      )
      insert into promo_codes (code, amount, max_uses, created_at, expires_at)
      values (${code}, ${amount}, ${mostUses}, now(), now() + ${isOver ? '-1 minute' : '90 days'}::interval)`
  const models = textModels()
  return {
    journal,
    clock,
    textModels: models,
    choices: createModelChoices(models[0]?.id ?? ''),
    promoCodes: promoCodes.map((one) => ({
      ...one,
      redeemers: new Set(),
    })),
    links: new Map(),
    invitations: new Map(),
    knowPrices: new Set(),
    book: createOrderBook(settings.calledBack),
    questions: createQuestionBook(),
    payments: [],
    declined: [],
    desk: createDesk(),
    people: new Set(),
    oldButtons: [],
    groups: [],
    sentAgain: [],
    originalsAsked: [],
    withdrawals: [],
    stops: [],
    presetBook: { presets: [], uses: [] },
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
  const { settings, chance, outside, chats, journal } = world
  const phones = createPhones(outside.url, chats, journal, settings.patienceMs)
  await formGroups(town, phones, settings.people)
  const lives = Array.from({ length: settings.people }, async (_, n) => {
    const own = chance.stream(`person ${n}`)
    // Half of the people arrive later, so that the first message of a person also meets faults.
    const comesMs = n % 2 === 0 ? 0 : own.between(0, settings.seconds * 800)
    await world.clock.wait(comesMs, ending)
    if (ending.aborted) return
    town.people.add(firstPerson + n)
    await live(town, await phones.person(firstPerson + n, own, ending), settings.pauseMs)
  })
  const hasTalked = (person: number) => chats.of(person).told().length > 0
  const office = {
    desk: town.desk,
    clock: world.clock,
    people: () => [...town.people].filter(hasTalked),
    payers: () => town.payments.map(({ person }) => person),
  }
  const own = (id: number) => phones.person(id, chance.stream(`operator ${id}`), ending)
  const operators = await Promise.all(operatorIds.map(own))
  const works = [operators, operators.toReversed()].map(([one, other]) =>
    one && other ? operate(office, [one, other], settings.operatorPauseMs) : undefined,
  )
  await Promise.all([...lives, ...works])
  await phones.close()
}
