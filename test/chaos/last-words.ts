// After everything has ended: an hour passes, in which the app compares payments with the provider; bans are lifted; then everybody asks
// for their balance.

import { readBooks } from './books.ts'
import { amountIn } from './model/roubles.ts'
import { liftBan } from './users/operating.ts'
import { createPhones, type Person, type Phones } from './users/person.ts'
import type { Town } from './users/town.ts'
import type { World } from './world.ts'

const hourMs = 61 * 60_000
const comparingMs = 10_000
const lookMs = 200
const atOnce = 8

/** @returns what the bot said to `/balance`, in kopecks, by person */
export async function askForBalances(world: World, town: Town): Promise<ReadonlyMap<number, number>> {
  world.clock.leap(hourMs)
  await untilCompared(world)
  const { settings, outside, chats, journal } = world
  const phones = createPhones(outside.url, chats, journal, settings.patienceMs)
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
  await phones.close()
  return said
}

const phoneOf = ({ chance }: World, phones: Phones, person: number): Promise<Person> =>
  phones.person(person, chance.stream(`last words ${person}`), new AbortController().signal)

async function balanceOf(person: Person): Promise<number | undefined> {
  const last = Math.max(0, ...person.chat.told().map(({ id }) => id))
  await person.says('/balance')
  const answer = await person.sees(
    ({ message_id, text = '' }) => message_id > last && /^Balance: ₽/.test(text),
  )
  return amountIn(answer?.text ?? '')
}

/** Until the app knows all payments and refunds of the provider, or the time is over. */
async function untilCompared({ outside, database: { sql }, clock }: World): Promise<void> {
  const end = clock.now().getTime() + comparingMs
  const { paid, refunded } = await readBooks(outside)
  while (clock.now().getTime() < end) {
    const [known] = await sql`
      select count(*)::integer as paid, count(refunded_at)::integer as refunded from payments`
    if (Number(known?.paid) >= paid.size && Number(known?.refunded) >= refunded.size) return
    await clock.wait(lookMs)
  }
}

async function liftBans(world: World, { desk }: Town, phones: Phones): Promise<void> {
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
