// Judges each question to a text model by the gateway's bill and by its chat. The text of a whole answer is complete in the chat, and costs
// exactly the billed tokens, or an estimate below that if the gateway reported no usage. An answer without a bill or without words is free.
// An answer that ended early, or whose process was disturbed, may be incomplete in the chat and costs at most the part that is shown.

import { amountIn } from './balances.ts'

export interface Question {
  readonly number: number
  /** The Telegram id of the person who asked, in the private chat with the bot. */
  readonly person: number
}

/** An answer in the books of the gateway. Times are milliseconds since 1970. */
export interface Billed {
  readonly number: number
  /** The id of the model. */
  readonly model: string
  readonly text: string
  readonly thinking: string
  /** The modes that the request switched on. */
  readonly modes: readonly string[]
  readonly input: number
  readonly output: number
  /** Whether the gateway sent the end of the answer. */
  readonly isWhole: boolean
  /** Whether the end of the answer reported the usage. */
  readonly tellsUsage: boolean
  readonly begunAt: number
  readonly endedAt: number
}

/** An answer in the tables of the app. */
export interface Booked {
  readonly id: string
  readonly number: number
  readonly captured: number
  readonly refunded: number
  readonly delivery: string
  /** The id of the message with the question; the draft of the answer has the same id. */
  readonly asked: number | null
}

/** A tap on Stop below the draft of an answer, in milliseconds since 1970. */
export interface Stop {
  readonly person: number
  readonly draft: number
  readonly at: number
}

/** A text model as the operator's catalog describes it, with its rates in roubles per million tokens, like `39.62`. */
export interface TextModel {
  readonly id: string
  readonly rates: { readonly input: string; readonly output: string }
}

/** A message of the bot, as a person sees it. */
export interface Said {
  readonly id: number
  readonly words: string
  /** The callback data and the label of each button. */
  readonly buttons: readonly { readonly data: string; readonly label: string }[]
}

export interface AnswerFacts {
  readonly questions: readonly Question[]
  readonly stops: readonly Stop[]
  readonly billed: readonly Billed[]
  readonly booked: readonly Booked[]
  /** Messages of a private chat, in their order. */
  saidTo(person: number): readonly Said[]
  /** Whether a process, the database or the machine was disturbed in this period. */
  wasDisturbed(from: number, to: number): boolean
  readonly models: readonly TextModel[]
}

export function faultsOfAnswers(facts: AnswerFacts): readonly { about: string; fact: string }[] {
  const billed = Map.groupBy(facts.billed, ({ number }) => number)
  const booked = Map.groupBy(facts.booked, ({ number }) => number)
  return facts.questions.flatMap((question) => {
    const [bills, turns] = [billed.get(question.number) ?? [], booked.get(question.number) ?? []]
    return faultsOf(facts, question, bills, turns).map((fact) => ({
      about: `question ${question.number}`,
      fact,
    }))
  })
}

function faultsOf(
  facts: AnswerFacts,
  { person }: Question,
  [made, ...otherBills]: readonly Billed[],
  [turn, ...otherTurns]: readonly Booked[],
): readonly string[] {
  if (otherBills.length > 0) return [`the gateway was asked ${1 + otherBills.length} times`]
  if (otherTurns.length > 0) return [`${1 + otherTurns.length} turns`]
  const stop = facts.stops.find((one) => one.person === person && one.draft === turn?.asked)
  // A stopped answer counts as cut short, although its end may have been sent before the stop.
  const bill = made && stop ? { ...made, isWhole: false } : made
  if (!turn) return bill ? ['the gateway was asked, and no money was held'] : []
  const said = facts.saidTo(person)
  return [
    ...wentOn(facts, bill, stop),
    ...wrongPrice(facts, turn, bill, said),
    ...wrongWords(facts, turn, bill, said),
  ]
}

/** The longest time between a tap on Stop and the end of the stream at the gateway. */
const stoppingMs = 3000

function wentOn(facts: AnswerFacts, bill: Billed | undefined, stop: Stop | undefined): string[] {
  if (!bill || !stop || bill.endedAt - stop.at <= stoppingMs) return []
  if (facts.wasDisturbed(bill.begunAt, bill.endedAt)) return []
  return [`it went on for ${bill.endedAt - stop.at} ms after Stop was tapped`]
}

