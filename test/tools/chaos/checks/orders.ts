// Computes what each order must cost from the price on the tapped button, the results that the gateway made, and the messages in its chat.
// All amounts are in kopecks.

import { amountIn, isAboutAnother, type Said } from '../users/chats.ts'
import type { Offer, Order } from '../users/ordering.ts'
import type { Known, Ordered, Task } from './evidence.ts'

interface Cost {
  readonly captured: number
  /** The refund for files that could not be downloaded. */
  readonly refunded: number
}

export interface JudgedOrder {
  readonly mark: string
  readonly person: number
  /** The id of the person, or of the group whose wallet paid. */
  readonly payer: number
  readonly cost: Cost
  readonly faults: readonly string[]
}

export function judgeOrders(known: Known): readonly JudgedOrder[] {
  const { orders } = known.town.book
  const tasks = Map.groupBy(known.tasks, ({ mark }) => mark)
  const byId = new Map(known.ordered.map((one) => [one.id, one]))
  const marks = new Set(known.ordered.map(({ mark }) => mark))
  const unknown = [...orders.values()].filter(({ mark }) => !marks.has(mark) && tasks.has(mark))
  /** The offer of the tapped Generate, or the price on "Again" with the number of results and the payer of the repeated order. */
  const offerOf = ({ mark, quoteId }: Ordered): Offer | undefined => {
    const order = orders.get(mark)
    const before = order?.again && byId.get(order.again.generation)
    const offer = order?.offers.get(`q:${quoteId}`) ?? (before && offerOf(before))
    return order?.again && offer ? { ...offer, price: order.again.price } : offer
  }
  return [
    ...known.ordered.flatMap((one) => {
      const order = orders.get(one.mark)
      return order ? judge(known, order, one, offerOf(one), tasks.get(one.mark) ?? []) : []
    }),
    ...unknown.map(({ mark, person }) => {
      const cost = { captured: 0, refunded: 0 }
      return { mark, person, payer: person, cost, faults: ['made without an order'] }
    }),
  ]
}

function judge(
  { chats, town, done }: Known,
  order: Order,
  entered: Ordered,
  offer: Offer | undefined,
  tasks: readonly Task[],
): JudgedOrder {
  const { mark, person, place } = order
  const { id, amount, captured, refunded, walletId } = entered
  const isByGroup = walletId !== null
  if (!offer) {
    const faults = [`generation ${id}: its price was on no button that was tapped`]
    return { mark, person, payer: isByGroup ? place : person, cost: { captured, refunded }, faults }
  }
  const told = chats
    .of(place)
    .said()
    .filter((one) => one.words.includes(order.words) && !isAboutAnother(one, id))
  const wanted = withUnreached(costOf(order, offer, tasks, told), offer.count, told, entered)
  const isRefunded = town.refunds.some(({ generation, reason }) => generation === id && done.has(reason))
  const cost = isRefunded ? withRefund(wanted, entered) : wanted
  const isRight = amount === offer.price && captured === cost.captured && refunded === cost.refunded
  const wrong =
    `generation ${id}: held ${amount}, captured ${captured}, refunded ${refunded}; ` +
    `the button said ${offer.price}, due ${cost.captured} less ${cost.refunded}`
  const faults = [
    ...(isRight ? untold(order, cost, offer, told) : [wrong]),
    ...(offer.isByGroup === isByGroup ? [] : [`generation ${id}: the card named another payer`]),
  ]
  return { mark, person, payer: offer.isByGroup ? place : person, cost, faults }
}

/** Adds the refund by an operator: of the rest, or of the whole order if the operator was faster than the refund for lost files. */
const withRefund = (cost: Cost, { refunded }: Ordered): Cost =>
  cost.refunded > 0 && refunded !== cost.captured ? cost : { ...cost, refunded: cost.captured }

function costOf(
  { isGone }: Order,
  { price, count }: Offer,
  tasks: readonly Task[],
  told: readonly Said[],
): Cost {
  const task = tasks.find(({ status }) => status === 'completed')
  if (!task || told.some(isForgiven)) return { captured: 0, refunded: 0 }
  // A song has two files for one price.
  const results = Math.min(task.results, count)
  const captured = share(price, results, count)
  const arrived = isGone ? Math.min(task.results - 1, results) : results
  return { captured, refunded: captured - share(captured, arrived, results) }
}

/** If a message says that the file server failed at all attempts, any number of the results may be refunded. */
function withUnreached(cost: Cost, count: number, told: readonly Said[], { refunded }: Ordered): Cost {
  if (refunded === 0 || !told.some(isUnreached)) return cost
  const shares = Array.from({ length: count }, (_, arrived) => share(cost.captured, arrived, count))
  return shares.includes(cost.captured - refunded) ? { ...cost, refunded } : cost
}

const isUnreached = ({ words }: Said): boolean => /did not respond, even after many tries/.test(words)

/** The price of a part of the results, rounded down in favour of the person. */
const share = (price: number, part: number, whole: number): number => Math.floor((price * part) / whole)

/** Whether a message says that the order was refunded because its task was unknown or late. A result that still comes is free. */
const isForgiven = ({ words }: Said): boolean =>
  /^❌ Something went wrong\..*(didn’t confirm the order in time|ran out of time)/s.test(words)

/** Checks that refunds were announced in the chat with their amounts. */
function untold(
  { isGone }: Order,
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
