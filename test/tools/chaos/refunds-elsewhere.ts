// Refunds that are made outside of the bot when all work has ended: of YooKassa payments in the shop's cabinet, and of Stars by another
// program with the bot's token. The report of the latter is lost, so the app finds them only in the list of Stars.

import { z } from 'zod'
import { ask } from './ask.ts'
import { readBooks } from './books/index.ts'
import type { Payment } from './users/paying.ts'
import type { Phones } from './users/person.ts'
import type { Town } from './users/town.ts'
import type { ChaosWorld } from './world.ts'

/** The most refunded payments of each provider. */
const mostRefunds = 2

const row = z.object({ person: z.coerce.number(), available: z.coerce.number() })

/**
 * Refunds some payments, also of people who have spent a part of their credit: they owe it then. Owners of wallets have it still, since
 * otherwise the app may empty their wallets.
 */
export async function refundElsewhere(world: ChaosWorld, town: Town, phones: Phones): Promise<void> {
  const { database, journal } = world
  const found = await database.sql`
    select u.telegram_id::text as person, b.available::text as available
    from users u join accounts b on b.kind = 'user' and b.owner_id = u.id where u.telegram_id is not null`
  const balances = new Map(found.map((one) => row.parse(one)).map((one) => [one.person, one.available]))
  const { paid, refunded } = await readBooks(world.outside)
  const owners = new Set(town.groups.map(({ owner }) => owner))
  const isKept = ({ charge, asked, person, credit }: Payment) =>
    paid.get(charge) === asked &&
    !refunded.has(charge) &&
    (!owners.has(person) || (balances.get(person) ?? 0) >= credit)
  const perPerson = Map.groupBy(town.payments.filter(isKept), ({ person }) => person)
  const chosen = [...perPerson.values()].flatMap((same) => same.slice(0, 1))
  for (const [provider, same] of Map.groupBy(chosen, (payment) => payment.provider))
    for (const payment of same.slice(0, mostRefunds)) {
      journal.count(`refund elsewhere: ${provider}`)
      await refund[provider](world, phones, payment)
    }
}

const refund = {
  yookassa: async (_: ChaosWorld, phones: Phones, { charge }: Payment) => phones.refundsInCabinet(charge),
  async stars({ outside }: ChaosWorld, _: Phones, { charge, person }: Payment) {
    outside.faults.add({
      target: 'telegram',
      operation: 'refunded_payment',
      fault: { kind: 'cut', after: false },
      times: 1,
    })
    const asked = new URLSearchParams({ user_id: String(person), telegram_payment_charge_id: charge })
    await ask(`${outside.url}/bot${outside.env.BOT_TOKEN}/refundStarPayment?${asked}`)
  },
} as const
