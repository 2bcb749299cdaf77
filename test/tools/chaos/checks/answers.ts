// Judges each question to a text model by the gateway's bill and by its chat. The text of a whole answer is complete in the chat, and costs
// exactly the billed tokens, or an estimate below that if the gateway reported no usage. An answer without a bill or without words is free.
// An answer that ended early, or whose process was disturbed, may be incomplete in the chat and costs at most the bill.

import { disturbedBy } from '../journal.ts'
import { textModels } from '../settings.ts'
import { amountIn, type Said } from '../users/chats.ts'
import type { Billed, Booked, Evidence, Found } from './evidence.ts'

/** The time after the end of an answer within which it is settled; a disturbance until then may still affect it. */
const settlingMs = 3000

export function wrongAnswers({ town, turns, billed, chats, journal }: Evidence): Found {
  const bills = Map.groupBy(billed, ({ number }) => number)
  const booked = Map.groupBy(turns, ({ number }) => number)
  const wasDisturbed = disturbedBy(journal.times())
  return town.questions.flatMap(({ number, person }) => {
    const [made, own] = [bills.get(number) ?? [], booked.get(number) ?? []]
    const [bill, turn] = [made[0], own[0]]
    const isWhole = bill?.isWhole === true && !wasDisturbed(bill.begunAt, bill.endedAt + settlingMs)
    const said = chats.of(person).said()
    const faults = [
      ...(made.length > 1 ? [`the gateway was asked ${made.length} times`] : []),
      ...(own.length > 1 ? [`${own.length} turns`] : []),
      ...(made.length > 0 && own.length === 0 ? ['the gateway was asked, and no money was held'] : []),
      ...(turn ? [...wrongPrice(turn, bill, isWhole, said), ...wrongWords(turn, bill, isWhole, said)] : []),
    ]
    return faults.map((fact) => ({ about: `question ${number}`, fact }))
  })
}

function wrongPrice(
  { id, captured, refunded, delivery }: Booked,
  bill: Billed | undefined,
  isWhole: boolean,
  said: readonly Said[],
): string[] {
  const paid = captured - refunded
  // If the chat was closed, the part that it had shown while the answer was written is charged.
  const [least, most] = pricesOf(bill, isWhole && delivery !== 'undeliverable')
  const tokens = bill ? `${bill.input} + ${bill.output} tokens, ${bill.isWhole ? 'whole' : 'cut'}` : 'no bill'
  const label = said.flatMap(({ buttons }) => buttons).find(({ data }) => data === `cc:${id}`)?.label
  const isShown = label === undefined ? delivery !== 'delivered' : amountIn(label) === captured
  return [
    ...(least <= paid && paid <= most
      ? []
      : [`turn ${id} costs ${paid}, it must be ${least} to ${most}: ${tokens}`]),
    ...(isShown ? [] : [`turn ${id}: the button says ${label}, captured ${captured}`]),
  ]
}

/** The lowest accepted ratio of an estimated price to the exact one. */
const leastEstimate = 0.5

/** The least and the most that an answer may cost, in kopecks. */
function pricesOf(bill: Billed | undefined, isWhole: boolean): readonly [number, number] {
  if (!bill || (bill.isWhole && bill.text === '')) return [0, 0]
  const exact = priceOf(bill)
  if (isWhole) return bill.tellsUsage ? [exact, exact] : [exact * leastEstimate, exact]
  // The app's estimate of the question may differ from the gateway's count by the separators.
  return [0, priceOf({ ...bill, input: Math.ceil(bill.input * 1.25) + 8 })]
}

function wrongWords(
  { id, delivery }: Booked,
  bill: Billed | undefined,
  isWhole: boolean,
  said: readonly Said[],
): string[] {
  if (delivery === 'undeliverable') return []
  if (delivery !== 'delivered') return [`turn ${id}: delivery ${delivery}`]
  const missing = bill && isWhole ? missingOf(bill, said) : ''
  return missing === '' ? [] : [`turn ${id}: not in the chat: ${missing.slice(0, 100)}`]
}

/** What no message shows of an answer, one piece after another. A message shows the words of a link without its address. */
function missingOf({ text }: Billed, said: readonly Said[]): string {
  let missing = lettersOf(text.replaceAll(/\]\([^)]*\)/g, ']'))
  for (const piece of said.map(({ words }) => lettersOf(words))) {
    if (missing.startsWith(piece)) missing = missing.slice(piece.length)
  }
  return missing
}

/** Letters and digits only, since formatting marks become entities of the message. */
const lettersOf = (text: string): string => text.replaceAll(/[^\p{L}\p{N}]/gu, '')

/** The price in kopecks by the tokens of the bill and the rates of its model in roubles per million tokens, rounded up once. */
function priceOf({ model, input, output }: Billed): number {
  const rates = textModels.find(({ id }) => id === model)?.rates
  const perMillion = (rate = '0') => Math.round(Number(rate) * 100)
  return Math.ceil((input * perMillion(rates?.input) + output * perMillion(rates?.output)) / 1_000_000)
}
