// Each payment was credited once; welcome and promo money was given once, and to everybody who came for it.

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
      ...foreign.map((key) => ({ about: key, fact: 'nobody paid this' })),
    ]
  },
}

export const welcomedOnce: Check = {
  name: 'everybody is welcomed once',
  async find({ database: { sql } }: Evidence) {
    const found = await sql`
      select u.telegram_id::text as about, count(t.id) || ' times' as fact
      from users u left join transfers t on t.user_id = u.id and t.key like 'welcome:%'
      group by u.id having count(t.id) <> 1`
    return found.map(({ about, fact }) => ({ about: String(about), fact: String(fact) }))
  },
}
