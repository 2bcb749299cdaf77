// Checks of money by the harness's model: orders, answers, balances, wallets, and what people must be told about their money.

import type { Message } from 'grammy/types'
import { wrongAnswers } from '../model/answers.ts'
import {
  answersIn,
  bonusesIn,
  entriesOf,
  faultsOfBalances,
  promoOf,
  spentOn,
  spentOverLimit,
  withOwner,
} from '../model/balances.ts'
import { capOf } from '../settings.ts'
import { wordsOf } from '../users/chats.ts'
import { isThanks } from '../users/paying.ts'
import type { Checks, Evidence } from './evidence.ts'

async function wrongBalances(evidence: Evidence) {
  const kept = await evidence.database.sql<{ person: number; available: number; held: number }[]>`
    select u.telegram_id::float as person, b.available::float, b.held::float
    from users u join accounts b on b.kind = 'user' and b.owner_id = u.id where u.telegram_id is not null`
  return faultsOfBalances([...evidence.town.people], entriesOf(evidence), kept, (person) =>
    evidence.balances.get(person),
  )
}

async function wrongWallets(evidence: Evidence) {
  const kept = await evidence.database.sql<
    { person: number; available: number; held: number; sum: number }[]
  >`
    select w.chat_id::float as person, w.available::float, w.held::float, (w.available + b.available)::float as sum
    from accounts w join accounts b on b.kind = 'user' and b.owner_id = w.owner_id where w.kind = 'group'`
  const groups = kept.map(({ person }) => person)
  const entries = entriesOf(evidence)
  const both = evidence.town.groups.flatMap((group) => withOwner(entries, group))
  const sums = new Map(kept.map(({ person, sum }) => [person, sum]))
  const together = kept.map(({ person, sum }) => ({ person, available: sum, held: 0 }))
  evidence.journal.count('wallets of groups', kept.length)
  return [
    ...faultsOfBalances(groups, entries, kept, (group) => evidence.balances.get(group)),
    ...faultsOfBalances(groups, both, together, (group) => sums.get(group)).map(({ about, fact }) => ({
      about,
      fact: `with its owner ${fact}`,
    })),
  ]
}

/** What people must be told, once or more: a process that is killed after sending a message and before recording it sends it again. */
const tellings: readonly {
  readonly what: string
  readonly to: (evidence: Evidence) => readonly { readonly person: number; readonly reason?: string }[]
  readonly tells: RegExp | ((message: Message) => boolean)
}[] = [
  { what: 'payments', to: ({ town }) => town.payments, tells: isThanks },
  {
    what: 'payments given back',
    to: ({ town, books }) => town.payments.filter(({ charge }) => books.refunded.has(charge)),
    tells: /^↩️ Your payment was refunded/,
  },
  {
    what: 'payments declined',
    to: ({ town }) => town.declined,
    tells: / didn’t go through or wasn’t finished in time/,
  },
  {
    what: 'bonuses for invitations',
    to: (evidence) => bonusesIn(evidence).filter(({ due }) => due.least > 0),
    tells: /^🎁 A friend you invited has topped up/u,
  },
  { what: 'decisions of operators', to: decisionsIn, tells: /^(?:➕|➖|↩️)/u },
]

function decisionsIn({ town: { desk }, done, ordered }: Evidence) {
  const refunds = desk.refunds.flatMap(({ generation, reason }) => {
    const person = ordered.find(({ id }) => id === generation)?.chatId
    return person === undefined ? [] : [{ person, reason }]
  })
  return [...desk.corrections, ...refunds].filter(({ reason }) => done.has(reason))
}

const untold = (evidence: Evidence) =>
  tellings.flatMap(({ what, to, tells }) => {
    const facts = to(evidence)
    evidence.journal.count(`told: ${what}`, facts.length)
    const groups = Map.groupBy(facts, ({ person, reason = '' }) => `${person} ${reason}`)
    const isTold = (message: Message) =>
      tells instanceof RegExp ? tells.test(wordsOf(message)) : tells(message)
    return [...groups.values()].flatMap((same) => {
      const [{ person, reason = '' } = { person: 0 }] = same
      const shown = [...evidence.chats.of(person).shown.values()].map(({ message }) => message)
      const told = shown.filter((one) => isTold(one) && wordsOf(one).includes(reason)).length
      const fact = `${same.length} ${what} ${reason}, ${told} messages`
      return told < (reason ? 1 : same.length) ? [{ about: String(person), fact }] : []
    })
  })

export const moneyChecks: Checks = {
  'each order costs the price on its button, by what came': ({ judged }) =>
    judged.flatMap(({ mark, faults }) => faults.map((fact) => ({ about: mark, fact }))),
  'each answer costs what the gateway billed, and is in its chat': (evidence) => {
    const { town, journal, turns } = evidence
    journal.count('answers paid for', turns.filter(({ captured }) => captured > 0).length)
    journal.count('answers that people stopped', town.stops.length)
    return wrongAnswers(evidence)
  },
  'each balance is what its person paid, got and spent': wrongBalances,
  'each wallet of a group is what its owner put in and its members spent': wrongWallets,
  // These two add up the whole run, which is shorter than a day by the app's clock.
  'nobody spends more in a day than the cap': (evidence) => {
    const orders = evidence.judged.map((order) => spentOn({ ...order, payer: order.person }))
    return spentOverLimit(capOf(evidence.settings), [...orders, ...answersIn(evidence)])
  },
  'no member spends more from the wallet of a group in a day than its limit': ({ town, judged, journal }) =>
    town.groups.flatMap(({ id, owner, caps }) => {
      const own = judged.filter(({ payer, person }) => payer === id && person !== owner)
      journal.count('orders paid by wallets', own.length)
      const spending = own.map((order) => spentOn({ ...order, payer: order.person }))
      return spentOverLimit(Math.max(...caps), spending)
    }),
  'a promo code is used at most as often as it may': ({ town, chats }) =>
    town.promoCodes.flatMap((promo) => {
      const { told } = promoOf(promo, chats)
      const fact = `${told.size} people have it`
      return told.size > promo.mostUses ? [{ about: `promo code ${promo.code}`, fact }] : []
    }),
  'each top-up has one payment at YooKassa': ({ books: { shop } }) =>
    [...Map.groupBy(shop, ({ metadata }) => metadata.topUpId)]
      .filter(([, same]) => same.length > 1)
      .map(([topUp, same]) => ({ about: `top-up ${topUp}`, fact: `${same.length} payments` })),
  'people are told what happened to their money': untold,
}
