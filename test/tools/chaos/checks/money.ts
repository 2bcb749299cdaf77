// Checks of money by the harness's model: orders, answers, balances, wallets, and what people must be told about their money.

import type { Message } from 'grammy/types'
import { z } from 'zod'
import { faultsOfAnswers } from '../model/answers.ts'
import {
  amountIn,
  bonusOf,
  disturbedBy,
  type Entry,
  exactly,
  faultsOfBalances,
  movesOf,
  type PromoFacts,
  promoEntries,
  together,
  upTo,
  type WalletFacts,
} from '../model/balances.ts'
import type { JudgedOrder } from '../model/orders.ts'
import { capOf, invitedBonus, referralBonus, referralPercent, textModels, topUpBonus } from '../settings.ts'
import { wordsOf } from '../users/chats.ts'
import { isThanks, type Payment } from '../users/paying.ts'
import type { Checks, Evidence } from './evidence.ts'

/** Their sum is the balance that each person must have; it is computed without the app's transfers. */
const entriesOf = (evidence: Evidence): readonly Entry[] => [
  ...[...evidence.town.people].map((person) => ({
    person,
    what: 'welcome',
    due: exactly(evidence.settings.welcomeCredit * 100),
  })),
  ...promosOf(evidence).flatMap(promoEntries),
  ...bonusesIn(evidence),
  ...[...evidence.town.invitations].map(([person, { isCertain }]) => ({
    person,
    what: 'came by an invitation',
    due: isCertain ? exactly(invitedBonus) : upTo(invitedBonus),
  })),
  ...paymentsIn(evidence),
  ...percentsIn(evidence),
  ...evidence.town.desk.corrections
    .filter(({ reason }) => evidence.done.has(reason))
    .map(({ person, reason, amount }) => ({ person, what: `correction ${reason}`, due: exactly(amount) })),
  ...evidence.judged.map(spentOn),
  ...answersIn(evidence),
  ...walletsOf(evidence).flatMap(movesOf),
]

const spentOn = ({ payer, mark, cost: { captured, refunded } }: JudgedOrder): Entry => ({
  person: payer,
  what: mark,
  due: exactly(refunded - captured),
})

/** What answers cost by the app's tables. Whether these prices are right is judged separately. */
function answersIn({ town, turns }: Evidence): readonly Entry[] {
  const askers = new Map(town.questions.map(({ number, person }) => [number, person]))
  return turns.flatMap(({ number, captured, refunded }) => {
    const person = askers.get(number)
    const due = exactly(refunded - captured)
    return person === undefined ? [] : [{ person, what: `question ${number}`, due }]
  })
}

/** A payment counts if the provider booked the amount that was asked for and did not refund it. */
const isKept = ({ books }: Evidence, { charge, asked }: Payment): boolean =>
  books.paid.get(charge) === asked && !books.refunded.has(charge)

/** What a payment brings its payer, with the bonus for a larger one. */
const worthOf = ({ credit }: Payment): number =>
  credit + (credit >= topUpBonus.from ? (credit * topUpBonus.percent) / 100 : 0)

const paymentsIn = (evidence: Evidence): readonly Entry[] =>
  evidence.town.payments.map((payment) => {
    const due = exactly(isKept(evidence, payment) ? worthOf(payment) : 0)
    return { person: payment.person, what: `payment ${payment.charge.slice(0, 6)}`, due }
  })

/** The percents of an inviter. */
const percentsIn = (evidence: Evidence): readonly Entry[] =>
  evidence.town.payments.flatMap((payment) => {
    const invitation = evidence.town.invitations.get(payment.person)
    if (!invitation || !isKept(evidence, payment)) return []
    const share = (payment.credit * referralPercent) / 100
    const due = invitation.isCertain ? exactly(share) : upTo(share)
    return [{ person: invitation.inviter, what: `percents of ${payment.charge.slice(0, 6)}`, due }]
  })

