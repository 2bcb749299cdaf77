// After all work has ended, some payments are refunded outside of the bot, and the app's clock is advanced by an hour, so that the app
// compares payments with the provider; then every person asks for the balance.

import { ask, readBooks } from './books.ts'
import { amountIn } from './model/balances.ts'
import type { Payment } from './users/paying.ts'
import { createPhones, type Person, type Phones } from './users/person.ts'
import { refundable, type Town } from './users/town.ts'
import type { ChaosWorld } from './world.ts'

const hourMs = 61 * 60_000
const comparingMs = 10_000
const lookMs = 200
const atOnce = 8
/** The most payments of each provider that are refunded elsewhere. */
const mostRefunds = 2

/** @returns the amounts in the bot's answers in kopecks: to `/balance` by person, and to `/wallet` by group */
export async function askForBalances(world: ChaosWorld, town: Town): Promise<ReadonlyMap<number, number>> {
  const { settings, outside, chats, journal, database, chance, clock } = world
  const phones = createPhones(outside.url, chats, journal, settings.patienceMs)
  await refundElsewhere(world, town, phones)
  clock.leap(hourMs)
  const end = clock.now().getTime() + comparingMs
  while (clock.now().getTime() < end && !(await isCompared(world))) await clock.wait(lookMs)
  const said = new Map<number, number>()
  const answer = async (of: number, id: number, question: string, words: RegExp) => {
    const person = await phones.person(id, chance.stream(`last words ${id}`), new AbortController().signal)
    const amount = await amountOf(person, question, words)
    if (amount !== undefined) said.set(of, amount)
  }
  const left = [...town.people]
  const askAll = async () => {
    for (let one = left.pop(); one !== undefined; one = left.pop())
      await answer(one, one, '/balance', /^(Balance:|You owe) ₽/)
  }
  await Promise.all(Array.from({ length: atOnce }, askAll))
  const opened = await database.sql`select chat_id::text as id from accounts where kind = 'group'`
  const wallets = new Set(opened.map(({ id }) => Number(id)))
  for (const { id, owner } of town.groups.filter((group) => wallets.has(group.id)))
    await answer(id, owner, '/wallet', /^Left: ₽/m)
  await phones.close()
  return said
}

/** The amount in the bot's answer, from these words on. A debt is below zero. */
async function amountOf(person: Person, question: string, words: RegExp): Promise<number | undefined> {
  const answer = await person.asks(question, ({ text = '' }) => words.test(text))
  const text = answer?.text?.slice(answer.text.search(words)) ?? ''
  const amount = amountIn(text)
  return amount !== undefined && text.startsWith('You owe') ? -amount : amount
}

/** Whether the app knows all payments, refusals and refunds of the providers. */
async function isCompared({ outside, database: { sql } }: ChaosWorld): Promise<boolean> {
  const { paid, refunded, shop } = await readBooks(outside)
  const declined = shop.filter(({ status }) => status === 'canceled').map(({ id }) => id)
  const [known] = await sql`
    select count(*)::integer as paid, count(refunded_at)::integer as refunded,
      (select count(*)::integer from top_ups where state = 'open' and external_id = any (${declined})) as open,
      (select count(*)::integer from transfers t join payments p on p.top_up_id = t.top_up_id
        where t.kind = 'refund' and t.credit = 'provider' and p.refunded_at is null
          and not exists (select from transfers c where c.key = 'correction:' || t.key)) as unfinished
    from payments`
  const isKnown = Number(known?.paid) >= paid.size && Number(known?.refunded) >= refunded.size
  return isKnown && Number(known?.open) === 0 && Number(known?.unfinished) === 0
}

/** Refunds some payments, also of people who have spent a part of their credit: they owe it then. */
async function refundElsewhere(world: ChaosWorld, town: Town, phones: Phones): Promise<void> {
  const { paid, refunded } = await readBooks(world.outside)
  const kept = refundable(town).filter(
    ({ charge, asked }) => paid.get(charge) === asked && !refunded.has(charge),
  )
  const perPerson = [...Map.groupBy(kept, ({ person }) => person).values()].flatMap((own) => own.slice(0, 1))
  for (const [provider, same] of Map.groupBy(perPerson, (payment) => payment.provider))
    for (const payment of same.slice(0, mostRefunds)) {
      world.journal.count(`refund elsewhere: ${provider}`)
      await (provider === 'stars' ? refundStars(world, payment) : phones.refundsInCabinet(payment.charge))
    }
}

/** Another program with the bot's token refunds Stars. The report is lost, so the app finds the refund only in the list of Stars. */
async function refundStars({ outside }: ChaosWorld, { charge, person }: Payment): Promise<void> {
  const fault = { kind: 'cut', after: false } as const
  outside.faults.add({ target: 'telegram', operation: 'refunded_payment', fault, times: 1 })
  const asked = new URLSearchParams({ user_id: String(person), telegram_payment_charge_id: charge })
  await ask(`${outside.url}/bot${outside.env.BOT_TOKEN}/refundStarPayment?${asked}`)
}
