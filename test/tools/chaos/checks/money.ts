// Checks of money: orders, balances, wallets, gifts and payments. First, each confirmed order was settled once (captured, released, or
// partly both), and nothing was ordered twice.

import type { Message } from 'grammy/types'
import { z } from 'zod'
import {
  amountIn,
  bonusOf,
  type Entry,
  faultsOfBalances,
  movesOf,
  type PromoFacts,
  promoEntries,
  promoUses,
  together,
  type WalletFacts,
} from '../model/balances.ts'
import { referralBonus } from '../offer.ts'
import { type Chats, wordsOf } from '../users/chats.ts'
import type { TappedOffer } from '../users/ordering.ts'
import { isThanks, type Payment } from '../users/paying.ts'
import type { Check, Evidence } from './check.ts'
import { answersOf, entriesOf, judged, type Ordered, spentOn } from './tasks.ts'

export const eachEndsOnce: Check = {
  name: 'each order ends once, with exactly its hold',
  find: ({ ordered }) => ordered.flatMap((one) => faultsOf(one).map((fact) => ({ about: one.mark, fact }))),
}

function faultsOf({ id, state, amount, captured, moves }: Ordered): string[] {
  const sumOf = (kind: string) => {
    const own = moves.filter((move) => move.startsWith(`${kind} `))
    return { times: own.length, sum: own.reduce((sum, move) => sum + Number(move.split(' ')[1]), 0) }
  }
  const [hold, capture, release] = [sumOf('hold'), sumOf('capture'), sumOf('release')]
  const facts = `generation ${id}, ${state}, ${amount}: ${moves.join(', ')}`
  const isEnded = ['succeeded', 'failed', 'canceled'].includes(state)
  return [
    ...(isEnded ? [] : [`has not ended: ${facts}`]),
    ...(hold.times === 1 && hold.sum === amount ? [] : [`is not held once: ${facts}`]),
    ...(isEnded && capture.sum + release.sum !== amount ? [`is not settled: ${facts}`] : []),
    ...(capture.times > 1 || release.times > 1 ? [`is settled twice: ${facts}`] : []),
    ...(isEnded && capture.sum !== (captured ?? 0) ? [`the row says captured ${captured}: ${facts}`] : []),
    ...((state === 'succeeded') === capture.sum > 0 ? [] : [`is charged for nothing, or not: ${facts}`]),
  ]
}

export const nothingTwice: Check = {
  name: 'nothing is ordered twice',
  find: ({ ordered }) =>
    [...Map.groupBy(ordered, ({ mark }) => mark)]
      .filter(([, same]) => same.length > 1)
      .map(([mark, same]) => ({ about: mark, fact: `generations ${same.map(({ id }) => id).join(', ')}` })),
}

export const nothingHeld: Check = {
  name: 'nothing is held, streaming or unsent at the end',
  async find({ database: { sql } }: Evidence) {
    const found = await sql`
      select kind || ' account of ' || owner_id as about, 'held ' || held as fact from accounts where held <> 0
      union all select 'turn ' || id, 'state ' || state from turns where state = 'streaming' or delivery = 'pending'
      union all select 'notice ' || key, attempts || ' attempts' from notices where done_at is null
      union all select id, 'delivery ' || delivery from generations where delivery not in ('delivered', 'undeliverable')`
    return found.map(({ about, fact }) => ({ about: String(about), fact: String(fact) }))
  },
}

// Judges balances, orders and messages about money by the harness's model: by what people saw, tapped and paid, what operators did, and
// what the gateway and the payment provider booked.

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

// Judges the wallets of groups by the harness's model: their balances, and what members spend from them.

const walletRow = z.object({
  person: z.coerce.number(),
  available: z.coerce.number(),
  held: z.coerce.number(),
  /** The wallet and the balance of its owner together. */
  sum: z.coerce.number(),
})

