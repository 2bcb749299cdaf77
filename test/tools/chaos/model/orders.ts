// Computes what each order must cost from the price on the tapped button, the results that the gateway made, and the messages in its chat.
// All amounts are in kopecks.

import type { Said } from './answers.ts'
import { amountIn, isAboutAnother } from './balances.ts'

/** An order as its person knows it. */
export interface Wanted {
  readonly mark: string
  /** A text in all messages about this order and about other orders with the same prompt. */
  readonly words: string
  readonly person: number
  /** The chat: the person's private chat, or a group. */
  readonly place: number
  /** The gateway has no file for the first result. */
  readonly isGone: boolean
  /** The offers on the tapped Generate buttons, by the data of the button. */
  readonly offers: ReadonlyMap<string, Offer>
  /** The tapped "Again" button of an own order, if the order was made by it. */
  readonly again: Again | undefined
}

/** The button "Again" below an order, which orders at once at the price that it shows. */
export interface Again {
  /** The id of the order above the button. */
  readonly generation: string
  readonly price: number
}

export interface Offer {
  /** The price on the button. */
  readonly price: number
  /** The number of results that the price is for. */
  readonly count: number
  /** Whether the card said that the wallet of the group pays. */
  readonly isByGroup: boolean
}

/** A task in the books of the gateway. */
export interface Made {
  readonly mark: string
  readonly status: string
  /** The number of files: a song has two for one price. */
  readonly results: number
}

/** An order in the tables of the app. */
export interface Entered {
  readonly id: string
  readonly mark: string
  readonly quoteId: string
  readonly amount: number
  readonly captured: number
  readonly refunded: number
  /** Whether the wallet of the group paid. */
  readonly isByGroup: boolean
}

interface Cost {
  readonly captured: number
  /** The refund for files that could not be downloaded. */
  readonly refunded: number
}

export interface OrderFacts {
  readonly wanted: ReadonlyMap<string, Wanted>
  readonly made: readonly Made[]
  readonly entered: readonly Entered[]
  /** The messages of the bot in a chat. */
  saidIn(place: number): readonly Said[]
  /** The ids of orders that operators have refunded. */
  readonly refundedByOperators: ReadonlySet<string>
}

export interface JudgedOrder {
  readonly mark: string
  readonly person: number
  /** The id of the person, or of the group whose wallet paid. */
  readonly payer: number
  readonly cost: Cost
  readonly faults: readonly string[]
}

export function judgeOrders(facts: OrderFacts): readonly JudgedOrder[] {
  const { wanted, made, entered } = facts
  const tasks = Map.groupBy(made, ({ mark }) => mark)
  const byId = new Map(entered.map((one) => [one.id, one]))
  const known = new Set(entered.map(({ mark }) => mark))
  const unknown = [...wanted.values()].filter(({ mark }) => !known.has(mark) && tasks.has(mark))
  /** The offer of the tapped Generate, or the price on "Again" with the number of results and the payer of the repeated order. */
  const offerOf = ({ mark, quoteId }: Entered): Offer | undefined => {
    const order = wanted.get(mark)
    const before = order?.again && byId.get(order.again.generation)
    const offer = order?.offers.get(`q:${quoteId}`) ?? (before && offerOf(before))
    return order?.again && offer ? { ...offer, price: order.again.price } : offer
  }
  return [
    ...entered.flatMap((one) => {
      const order = wanted.get(one.mark)
      return order ? judge(facts, order, one, offerOf(one), tasks.get(one.mark) ?? []) : []
    }),
    ...unknown.map(({ mark, person }) => {
      const cost = { captured: 0, refunded: 0 }
      return { mark, person, payer: person, cost, faults: ['made without an order'] }
    }),
  ]
}