const promosOf = ({ town, chats }: Evidence): readonly PromoFacts[] =>
  town.promoCodes.map((promo) => {
    const isCredit = (words: string) => /^🎁 ₽[\d.,]+ added/u.test(words) && amountIn(words) === promo.amount
    const told = [...promo.redeemers].filter((person) =>
      chats
        .of(person)
        .told()
        .some(({ words }) => isCredit(words)),
    )
    return { ...promo, told: new Set(told) }
  })

function bonusesIn({ town, books }: Evidence): readonly Entry[] {
  const booked = town.payments.filter(({ charge, asked }) => books.paid.get(charge) === asked)
  return [...town.invitations].map(([friend, { inviter, isCertain }]) => {
    const paid = booked.filter(({ person }) => person === friend)
    const givenBack = paid.filter(({ charge }) => books.refunded.has(charge)).length
    return bonusOf({ friend, inviter, isCertain, kept: paid.length - givenBack, givenBack }, referralBonus)
  })
}

const walletsOf = ({ town, chats }: Evidence): readonly WalletFacts[] =>
  town.groups.map(({ id, owner, moves }) => ({
    id,
    owner,
    moves,
    answerTo: (tap) => chats.of(owner).answers.get(tap),
  }))

const balance = z.object({
  person: z.coerce.number(),
  available: z.coerce.number(),
  held: z.coerce.number(),
  /** Of a wallet: with the balance of its owner. */
  sum: z.coerce.number().default(0),
})

async function wrongBalances(evidence: Evidence) {
  const found = await evidence.database.sql`
    select u.telegram_id::text as person, b.available::text as available, b.held::text as held
    from users u join accounts b on b.kind = 'user' and b.owner_id = u.id where u.telegram_id is not null`
  return faultsOfBalances({
    people: [...evidence.town.people],
    entries: entriesOf(evidence),
    kept: found.map((one) => balance.parse(one)),
    saidBy: (person) => evidence.balances.get(person),
  })
}

async function wrongWallets(evidence: Evidence) {
  const found = await evidence.database.sql`
    select w.chat_id::text as person, w.available::text as available, w.held::text as held,
      (w.available + b.available)::text as sum
    from accounts w join accounts b on b.kind = 'user' and b.owner_id = w.owner_id where w.kind = 'group'`
  const kept = found.map((one) => balance.parse(one))
  const people = kept.map(({ person }) => person)
  const entries = entriesOf(evidence)
  const sums = new Map(kept.map(({ person, sum }) => [person, sum]))
  evidence.journal.count('wallets of groups', kept.length)
  return [
    ...faultsOfBalances({ people, entries, kept, saidBy: (group) => evidence.balances.get(group) }),
    ...faultsOfBalances({
      people,
      entries: walletsOf(evidence).flatMap((wallet) => together(entries, wallet)),
      kept: kept.map(({ person, sum }) => ({ person, available: sum, held: 0 })),
      saidBy: (group) => sums.get(group),
    }).map(({ about, fact }) => ({ about, fact: `with its owner ${fact}` })),
  ]
}

/** The most that is spent per person by these entries, where it is above the limit. */
const above = (most: number, spending: readonly Entry[]) =>
  [...Map.groupBy(spending, ({ person }) => person)].flatMap(([person, own]) => {
    const spent = -own.reduce((sum, { due }) => sum + due.most, 0)
    return spent > most ? [{ about: String(person), fact: `spent ${spent}, the limit is ${most}` }] : []
  })

