// Judges each question to a text model by the gateway's bill and by its chat. The text of a whole answer is complete in the chat, and costs
// exactly the billed tokens, or an estimate below that if the gateway reported no usage. An answer without a bill or without words is free.
// An answer that ended early, or whose process was disturbed, may be incomplete in the chat and costs at most the part that is shown.

import { amountIn } from './balances.ts'

export interface Question {
  readonly number: number
  /** The Telegram id of the person who asked, in the private chat with the bot. */
  readonly person: number
  readonly hasPicture: boolean
  /** The possible settings at the time of the question: one, or several if the person did not see the effect of a tap. */
  readonly choices: readonly Choice[]
}

/** A text model with its modes, as the settings in the chat show them. */
export interface Choice {
  /** The id of the model. */
  readonly model: string
  /** The modes that are on, in the order of the screen; undefined if the person did not see them. */
  readonly modes: readonly string[] | undefined
}

/** An answer in the books of the gateway. Times are milliseconds since 1970. */
export interface Billed {
  readonly number: number
  /** The id of the model. */
  readonly model: string
  /** The number of pictures in the request. */
  readonly pictures: number
  readonly text: string
  readonly thinking: string
  /** The modes that the request switched on, in the order of the screen. */
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

/** A tap on Stop below the draft of an answer. */
export interface Stop {
  readonly person: number
  readonly draft: number
  /** Milliseconds since 1970, by real time. */
  readonly at: number
}

export interface AnswerFacts {
  readonly questions: readonly Question[]
  readonly stops: readonly Stop[]
  readonly billed: readonly Billed[]
  readonly booked: readonly Booked[]
  /** Messages of a private chat, in their order. */
  saidTo(person: number): readonly Said[]
  /** Whether a process, the database or the machine was disturbed in this period (disturbed.ts). */
  wasDisturbed(from: number, to: number): boolean
  readonly models: readonly TextModel[]
}

export interface AnswerFault {
  readonly about: string
  readonly fact: string
}

export const markOf = ({ number }: Question): string => `question ${number}`

export function faultsOfAnswers(facts: AnswerFacts): readonly AnswerFault[] {
  const billed = Map.groupBy(facts.billed, ({ number }) => number)
  const booked = Map.groupBy(facts.booked, ({ number }) => number)
  return facts.questions.flatMap((question) => {
    const of = { billed: billed.get(question.number) ?? [], booked: booked.get(question.number) ?? [] }
    return faultsOf(facts, question, of).map((fact) => ({ about: markOf(question), fact }))
  })
}

interface Records {
  readonly billed: readonly Billed[]
  readonly booked: readonly Booked[]
}

function faultsOf(facts: AnswerFacts, question: Question, { billed, booked }: Records): readonly string[] {
  const [made, ...otherBills] = billed
  const [turn, ...otherTurns] = booked
  if (otherBills.length > 0) return [`the gateway was asked ${billed.length} times`]
  if (otherTurns.length > 0) return [`${booked.length} turns: ${booked.map(({ id }) => id).join(', ')}`]
  const stop = facts.stops.find(({ person, draft }) => person === question.person && draft === turn?.asked)
  // A stopped answer counts as cut short, although its end may have been sent before the stop.
  const bill = made && stop ? { ...made, isWhole: false } : made
  if (!turn) return bill ? ['the gateway was asked, and no money was held'] : []
  const said = facts.saidTo(question.person)
  return [
    ...wrongRequest(facts, question, bill),
    ...wentOn(facts, bill, stop),
    ...wrongPrice(facts, turn, bill, said),
    ...wrongWords(facts, turn, bill, said),
    ...unlikeButton(turn, said),
  ]
}

/** Checks that the request went to the chosen model, with the modes that were on, and with the picture if the model sees pictures. */
function wrongRequest({ models }: AnswerFacts, question: Question, bill: Billed | undefined): string[] {
  if (!bill) return []
  const { model, pictures } = bill
  const expected = question.choices.map(textOf).join(' or ')
  const sees = models.find(({ id }) => id === model)?.seesPictures === true
  return [
    ...(question.choices.some((one) => isAsChosen(one, bill))
      ? []
      : [`${textOf(bill)} was asked instead of ${expected}`]),
    ...(pictures === Number(question.hasPicture) ? [] : [`it was asked with ${pictures} pictures`]),
    ...(question.hasPicture && !sees ? [`${model} sees no pictures`] : []),
  ]
}

/** The longest time between a tap on Stop and the end of the stream at the gateway. */
const stoppingMs = 3000

function wentOn(facts: AnswerFacts, bill: Billed | undefined, stop: Stop | undefined): string[] {
  if (!bill || !stop || bill.endedAt - stop.at <= stoppingMs) return []
  if (facts.wasDisturbed(bill.begunAt, bill.endedAt)) return []
  return [`it went on for ${bill.endedAt - stop.at} ms after Stop was tapped`]
}

const isAsChosen = ({ model, modes }: Choice, bill: Billed): boolean =>
  model === bill.model && (modes === undefined || modes.join() === bill.modes.join())

const textOf = ({ model, modes }: Choice): string =>
  modes ? [model, ...modes].join(' + ') : `${model} in any mode`

/** The price in kopecks, by the tokens of the bill and the rates of its model. */
export function priceOfBill(models: readonly TextModel[], { model, input, output }: Billed): number {
  const rates = models.find(({ id }) => id === model)?.rates
  return rates ? priceOfTokens(rates, input, output) : 0
}

function wrongPrice(
  facts: AnswerFacts,
  turn: Booked,
  bill: Billed | undefined,
  said: readonly Said[],
): string[] {
  const paid = turn.captured - turn.refunded
  const [least, most] = pricesOf(facts, turn, bill, said)
  const isRight = least <= paid && paid <= most
  const due = least === most ? String(most) : `${least} to ${most}`
  return isRight ? [] : [`turn ${turn.id} costs ${paid}, it must be ${due}: ${billText(bill)}`]
}

/** The least and the most that an answer may cost, in kopecks. */
function pricesOf(
  facts: AnswerFacts,
  { delivery }: Booked,
  bill: Billed | undefined,
  said: readonly Said[],
): readonly [number, number] {
  if (!bill || isSilent(bill)) return [0, 0]
  const exact = priceOfBill(facts.models, bill)
  // If the chat was closed, the part that it had shown while the answer was written is charged.
  if (delivery === 'undeliverable') return [0, exact]
  if (mustBeWhole(facts, bill)) return bill.tellsUsage ? [exact, exact] : [exact * leastEstimate, exact]
  const shown = shownOf(said, bill)
  // Without a reported usage the app estimates the tokens from the shown text and the whole question.
  const estimate = Math.min(bill.output, Math.ceil(shown.length / leastCharactersPerToken))
  if (shown.lacking === '') return [0, exact]
  const most = { ...bill, input: mostInput(bill), output: estimate }
  return shown.length === 0 ? [0, 0] : [0, priceOfBill(facts.models, most)]
}

/** A whole answer without words is free, whatever the model has thought. Code that the model ran is shown like words. */
const isSilent = ({ text, isWhole, modes }: Billed): boolean =>
  isWhole && text === '' && !modes.includes('code')

const leastCharactersPerToken = 2
/** The lowest accepted ratio of an estimated price to the exact one. */
const leastEstimate = 0.5
/** The most input tokens that the app may estimate: its count of a question may differ from the gateway's by the separators. */
const mostInput = ({ input }: Billed): number => Math.ceil(input * 1.25) + 8

/** The time after the end of an answer within which it is settled; a disturbance until then may still affect it. */
const settlingMs = 3000

export const mustBeWhole = (
  { wasDisturbed }: Pick<AnswerFacts, 'wasDisturbed'>,
  { isWhole, begunAt, endedAt }: Billed,
): boolean => isWhole && !wasDisturbed(begunAt, endedAt + settlingMs)

function wrongWords(
  facts: AnswerFacts,
  turn: Booked,
  bill: Billed | undefined,
  said: readonly Said[],
): string[] {
  if (turn.delivery === 'undeliverable') return []
  if (turn.delivery !== 'delivered') return [`turn ${turn.id}: delivery ${turn.delivery}`]
  if (!bill || isSilent(bill)) return []
  const { lacking } = shownOf(said, bill)
  if (lacking === '' || !mustBeWhole(facts, bill)) return []
  return [`turn ${turn.id}: not in the chat: ${lacking.slice(0, 100)}`]
}

/** Checks that the button below the last message of an answer shows its price. */
function unlikeButton({ id, captured, delivery }: Booked, said: readonly Said[]): string[] {
  const label = said.flatMap(({ buttons }) => buttons).find(({ data }) => data === `cc:${id}`)?.label
  if (label === undefined) return delivery === 'delivered' ? [`turn ${id}: no price below it`] : []
  return amountIn(label) === captured ? [] : [`turn ${id}: the button says ${label}, captured ${captured}`]
}

const billText = (bill: Billed | undefined): string =>
  bill ? `${bill.input} + ${bill.output} tokens, ${bill.isWhole ? 'whole' : 'cut'}` : 'no bill'

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
  const whole = lettersOf(withoutAddresses(text))
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

/** A message shows the words of a link without its address. */
const withoutAddresses = (text: string): string => text.replaceAll(/\]\([^)]*\)/g, ']')

