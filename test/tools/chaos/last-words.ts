// After all work has ended, some payments are refunded outside of the bot, and the app's clock is advanced by an hour, so that the app
// compares payments with the provider; bans are lifted; then every person asks for the balance.

import { readBooks } from './books/index.ts'
import { amountIn } from './model/balances.ts'
import { refundElsewhere } from './refunds-elsewhere.ts'
import { liftBan } from './users/operating.ts'
import { createPhones, lastMessage, type Person, type Phones } from './users/person.ts'
import type { Town } from './users/town.ts'
import type { ChaosWorld } from './world.ts'

const hourMs = 61 * 60_000
const comparingMs = 10_000
const lookMs = 200
const atOnce = 8

/** @returns the amounts in the bot's answers in kopecks: to `/balance` by person, and to `/wallet` by group */
export async function askForBalances(world: ChaosWorld, town: Town): Promise<ReadonlyMap<number, number>> {
  const { settings, outside, chats, journal, database } = world
  const phones = createPhones(outside.url, chats, journal, settings.patienceMs)
  await refundElsewhere(world, town, phones)
  world.clock.leap(hourMs)
  await untilCompared(world)
  await liftBans(world, town, phones)
  const said = new Map<number, number>()
  const left = [...town.people]
  const askAll = async () => {
    for (let person = left.pop(); person !== undefined; person = left.pop()) {
      const amount = await balanceOf(await phoneOf(world, phones, person))
      if (amount !== undefined) said.set(person, amount)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, askAll))
  const opened = await database.sql`select chat_id::text as id from accounts where kind = 'group'`
  const wallets = new Set(opened.map(({ id }) => Number(id)))
  for (const { id, owner } of town.groups.filter((group) => wallets.has(group.id))) {
    const amount = await leftIn(await phoneOf(world, phones, owner))
    if (amount !== undefined) said.set(id, amount)
  }
  await phones.close()
  return said
}

const phoneOf = ({ chance }: ChaosWorld, phones: Phones, person: number): Promise<Person> =>
  phones.person(person, chance.stream(`last words ${person}`), new AbortController().signal)

/** A debt is below zero. */
async function balanceOf(person: Person): Promise<number | undefined> {
  const text = await answerTo(person, '/balance', /^(Balance:|You owe) ₽/)
  const amount = amountIn(text)
  return amount !== undefined && text.startsWith('You owe') ? -amount : amount
}

const leftIn = async (owner: Person) => amountIn(await answerTo(owner, '/wallet', /^Left: ₽/m))

/** @returns the bot's answer from these words on; empty without an answer */
async function answerTo(person: Person, question: string, words: RegExp): Promise<string> {
  const last = lastMessage(person)
  await person.says(question)
  const answer = await person.sees(({ message_id, text = '' }) => message_id > last && words.test(text))
  const text = answer?.text ?? ''
  return text.slice(text.search(words))
}

/** Waits until the app knows all payments, refusals and refunds of the providers, or the time limit is reached. */
async function untilCompared(world: ChaosWorld): Promise<void> {
  const { clock } = world
  const end = clock.now().getTime() + comparingMs
  while (clock.now().getTime() < end && !(await isCompared(world))) await clock.wait(lookMs)
}

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

async function liftBans(world: ChaosWorld, { desk }: Town, phones: Phones): Promise<void> {
  const { sql } = world.database
  const [first] = desk.operators
  if (first === undefined || desk.banned.size === 0) return
  const operator = await phoneOf(world, phones, first)
  const banned = await sql`select telegram_id as id from users where banned_at is not null`
  for (const { id } of banned) await liftBan(operator, Number(id), desk)
  const isLifted = async () => {
    const left = await sql`select id from users where banned_at is not null`
    return left.length === 0
  }
  const end = world.clock.now().getTime() + comparingMs
  while (!(await isLifted()) && world.clock.now().getTime() < end) await world.clock.wait(lookMs)
}
