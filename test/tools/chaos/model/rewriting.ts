// Judges what each translated prompt cost: the tokens that the gateway billed, at the rates of the cheapest model, if the whole text
// arrived; otherwise nothing.

import {
  type AnswerFacts,
  type AnswerFault,
  type Billed,
  type Booked,
  mustBeWhole,
  priceOfBill,
} from './answers.ts'
import { cheapestOf } from './rates.ts'
import type { Said } from './said.ts'

export interface Rewriting {
  readonly number: number
  /** The Telegram id of the person who asked, in the private chat with the bot. */
  readonly person: number
  /** The translated text that a whole answer puts on the card. */
  readonly made: string
  /** The number of taps on the button that asks for the translation. */
  readonly taps: number
}

type Facts = Omit<AnswerFacts, 'questions' | 'stops'> & { readonly rewritings: readonly Rewriting[] }

export function faultsOfRewritings(facts: Facts): readonly AnswerFault[] {
  const billed = Map.groupBy(facts.billed, ({ number }) => number)
  const booked = Map.groupBy(facts.booked, ({ number }) => number)
  const failed = new Map<number, number>()
  const faults = facts.rewritings.flatMap((one) => {
    const [bills, turns] = [billed.get(one.number) ?? [], booked.get(one.number) ?? []]
    failed.set(one.person, (failed.get(one.person) ?? 0) + turns.filter(isFree).length)
    return faultsOf(facts, one, bills, turns).map((fact) => ({ about: `question ${one.number}`, fact }))
  })
  return [...faults, ...untold(facts, failed)]
}

const isFree = ({ captured, delivery }: Booked): boolean => captured === 0 && delivery === 'delivered'

function faultsOf(
  facts: Facts,
  { taps, made, person }: Rewriting,
  bills: readonly Billed[],
  turns: readonly Booked[],
): readonly string[] {
  const cheapest = cheapestOf(facts.models)?.id
  const whole = bills.filter(({ isWhole }) => isWhole)
  const prices = whole.map((bill) => priceOfBill(facts.models, bill))
  const paid = turns.map(({ captured }) => captured).filter((captured) => captured > 0)
  const due = whole.filter((bill) => mustBeWhole(facts, bill)).map((bill) => priceOfBill(facts.models, bill))
  const isThere = facts.saidTo(person).some(({ words }) => words.includes(made))
  return [
    ...(turns.length > taps ? [`asked for ${taps} times, and ${turns.length} turns`] : []),
    ...(bills.length > turns.length
      ? [`${turns.length} turns, and the gateway was asked ${bills.length} times`]
      : []),
    ...bills.filter(({ model }) => model !== cheapest).map(({ model }) => `${model} was asked`),
    ...without(paid, prices).map(
      (amount) => `costs ${amount}, which is the price of no whole text: ${prices}`,
    ),
    ...without(due, paid).map(
      (amount) => `${amount} is due for a whole text, paid: ${paid.join(', ') || 'nothing'}`,
    ),
    ...(paid.length > 0 && turns.every(({ delivery }) => delivery === 'delivered') && !isThere
      ? ['it was paid for, and is not in the chat']
      : []),
  ]
}

/** The amounts less the others, as multisets: each of the others removes one equal amount. */
function without(amounts: readonly number[], others: readonly number[]): readonly number[] {
  const left = [...others]
  return amounts.filter((amount) => {
    const at = left.indexOf(amount)
    if (at >= 0) left.splice(at, 1)
    return at < 0
  })
}

const isSorry = ({ words }: Said): boolean =>
  words.startsWith('❌ The text could not be changed. Nothing was charged')

function untold({ saidTo }: Facts, failed: ReadonlyMap<number, number>): readonly AnswerFault[] {
  return [...failed].flatMap(([person, times]) => {
    const told = saidTo(person).filter(isSorry).length
    return told < times
      ? [{ about: String(person), fact: `${times} texts were not changed, ${told} messages say so` }]
      : []
  })
}
