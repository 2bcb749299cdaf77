// Checks that each payment was credited once and confirmed to its payer, and that refunds and declined payments were announced.

import type { Message } from 'grammy/types'
import { wordsOf } from '../users/chats.ts'
import { isThanks, type Payment } from '../users/payments.ts'
import type { Check, Evidence } from './check.ts'

const keyOf = ({ provider, charge }: Payment): string => `deposit:${provider}:${charge}`

export const creditedOnce: Check = {
  name: 'each payment is credited once',
  async find({ database: { sql }, payments }: Evidence) {
    const credited = await sql`select key from transfers where kind = 'deposit'`
    const times = new Map<string, number>()
    for (const { key } of credited) times.set(String(key), (times.get(String(key)) ?? 0) + 1)
    const wrong = payments.filter((one) => times.get(keyOf(one)) !== 1)
    const ours = new Set(payments.map(keyOf))
    const foreign = [...times.keys()].filter((key) => !ours.has(key))
    return [
      ...wrong.map((one) => ({
        about: String(one.person),
        fact: `charge ${one.charge} is credited ${times.get(keyOf(one)) ?? 0} times`,
      })),
      ...foreign.map((key) => ({ about: key, fact: 'there is no such payment' })),
    ]
  },
}

export const payersAreTold: Check = {
  name: 'each payment is confirmed to its payer',
  find: (evidence) => untold(evidence, evidence.payments, 'payments', isThanks),
}

export const givenBackIsTold: Check = {
  name: 'each payment that was given back is told to its payer',
  find(evidence) {
    const back = evidence.payments.filter(({ charge }) => evidence.books.refunded.has(charge))
    evidence.journal.count('payments given back', back.length)
    return untold(evidence, back, 'payments given back', (message) =>
      /^↩️ Your payment was refunded/.test(wordsOf(message)),
    )
  },
}

export const declinedIsTold: Check = {
  name: 'each payment that was declined is told to who declined it',
  find: (evidence) =>
    untold(evidence, evidence.declined, 'payments declined', (message) =>
      / did not go through or was not finished in time/.test(wordsOf(message)),
    ),
}

/** A process that is killed between sending a message and recording it sends it again, so more messages than facts are accepted. */
const untold = (
  { chats }: Evidence,
  facts: readonly { readonly person: number }[],
  what: string,
  tells: (message: Message) => boolean,
) =>
  [...Map.groupBy(facts, ({ person }) => person)].flatMap(([person, own]) => {
    const told = [...chats.of(person).shown.values()].filter(({ message }) => tells(message))
    return told.length < own.length
      ? [{ about: String(person), fact: `${own.length} ${what}, ${told.length} messages` }]
      : []
  })

export const onePageEach: Check = {
  name: 'each top-up has one payment at YooKassa',
  find: ({ books: { shop } }) =>
    [...Map.groupBy(shop, ({ metadata }) => metadata.topUpId)]
      .filter(([, same]) => same.length > 1)
      .map(([topUp, same]) => ({ about: `top-up ${topUp}`, fact: `${same.length} payments` })),
}

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
