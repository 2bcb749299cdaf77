// Checks of money by the harness's own sums: orders, answers, balances, wallets, and what people must be told about their money. What each
// person and each wallet must have is computed from payments, invitations, orders, questions and the actions of operators. The app's tables
// are read only for actions that may or may not have succeeded, such as a move of money to a wallet. All amounts are in kopecks.

import { referralBonus, referralPercent } from '../settings.ts'
import { type Payment, thanks } from '../users/paying.ts'
import { type Group, isFilled } from '../users/wallets.ts'
import { wrongAnswers } from './answers.ts'
import type { Checks, Evidence, Found } from './evidence.ts'

/** A change of the balance of a person, or of a wallet, which has the id of its group. */
interface Entry {
  readonly person: number
  readonly what: string
  readonly amount: number
}

async function wrongBalances(evidence: Evidence): Promise<Found> {
  const { town, journal, database } = evidence
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
    const due = own.reduce((sum, { amount }) => sum + amount, 0)
    const list = own.map(({ what, amount }) => `${what} ${amount}`).join(', ')
    const faults = [
      ...(available === due ? [] : [`has ${available}, must have ${due} = ${list}`]),
      ...(held === 0 ? [] : [`${held} are held although nothing is under way`]),
    ]
    return faults.map((fact) => ({ about: String(id), fact }))
  })
}

function entriesOf(evidence: Evidence): readonly Entry[] {
  const { town, settings, judged } = evidence
  return [
    ...[...town.people].map((person) => ({ person, what: 'welcome', amount: settings.welcomeCredit * 100 })),
    ...bonusesIn(evidence),
    ...town.payments.flatMap((payment) => paymentOf(payment, evidence)),
    ...judged.map(({ payer, mark, cost }) => ({
      person: payer,
      what: mark,
      amount: cost.refunded - cost.captured,
    })),
    ...answersIn(evidence),
    ...town.groups.flatMap((group) => movesOf(group, evidence)),
  ]
}

/** What answers cost by the app's tables. Whether these prices are right is judged separately. */
function answersIn({ town, turns }: Evidence): readonly Entry[] {
  const askers = new Map(town.questions.map(({ number, person }) => [number, person]))
  return turns.flatMap(({ number, captured, refunded }) => {
    const person = askers.get(number)
    return person === undefined ? [] : [{ person, what: `question ${number}`, amount: refunded - captured }]
  })
}

/** What a payment brings its payer, and the percents of the inviter; nothing if it was refunded. */
function paymentOf(
  { charge, asked, person, credit }: Payment,
  { books, invitations }: Evidence,
): readonly Entry[] {
  if (books.paid.get(charge) !== asked || books.refunded.has(charge)) return []
  const what = `payment ${charge.slice(0, 6)}`
  const inviters = invitations.filter(({ friend }) => friend === person)
  return [
    { person, what, amount: credit },
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

/** What people must be told, once or more: a process that is killed after sending a message and before recording it sends it again. */
const tellings: readonly {
  readonly what: string
  readonly to: (evidence: Evidence) => readonly { readonly person: number; readonly reason?: string }[]
  readonly tells: RegExp
}[] = [
  { what: 'payments', to: ({ town }) => town.payments, tells: thanks },
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
  { what: 'decisions of operators', to: decisionsIn, tells: /^↩️/u },
]

function decisionsIn({ town, done, ordered }: Evidence) {
  const refunds = town.refunds.flatMap(({ generation, reason }) => {
    const person = ordered.find(({ id }) => id === generation)?.chatId
    return person === undefined ? [] : [{ person, reason }]
  })
  return refunds.filter(({ reason }) => done.has(reason))
}

const untold = (evidence: Evidence) =>
  tellings.flatMap(({ what, to, tells }) => {
    const facts = to(evidence)
    evidence.journal.count(`told: ${what}`, facts.length)
    const groups = Map.groupBy(facts, ({ person, reason = '' }) => `${person} ${reason}`)
    return [...groups.values()].flatMap((same) => {
      const [{ person, reason = '' } = { person: 0 }] = same
      const said = evidence.chats.of(person).said()
      const told = said.filter(({ words }) => tells.test(words) && words.includes(reason)).length
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
  'each top-up has one payment at YooKassa': ({ books: { shop } }) =>
    [...Map.groupBy(shop, ({ metadata }) => metadata.topUpId)]
      .filter(([, same]) => same.length > 1)
      .map(([topUp, same]) => ({ about: `top-up ${topUp}`, fact: `${same.length} payments` })),
  'people are told what happened to their money': untold,
}
