// Checks of money by the harness's own sums: orders, answers, balances, wallets, and what people must be told about their money. What each
// person and each wallet must have is computed from payments, gifts, orders, questions and the actions of operators. The app's tables are
// read only for actions that may or may not have succeeded, such as the use of a promo code. All amounts are in kopecks.

import {
  capOf,
  invitedBonus,
  type PromoCode,
  referralBonus,
  referralPercent,
  topUpBonus,
} from '../settings.ts'
import { type Message, wordsOf } from '../users/chats.ts'
import { isThanks, type Payment } from '../users/paying.ts'
import type { TriedCode } from '../users/town.ts'
import { type Group, isFilled } from '../users/wallets.ts'
import { wrongAnswers } from './answers.ts'
import type { Checks, Evidence, Found } from './evidence.ts'
import type { JudgedOrder } from './orders.ts'

/** A change of the balance of a person, or of a wallet, which has the id of its group. */
interface Entry {
  readonly person: number
  readonly what: string
  readonly amount: number
}

const sumOf = (entries: readonly Entry[]) => entries.reduce((sum, { amount }) => sum + amount, 0)

async function wrongBalances(evidence: Evidence): Promise<Found> {
  const { town, balances, journal, database } = evidence
  const accounts = await database.sql<{ id: number; available: number; held: number }[]>`
    select case a.kind when 'group' then a.chat_id else u.telegram_id end::float as id, a.available::float, a.held::float
    from accounts a join users u on u.id = a.owner_id where u.telegram_id is not null`
  const known = new Map(accounts.map((one) => [one.id, one]))
  const entries = Map.groupBy(entriesOf(evidence), ({ person }) => person)
  const wallets = accounts.filter(({ id }) => id < 0).map(({ id }) => id)
  journal.count('wallets of groups', wallets.length)
  return [...town.people, ...wallets].flatMap((id) => {
    const own = entries.get(id) ?? []
    const { available, held } = known.get(id) ?? { available: 0, held: 0 }
    const [due, said] = [sumOf(own), balances.get(id)]
    const list = own.map(({ what, amount }) => `${what} ${amount}`).join(', ')
    const faults = [
      ...(available === due ? [] : [`has ${available}, must have ${due} = ${list}`]),
      ...(held === 0 ? [] : [`${held} are held although nothing is under way`]),
      ...(said === available ? [] : [`has ${available}, and the bot says ${said ?? 'nothing'}`]),
    ]
    return faults.map((fact) => ({ about: String(id), fact }))
  })
}

function entriesOf(evidence: Evidence): readonly Entry[] {
  const { town, settings, invitations, judged, done } = evidence
  const corrections = town.desk.corrections.filter(({ reason }) => done.has(reason))
  return [
    ...[...town.people].map((person) => ({ person, what: 'welcome', amount: settings.welcomeCredit * 100 })),
    ...town.promoCodes.flatMap((promo) => promoOf(promo, evidence)),
    ...bonusesIn(evidence),
    ...invitations.map(({ friend }) => ({
      person: friend,
      what: 'came by an invitation',
      amount: invitedBonus,
    })),
    ...town.payments.flatMap((payment) => paymentOf(payment, evidence)),
    ...corrections.map(({ person, reason, amount }) => ({ person, what: `correction ${reason}`, amount })),
    ...judged.map(spentOn),
    ...answersIn(evidence),
    ...town.groups.flatMap((group) => movesOf(group, evidence)),
  ]
}

const spentOn = ({ payer, mark, cost: { captured, refunded } }: JudgedOrder): Entry => ({
  person: payer,
  what: mark,
  amount: refunded - captured,
})

/** What answers cost by the app's tables. Whether these prices are right is judged separately. */
function answersIn({ town, turns }: Evidence): readonly Entry[] {
  const askers = new Map(town.questions.map(({ number, person }) => [number, person]))
  return turns.flatMap(({ number, captured, refunded }) => {
    const person = askers.get(number)
    return person === undefined ? [] : [{ person, what: `question ${number}`, amount: refunded - captured }]
  })
}

/** What a payment brings its payer, with the bonus for a larger one, and the percents of the inviter; nothing if it was refunded. */
function paymentOf(
  { charge, asked, person, credit }: Payment,
  { books, invitations }: Evidence,
): readonly Entry[] {
  if (books.paid.get(charge) !== asked || books.refunded.has(charge)) return []
  const what = `payment ${charge.slice(0, 6)}`
  const bonus = credit >= topUpBonus.from ? (credit * topUpBonus.percent) / 100 : 0
  const inviters = invitations.filter(({ friend }) => friend === person)
  return [
    { person, what, amount: credit + bonus },
    ...inviters.map(({ inviter }) => ({
      person: inviter,
      what: `percents of ${what}`,
      amount: (credit * referralPercent) / 100,
    })),
  ]
}