export const everyWalletIsRight: Check = {
  name: 'each wallet of a group is what its owner put in and its members spent',
  async find(evidence) {
    const { balances, database } = evidence
    const found = await database.sql`
      select w.chat_id::text as person, w.available::text as available, w.held::text as held,
        (w.available + b.available)::text as sum
      from accounts w join accounts b on b.kind = 'user' and b.owner_id = w.owner_id where w.kind = 'group'`
    const kept = found.map((one) => walletRow.parse(one))
    const people = kept.map(({ person }) => person)
    const entries = await entriesOf(evidence, judged(evidence))
    const alone = faultsOfBalances({ people, entries, kept, saidBy: (group) => balances.get(group) })
    const sums = new Map(kept.map(({ person, sum }) => [person, sum]))
    const both = faultsOfBalances({
      people,
      entries: walletsOf(evidence).flatMap((wallet) => together(entries, wallet)),
      kept: kept.map(({ person, sum }) => ({ person, available: sum, held: 0 })),
      saidBy: (group) => sums.get(group),
    })
    evidence.journal.count('wallets of groups', kept.length)
    return [
      ...alone.map(({ person, fact }) => ({ about: String(person), fact })),
      ...both.map(({ person, fact }) => ({ about: String(person), fact: `with its owner ${fact}` })),
    ]
  },
}

/** Adds up the whole run, which is shorter than a day by the app's clock. */
export const noMemberSpendsMoreThanTheLimit: Check = {
  name: 'no member spends more from the wallet of a group in a day than its limit',
  find(evidence) {
    const orders = judged(evidence)
    const ofGroups = orders.filter(({ payer, person }) => payer !== person)
    evidence.journal.count('orders paid by wallets', ofGroups.filter(({ cost }) => cost.captured > 0).length)
    return evidence.groups.flatMap(({ id, owner, caps }) => {
      const own = orders.filter(({ payer, person }) => payer === id && person !== owner)
      return [...Map.groupBy(own, ({ person }) => person)].flatMap(([person, same]) => {
        const spent = same.reduce((sum, { cost }) => sum + cost.captured - cost.refunded, 0)
        const most = Math.max(...caps)
        return spent > most ? [{ about: String(person), fact: `spent ${spent}, the limit is ${most}` }] : []
      })
    })
  },
}

/** The bot's answer to a tap on Generate that exceeds the limit. */
const refusal =
  /^Your limit in the group wallet is (?<most>₽[\d.,]+) a day, (?<left>₽[\d.,]+) is left for today\./
/** The text on a card that the wallet cannot pay for because of the limit. */
const cardRefusal =
  /cannot pay for it: (?<left>₽[\d.,]+) is left of this member’s limit, (?<most>₽[\d.,]+) a day/

const limitIn = ({ most = '', left = '' }: Readonly<Record<string, string>>) => ({
  most: amountIn(most) ?? 0,
  left: amountIn(left) ?? 0,
})

/** The amount left for a member must be at least the limit less all orders that the wallet ever paid for this member. */
export const everyRefusalByTheLimitIsRight: Check = {
  name: 'an order is refused by the limit of a wallet only if it is above what is left',
  find(evidence) {
    const { book, chats, ordered, journal } = evidence
    // A set, because orders with the same prompt share their offers.
    const offers = new Set([...book.orders.values()].flatMap((order) => [...order.offers.values()]))
    const refused = [...offers].flatMap((offer) =>
      refusalsOf(offer, chats).map((told) => ({ ...offer, ...told })),
    )
    journal.count('orders refused by the limit of a wallet', refused.length)
    return refused.flatMap(({ person: tapped, card, place, price, most, left }) => {
      const person = ownerOf(card) ?? tapped
      const isSame = (mark: string) => book.orders.get(mark)?.person === person
      const spent = ordered
        .filter(({ mark, isByGroup, chatId }) => isByGroup && chatId === place && isSame(mark))
        .reduce((sum, { amount }) => sum + amount, 0)
      const fact = `${price} refused with ${left} left of ${most}, spent at most ${spent}`
      return left >= price || left < most - spent ? [{ about: String(person), fact }] : []
    })
  },
}