/** What people must be told, once or more: a process that is killed after sending a message and before recording it sends it again. */
const tellings: readonly {
  readonly what: string
  readonly to: (evidence: Evidence) => readonly { readonly person: number; readonly reason?: string }[]
  readonly tells: (message: Message, reason: string) => boolean
}[] = [
  { what: 'payments', to: ({ town }) => town.payments, tells: isThanks },
  {
    what: 'payments given back',
    to: ({ town, books }) => town.payments.filter(({ charge }) => books.refunded.has(charge)),
    tells: (message) => /^↩️ Your payment was refunded/.test(wordsOf(message)),
  },
  {
    what: 'payments declined',
    to: ({ town }) => town.declined,
    tells: (message) => / didn’t go through or wasn’t finished in time/.test(wordsOf(message)),
  },
  {
    what: 'bonuses for invitations',
    to: (evidence) => bonusesIn(evidence).filter(({ due }) => due.least > 0),
    tells: (message) => /^🎁 A friend you invited has topped up/u.test(wordsOf(message)),
  },
  {
    what: 'decisions of operators',
    to: ({ town: { desk }, done, ordered }) =>
      [
        ...desk.corrections,
        ...desk.refunds.flatMap(({ generation, reason }) => {
          const person = ordered.find(({ id }) => id === generation)?.chatId
          return person === undefined ? [] : [{ person, reason }]
        }),
      ].filter(({ reason }) => done.has(reason)),
    tells: (message, reason) => /^(?:➕|➖|↩️)/u.test(wordsOf(message)) && wordsOf(message).includes(reason),
  },
]

const untold = (evidence: Evidence) =>
  tellings.flatMap(({ what, to, tells }) => {
    const facts = to(evidence)
    evidence.journal.count(`told: ${what}`, facts.length)
    const groups = Map.groupBy(facts, ({ person, reason = '' }) => `${person} ${reason}`)
    return [...groups.values()].flatMap((same) => {
      const [{ person, reason = '' } = { person: 0 }] = same
      const shown = [...evidence.chats.of(person).shown.values()]
      const told = shown.filter(({ message }) => tells(message, reason)).length
      const fact = `${same.length} ${what} ${reason}, ${told} messages`
      return told < (reason ? 1 : same.length) ? [{ about: String(person), fact }] : []
    })
  })

export const moneyChecks: Checks = {
  'each order costs the price on its button, by what came': ({ judged }) =>
    judged.flatMap(({ mark, faults }) => faults.map((fact) => ({ about: mark, fact }))),
  'each answer costs what the gateway billed, and is in its chat': ({
    town,
    accounts,
    chats,
    journal,
    turns,
  }) => {
    journal.count('answers paid for', turns.filter(({ captured }) => captured > 0).length)
    journal.count('answers that people stopped', town.stops.length)
    return faultsOfAnswers({
      questions: town.questions,
      stops: town.stops,
      billed: accounts.answers,
      booked: turns,
      saidTo: (person) => chats.of(person).told(),
      wasDisturbed: disturbedBy(journal.times()),
      models: textModels(),
    })
  },
  'each balance is what its person paid, got and spent': wrongBalances,
  'each wallet of a group is what its owner put in and its members spent': wrongWallets,
  // These two add up the whole run, which is shorter than a day by the app's clock.
  'nobody spends more in a day than the cap': (evidence) => {
    const orders = evidence.judged.map((order) => spentOn({ ...order, payer: order.person }))
    return above(capOf(evidence.settings), [...orders, ...answersIn(evidence)])
  },
  'no member spends more from the wallet of a group in a day than its limit': ({ town, judged, journal }) =>
    town.groups.flatMap(({ id, owner, caps }) => {
      const own = judged.filter(({ payer, person }) => payer === id && person !== owner)
      journal.count('orders paid by wallets', own.length)
      return above(
        Math.max(...caps),
        own.map((order) => spentOn({ ...order, payer: order.person })),
      )
    }),
  'a promo code is used at most as often as it may': (evidence) =>
    promosOf(evidence)
      .filter(({ told, mostUses }) => told.size > mostUses)
      .map(({ code, told }) => ({ about: `promo code ${code}`, fact: `${told.size} people have it` })),
  'each top-up has one payment at YooKassa': ({ books: { shop } }) =>
    [...Map.groupBy(shop, ({ metadata }) => metadata.topUpId)]
      .filter(([, same]) => same.length > 1)
      .map(([topUp, same]) => ({ about: `top-up ${topUp}`, fact: `${same.length} payments` })),
  'people are told what happened to their money': untold,
}