/**
 * The bonuses for the first payments of friends. A bonus is taken back when no payment of the friend is left, and not given again for a later
 * one: with some payments kept and others given back, their order decides, which the app's tables tell.
 */
const bonusesIn = ({ town, books, invitations }: Evidence): readonly Entry[] =>
  invitations.map(({ friend, inviter, isTakenBack }) => {
    const paid = town.payments.filter(
      ({ person, charge, asked }) => person === friend && books.paid.get(charge) === asked,
    )
    const kept = paid.filter(({ charge }) => !books.refunded.has(charge))
    const isDue = kept.length > 0 && (kept.length === paid.length || !isTakenBack)
    return { person: inviter, what: `invited ${friend}`, amount: isDue ? referralBonus : 0 }
  })

/** The uses of a promo code by the app's tables. */
const usesOf = ({ code }: PromoCode, { moves }: Evidence) =>
  moves.filter(({ kind, note }) => kind === 'promotion' && note === code)

/** Everybody who tried a code has its credit; if more people tried it than may use it, those who came first. */
function promoOf(promo: TriedCode, evidence: Evidence): readonly Entry[] {
  const { code, amount, mostUses, redeemers } = promo
  const users = new Set(usesOf(promo, evidence).map(({ person }) => person))
  const due = [...redeemers].filter((person) => redeemers.size <= mostUses || users.has(person))
  return due.map((person) => ({ person, what: `promo ${code}`, amount }))
}

/** The moves of money between an owner and a wallet: each button moves its amount at most once, and once if the bot said so. */
function movesOf({ id, owner, fills }: Group, { chats, moves }: Evidence): readonly Entry[] {
  const { answers } = chats.of(owner)
  const own = moves.filter(({ group }) => group === id)
  const filled = [...Map.groupBy(fills.values(), ({ amount }) => amount)].map(([amount, buttons]) => {
    const told = buttons.filter(({ taps }) => taps.some((tap) => isFilled(answers.get(tap)))).length
    const made = own.filter((one) => one.kind === 'fund' && one.amount === amount).length
    return { what: 'filled', amount: amount * Math.max(told, Math.min(made, buttons.length)) }
  })
  const back = own.filter(({ kind }) => kind === 'take-back')
  return [...filled, ...back.map(({ amount }) => ({ what: 'taken back', amount: -amount }))].flatMap(
    ({ what, amount }) => [
      { person: id, what, amount },
      { person: owner, what, amount: -amount },
    ],
  )
}

/** What is spent per person by these entries, where it is above the limit. */
const spentOverLimit = (most: number, spending: readonly Entry[]): Found =>
  [...Map.groupBy(spending, ({ person }) => person)].flatMap(([person, own]) => {
    const spent = -sumOf(own)
    return spent > most ? [{ about: String(person), fact: `spent ${spent}, the limit is ${most}` }] : []
  })

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
    to: (evidence) => bonusesIn(evidence).filter(({ amount }) => amount > 0),
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
    const paid = evidence.turns.filter(({ captured }) => captured > 0)
    evidence.journal.count('answers paid for', paid.length)
    return wrongAnswers(evidence)
  },
  'each balance is what its person paid, got and spent, and each wallet what its owner and its members did':
    wrongBalances,
  // These two add up the whole run, which is shorter than a day by the app's clock.
  'nobody spends more in a day than the cap': (evidence) => {
    const orders = evidence.judged.map((order) => spentOn({ ...order, payer: order.person }))
    return spentOverLimit(capOf(evidence.settings), [...orders, ...answersIn(evidence)])
  },
  'no member spends more from the wallet of a group in a day than its limit': ({ town, judged, journal }) =>
    town.groups.flatMap(({ id, owner, cap }) => {
      const own = judged.filter(({ payer, person }) => payer === id && person !== owner)
      journal.count('orders paid by wallets', own.length)
      return spentOverLimit(
        cap,
        own.map((order) => spentOn({ ...order, payer: order.person })),
      )
    }),
  'a promo code is used at most as often as it may': (evidence) =>
    evidence.town.promoCodes.flatMap((promo) => {
      const uses = usesOf(promo, evidence).length
      return uses > promo.mostUses ? [{ about: `promo code ${promo.code}`, fact: `${uses} uses` }] : []
    }),
  'each top-up has one payment at YooKassa': ({ books: { shop } }) =>
    [...Map.groupBy(shop, ({ metadata }) => metadata.topUpId)]
      .filter(([, same]) => same.length > 1)
      .map(([topUp, same]) => ({ about: `top-up ${topUp}`, fact: `${same.length} payments` })),
  'people are told what happened to their money': untold,
}