/** Whose card it is: somebody else may have tapped it. */
function ownerOf(card: string): number | undefined {
  const id = /^👤 Ordered .*by Person (\d+)/m.exec(card)?.[1]
  return id === undefined ? undefined : Number(id)
}

function refusalsOf({ place, card, taps }: TappedOffer, chats: Chats) {
  const answers = taps.map((tap) => refusal.exec(chats.of(place).answers.get(tap) ?? ''))
  return [...answers, cardRefusal.exec(card)].flatMap((found) =>
    found?.groups ? [limitIn(found.groups)] : [],
  )
}

// Judges promo codes and invitations by the harness's model.

const promosOf = ({ promoCodes, chats, desk }: Evidence): readonly PromoFacts[] =>
  promoCodes.map((promo) => ({
    ...promo,
    isTold: (person) =>
      chats
        .of(person)
        .told()
        .some(({ words }) => /^🎁 ₽[\d.,]+ added/u.test(words) && amountIn(words) === promo.amount),
    wasBanned: (person) => desk.banned.has(person),
  }))

export const giftsOf = (evidence: Evidence): readonly Entry[] => [
  ...promosOf(evidence).flatMap(promoEntries),
  ...bonuses(evidence),
]

function bonuses({ invitations, payments, books, desk }: Evidence): readonly Entry[] {
  const booked = payments.filter(({ charge, asked }) => books.paid.get(charge) === asked)
  const own = Map.groupBy(booked, ({ person }) => person)
  return [...invitations].map(([friend, { inviter, isCertain }]) => {
    const paid = own.get(friend) ?? []
    const givenBack = paid.filter(({ charge }) => books.refunded.has(charge)).length
    const wasBanned = desk.banned.has(inviter)
    const facts = { friend, inviter, isCertain, kept: paid.length - givenBack, givenBack, wasBanned }
    return bonusOf(facts, referralBonus)
  })
}

const useRow = z.object({ code: z.string(), uses: z.coerce.number() })

export const promoLimitsAreKept: Check = {
  name: 'each promo code is used as often as it may and people want to',
  async find(evidence) {
    const found = await evidence.database.sql`select code, uses from promo_codes`
    const uses = new Map(found.map((one) => useRow.parse(one)).map((one) => [one.code, one.uses]))
    return promosOf(evidence).flatMap((promo) => {
      const used = uses.get(promo.code) ?? 0
      const { least, most } = promoUses(promo)
      evidence.journal.count(`promo code ${promo.code} used`, used)
      const fact = `used ${used} times instead of ${least} to ${most}`
      return used < least || used > most ? [{ about: `promo code ${promo.code}`, fact }] : []
    })
  },
}

export const everyBonusIsTold: Check = {
  name: 'each bonus for an invitation is told',
  find(evidence) {
    const due = bonuses(evidence).filter((entry) => entry.due.least > 0)
    evidence.journal.count('bonuses for invitations', due.length)
    return [...Map.groupBy(due, ({ person }) => person)].flatMap(([person, own]) => {
      const told = evidence.chats
        .of(person)
        .told()
        .filter(({ words }) => /^🎁 A friend you invited has topped up/u.test(words))
      const fact = `${own.length} bonuses, ${told.length} messages`
      return told.length < own.length ? [{ about: String(person), fact }] : []
    })
  },
}

// Checks that each payment was credited once and confirmed to its payer, and that refunds and declined payments were announced.

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

// The money that owners moved between their balances and the wallets of their groups.

export const walletsOf = ({ groups, chats, desk }: Evidence): readonly WalletFacts[] =>
  groups.map(({ id, owner, moves }) => ({
    id,
    owner,
    moves,
    mayBeEmptied: desk.refundedPayers.has(owner),
    answerTo: (tap) => chats.of(owner).answers.get(tap),
  }))

export const movesBetween = (evidence: Evidence): readonly Entry[] => walletsOf(evidence).flatMap(movesOf)
