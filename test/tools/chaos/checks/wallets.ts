// Judges the wallets of groups by the harness's model: their balances, and what members spend from them.

import { z } from 'zod'
import { faultsOfBalances } from '../model/balances.ts'
import { amountIn } from '../model/roubles.ts'
import { together } from '../model/wallets.ts'
import type { Chats } from '../users/chats.ts'
import type { TappedOffer } from '../users/orders.ts'
import type { Check } from './check.ts'
import { entriesOf } from './entries.ts'
import { judged } from './judged.ts'
import { walletsOf } from './moves.ts'

const row = z.object({
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
    const kept = found.map((one) => row.parse(one))
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
