// Judges balances, orders and messages about money by the harness's model: by what people saw, tapped and paid, what operators did, and
// what the gateway and the payment provider booked.

import { z } from 'zod'
import { faultsOfBalances } from '../model/balances.ts'
import type { Check } from './check.ts'
import { answersOf, entriesOf, spentOn } from './entries.ts'
import { judged } from './judged.ts'

export const everyOrderCostsWhatWasSeen: Check = {
  name: 'each order costs the price on its button, by what came',
  find: (evidence) =>
    judged(evidence).flatMap(({ mark, faults }) => faults.map((fact) => ({ about: mark, fact }))),
}

const row = z.object({
  person: z.coerce.number(),
  available: z.coerce.number(),
  held: z.coerce.number(),
})

export const everyBalanceIsRight: Check = {
  name: 'each balance is what its person paid, got and spent',
  async find(evidence) {
    const { people, balances, database } = evidence
    const found = await database.sql`
      select u.telegram_id::text as person, b.available::text as available, b.held::text as held
      from users u join accounts b on b.kind = 'user' and b.owner_id = u.id where u.telegram_id is not null`
    const faults = faultsOfBalances({
      people: [...people],
      entries: await entriesOf(evidence, judged(evidence)),
      kept: found.map((one) => row.parse(one)),
      saidBy: (person) => balances.get(person),
    })
    return faults.map(({ person, fact }) => ({ about: String(person), fact }))
  },
}

/** Adds up the whole run, which is shorter than a day by the app's clock. */
export const nobodySpendsMoreThanTheCap: Check = {
  name: 'nobody spends more in a day than the cap',
  async find(evidence) {
    const orders = judged(evidence).map((order) => spentOn({ ...order, payer: order.person }))
    const spending = [...orders, ...(await answersOf(evidence))]
    return [...Map.groupBy(spending, ({ person }) => person)].flatMap(([person, own]) => {
      const spent = -own.reduce((sum, { due }) => sum + due.most, 0)
      const fact = `spent ${spent}, the cap is ${evidence.cap}`
      return spent > evidence.cap ? [{ about: String(person), fact }] : []
    })
  },
}