/** Letters and digits only, since formatting marks become entities of the message. */
const lettersOf = (text: string): string => text.replaceAll(/[^\p{L}\p{N}]/gu, '')

// Judges what each translated prompt cost: the tokens that the gateway billed, at the rates of the cheapest model, if the whole text
// arrived; otherwise nothing.

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
    return faultsOfRewriting(facts, one, bills, turns).map((fact) => ({
      about: `question ${one.number}`,
      fact,
    }))
  })
  return [...faults, ...untold(facts, failed)]
}

const isFree = ({ captured, delivery }: Booked): boolean => captured === 0 && delivery === 'delivered'

function faultsOfRewriting(
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

// The price of an answer, computed from the rates that the operator wrote: roubles per million tokens, rounded up once to a kopeck.

export interface Rates {
  /** Roubles per million tokens, like `39.62`. */
  readonly input: string
  readonly output: string
}

/** A text model as the operator's catalog describes it. */
export interface TextModel {
  readonly id: string
  readonly rates: Rates
  readonly seesPictures: boolean
}

/** The model with the lowest rates, which rewrites prompts. */
export function cheapestOf(models: readonly TextModel[]): TextModel | undefined {
  const costOf = ({ rates }: TextModel) => priceOfTokens(rates, 1_000_000, 1_000_000)
  return models.toSorted((a, b) => costOf(a) - costOf(b))[0]
}

/** The rate in kopecks per million tokens. @throws RangeError if the rate has more than two decimals */
function perMillion(rate: string): bigint {
  const [, whole = '', part = ''] = /^(\d+)(?:\.(\d{1,2}))?$/.exec(rate) ?? []
  if (whole === '') throw new RangeError(`not a rate in whole kopecks: ${rate}`)
  return BigInt(whole + part.padEnd(2, '0'))
}

const million = 1_000_000n

/** The price in kopecks, rounded up. */
export function priceOfTokens(rates: Rates, input: number, output: number): number {
  const parts = BigInt(input) * perMillion(rates.input) + BigInt(output) * perMillion(rates.output)
  return Number((parts + million - 1n) / million)
}

/** A message of the bot, as a person sees it. */
export interface Said {
  readonly id: number
  readonly words: string
  /** The callback data and the label of each button. */
  readonly buttons: readonly { readonly data: string; readonly label: string }[]
}
