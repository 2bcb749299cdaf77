// Each payment was credited once and confirmed to its payer; everybody received the welcome credit once.

import { wordsOf } from '../users/chats.ts'
import type { Check, Evidence } from './check.ts'

export const creditedOnce: Check = {
  name: 'each payment is credited once',
  async find({ database: { sql }, payments }: Evidence) {
    const credited = await sql`select key from transfers where kind = 'deposit'`
    const times = new Map<string, number>()
    for (const { key } of credited) times.set(String(key), (times.get(String(key)) ?? 0) + 1)
    const wrong = payments.filter(({ charge }) => times.get(`deposit:stars:${charge}`) !== 1)
    const ours = new Set(payments.map(({ charge }) => `deposit:stars:${charge}`))
    const foreign = [...times.keys()].filter((key) => !ours.has(key))
    return [
      ...wrong.map(({ charge, person }) => ({
        about: String(person),
        fact: `charge ${charge} is credited ${times.get(`deposit:stars:${charge}`) ?? 0} times`,
      })),
      ...foreign.map((key) => ({ about: key, fact: 'there is no such payment' })),
    ]
  },
}

/** A process that is killed between the sending and its record sends again, so there may be more messages than payments. */
export const payersAreTold: Check = {
  name: 'each payment is confirmed to its payer',
  find: ({ chats, payments }: Evidence) =>
    [...Map.groupBy(payments, ({ person }) => person)].flatMap(([person, own]) => {
      const said = [...chats.of(person).shown.values()].filter(({ message }) => isThanks(wordsOf(message)))
      return said.length < own.length
        ? [{ about: String(person), fact: `${own.length} payments, ${said.length} messages` }]
        : []
    }),
}

/** Like `✅ ₽50.00 added.` */
const isThanks = (words: string): boolean => /^✅ ₽[\d.,]+\D{0,2} added\./.test(words)

export const welcomedOnce: Check = {
  name: 'everybody receives the welcome credit once',
  async find({ database: { sql } }: Evidence) {
    const found = await sql`
      select u.telegram_id::text as about, count(t.id) || ' times' as fact
      from users u left join transfers t on t.user_id = u.id and t.key like 'welcome:%'
      group by u.id having count(t.id) <> 1`
    return found.map(({ about, fact }) => ({ about: String(about), fact: String(fact) }))
  },
}