function wrongPrice(
  facts: AnswerFacts,
  { id, captured, refunded, delivery }: Booked,
  bill: Billed | undefined,
  said: readonly Said[],
): string[] {
  const paid = captured - refunded
  // If the chat was closed, the part that it had shown while the answer was written is charged.
  const [least, most] =
    bill && delivery === 'undeliverable' ? [0, priceOfBill(facts, bill)] : pricesOf(facts, bill, said)
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

const leastCharactersPerToken = 2
/** The lowest accepted ratio of an estimated price to the exact one. */
const leastEstimate = 0.5

/** The least and the most that an answer may cost, in kopecks. */
function pricesOf(
  facts: AnswerFacts,
  bill: Billed | undefined,
  said: readonly Said[],
): readonly [number, number] {
  if (!bill || isSilent(bill)) return [0, 0]
  const exact = priceOfBill(facts, bill)
  if (mustBeWhole(facts, bill)) return bill.tellsUsage ? [exact, exact] : [exact * leastEstimate, exact]
  const shown = shownOf(said, bill)
  if (shown.lacking === '') return [0, exact]
  // Without a reported usage the app estimates the tokens from the shown text and the whole question; its count of the question may differ
  // from the gateway's by the separators.
  const output = Math.min(bill.output, Math.ceil(shown.length / leastCharactersPerToken))
  const most = { ...bill, input: Math.ceil(bill.input * 1.25) + 8, output }
  return shown.length === 0 ? [0, 0] : [0, priceOfBill(facts, most)]
}

/**
 * A whole answer without words is free, whatever the model has thought. Code that the model ran is shown like words where the answer has it
 * as a part, in the native format; that of the responses format is not shown.
 */
const isSilent = ({ model, text, isWhole, modes }: Billed): boolean =>
  isWhole && text === '' && !(modes.includes('code') && model === 'TEXT-GEMINI')

/** The time after the end of an answer within which it is settled; a disturbance until then may still affect it. */
const settlingMs = 3000

const mustBeWhole = ({ wasDisturbed }: AnswerFacts, { isWhole, begunAt, endedAt }: Billed): boolean =>
  isWhole && !wasDisturbed(begunAt, endedAt + settlingMs)

function wrongWords(
  facts: AnswerFacts,
  { id, delivery }: Booked,
  bill: Billed | undefined,
  said: readonly Said[],
): string[] {
  if (delivery === 'undeliverable') return []
  if (delivery !== 'delivered') return [`turn ${id}: delivery ${delivery}`]
  if (!bill || isSilent(bill) || !mustBeWhole(facts, bill)) return []
  const { lacking } = shownOf(said, bill)
  return lacking === '' ? [] : [`turn ${id}: not in the chat: ${lacking.slice(0, 100)}`]
}

interface ShownText {
  /** The rest of the text that is in no message. */
  readonly lacking: string
  /** The number of letters of the answer that are in messages. */
  readonly length: number
}

/** Computes how much of an answer the messages show: its thinking, folded below a title, and its text, one piece after another. */
function shownOf(said: readonly Said[], { thinking, text }: Billed): ShownText {
  const thoughts = lettersOf(thinking)
  const thoughtsShown = Math.max(0, ...said.map(({ words }) => lengthShown(lettersOf(words), thoughts)))
  // A message shows the words of a link without its address.
  const whole = lettersOf(text.replaceAll(/\]\([^)]*\)/g, ']'))
  let lacking = whole
  for (const { words } of said) {
    const letters = lettersOf(words)
    // The first message of an answer may begin with code that was run, and its output.
    const piece = letters.slice(lacking === whole ? Math.max(0, letters.indexOf(whole.slice(0, 30))) : 0)
    if (piece === '' || lacking === '') continue
    // The last message of an answer may end with its list of sources.
    if (piece.startsWith(lacking)) lacking = ''
    else if (lacking.startsWith(piece)) lacking = lacking.slice(piece.length)
  }
  const length = thoughtsShown + whole.length - lacking.length
  return { lacking: thoughts.slice(thoughtsShown) + lacking, length }
}

const leastShown = 12

/** The length of the longest beginning of `text` that occurs in `letters`; 0 if it is shorter than `leastShown`. */
function lengthShown(letters: string, text: string): number {
  const at = letters.indexOf(text.slice(0, leastShown))
  let length = 0
  while (at >= 0 && length < text.length && letters[at + length] === text[length]) length += 1
  return length
}

/** Letters and digits only, since formatting marks become entities of the message. */
const lettersOf = (text: string): string => text.replaceAll(/[^\p{L}\p{N}]/gu, '')

/** The rate in kopecks per million tokens. @throws RangeError if the rate has more than two decimals */
function perMillion(rate: string): bigint {
  const [, whole = '', part = ''] = /^(\d+)(?:\.(\d{1,2}))?$/.exec(rate) ?? []
  if (whole === '') throw new RangeError(`not a rate in whole kopecks: ${rate}`)
  return BigInt(whole + part.padEnd(2, '0'))
}

const million = 1_000_000n

/** The price in kopecks by the tokens of the bill and the rates of its model, rounded up once. */
function priceOfBill({ models }: Pick<AnswerFacts, 'models'>, { model, input, output }: Billed): number {
  const rates = models.find(({ id }) => id === model)?.rates
  if (!rates) return 0
  const parts = BigInt(input) * perMillion(rates.input) + BigInt(output) * perMillion(rates.output)
  return Number((parts + million - 1n) / million)
}