function judge(
  { saidIn, refundedByOperators }: OrderFacts,
  order: Wanted,
  entered: Entered,
  offer: Offer | undefined,
  tasks: readonly Made[],
): JudgedOrder {
  const { mark, person, place } = order
  const { id, amount, captured, refunded, isByGroup } = entered
  if (!offer) {
    const faults = [`generation ${id}: its price was on no button that was tapped`]
    return { mark, person, payer: isByGroup ? place : person, cost: { captured, refunded }, faults }
  }
  const told = saidIn(place).filter(
    ({ words, buttons }) => words.includes(order.words) && !isAboutAnother(buttons, id),
  )
  const wanted = withUnreached(costOf(order, offer, tasks, told), offer.count, told, entered)
  const cost = refundedByOperators.has(id) ? withRefund(wanted, entered) : wanted
  const isRight = amount === offer.price && captured === cost.captured && refunded === cost.refunded
  const faults = [
    ...(isRight
      ? untold(order, cost, offer, told)
      : [
          `generation ${id}: held ${amount}, captured ${captured}, refunded ${refunded}; ` +
            `the button said ${offer.price}, due ${cost.captured} less ${cost.refunded}`,
        ]),
    ...(offer.isByGroup === isByGroup ? [] : [`generation ${id}: the card named another payer`]),
  ]
  return { mark, person, payer: offer.isByGroup ? place : person, cost, faults }
}

/** Adds the refund by an operator: of the rest, or of the whole order if the operator was faster than the refund for lost files. */
const withRefund = (cost: Cost, { refunded }: Entered): Cost =>
  cost.refunded > 0 && refunded !== cost.captured ? cost : { ...cost, refunded: cost.captured }

function costOf(
  { isGone }: Wanted,
  { price, count }: Offer,
  tasks: readonly Made[],
  told: readonly Said[],
): Cost {
  const task = tasks.find(({ status }) => status === 'completed')
  if (!task || told.some(isForgiven)) return { captured: 0, refunded: 0 }
  const results = Math.min(task.results, count)
  const captured = share(price, results, count)
  const arrived = isGone ? Math.min(task.results - 1, results) : results
  return { captured, refunded: captured - share(captured, arrived, results) }
}

/** If a message says that the file server failed at all attempts, any number of the results may be refunded. */
function withUnreached(cost: Cost, count: number, told: readonly Said[], { refunded }: Entered): Cost {
  if (refunded === 0 || !told.some(isUnreached)) return cost
  const shares = Array.from({ length: count }, (_, arrived) => share(cost.captured, arrived, count))
  return shares.includes(cost.captured - refunded) ? { ...cost, refunded } : cost
}

const isUnreached = ({ words }: Said): boolean => /did not respond, even after many tries/.test(words)

/** The price of a part of the results, rounded down in favour of the person. */
const share = (price: number, part: number, whole: number): number => Math.floor((price * part) / whole)

/** Whether a message says that the order was refunded because its task was unknown or late. A result that still comes is free. */
const isForgiven = ({ words }: Said): boolean =>
  words.startsWith('❌ Something went wrong.') &&
  /didn’t confirm the order in time|ran out of time/.test(words)

/** Checks that refunds were announced in the chat with their amounts. */
function untold(
  { isGone }: Wanted,
  { captured, refunded }: Cost,
  { price, isByGroup }: Offer,
  told: readonly Said[],
): string[] {
  const pattern = isByGroup ? /₽[\d.,]+ is back in the group wallet/ : /₽[\d.,]+ is back on your balance/
  const amounts = told.map(({ words }) => amountIn(pattern.exec(words)?.[0] ?? '') ?? 0)
  // Two messages may add up to the amount, since an operator may have refunded the rest later.
  const says = (amount: number) => amounts.some((one) => one === amount || amounts.includes(amount - one))
  if (captured === 0) return says(price) ? [] : [`nobody was told that ${price} is back`]
  if (refunded === 0 || !(isGone || told.some(isUnreached))) return []
  return says(refunded) ? [] : [`nobody was told that ${refunded} is back for a lost file`]
}
