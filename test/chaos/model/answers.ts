// What each question to a text model must come to, by what the gateway billed and what its chat shows: a whole answer is in the chat,
// complete, and costs exactly the billed tokens; without a bill nothing is paid. An answer that ended early, or whose process was
// disturbed, is shown in part and costs at most that part.

import { priceOfTokens, type TextModel } from './rates.ts'
import { amountIn } from './roubles.ts'
import type { Said } from './said.ts'

export interface Question {
  readonly number: number
  /** The Telegram id of who asked, in the private chat with the bot. */
  readonly person: number
  readonly hasPicture: boolean
  /** The ids of the models that may have been asked: one, unless it was not seen which one was chosen. */
  readonly models: ReadonlySet<string>
}

/** An answer in the books of the gateway. Times are milliseconds since 1970. */
export interface Billed {
  readonly number: number
  /** Its id. */
  readonly model: string
  /** How many came with the question. */
  readonly pictures: number
  readonly text: string
  readonly input: number
  readonly output: number
  /** The end with the usage was sent. */
  readonly isWhole: boolean
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
}

export interface AnswerFacts {
  readonly questions: readonly Question[]
  readonly billed: readonly Billed[]
  readonly booked: readonly Booked[]
  /** Messages of a private chat, in their order. */
  saidTo(person: number): readonly Said[]
  /** Whether a process ended or was held up, or the database answered later than a lease, in this time. */
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
  const [bill, ...otherBills] = billed
  const [turn, ...otherTurns] = booked
  if (otherBills.length > 0) return [`the gateway was asked ${billed.length} times`]
  if (otherTurns.length > 0) return [`${booked.length} turns: ${booked.map(({ id }) => id).join(', ')}`]
  if (!turn) return bill ? ['the gateway was asked, and no money was held'] : []
  const said = facts.saidTo(question.person)
  return [
    ...wrongRequest(facts, question, bill),
    ...wrongPrice(facts, turn, bill, said),
    ...wrongWords(facts, turn, bill, said),
    ...unlikeButton(turn, said),
  ]
}

/** The model that was chosen is asked, with the picture, which it can see. */
function wrongRequest({ models }: AnswerFacts, question: Question, bill: Billed | undefined): string[] {
  if (!bill) return []
  const { model, pictures } = bill
  const expected = [...question.models].join(' or ')
  const sees = models.find(({ id }) => id === model)?.seesPictures === true
  return [
    ...(question.models.has(model) ? [] : [`${model} was asked instead of ${expected}`]),
    ...(pictures === Number(question.hasPicture) ? [] : [`it was asked with ${pictures} pictures`]),
    ...(question.hasPicture && !sees ? [`${model} sees no pictures`] : []),
  ]
}

/** Kopecks, by the tokens of the bill and the rates of the model on it. */
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

/** The least and the most, in kopecks. */
function pricesOf(
  facts: AnswerFacts,
  { delivery }: Booked,
  bill: Billed | undefined,
  said: readonly Said[],
): readonly [number, number] {
  if (!bill || delivery === 'undeliverable') return [0, 0]
  const exact = priceOfBill(facts.models, bill)
  if (mustBeWhole(facts, bill)) return [exact, exact]
  const shown = shownOf(said, bill.text)
  // What was not counted by the gateway is counted from what is shown: a quarter of the characters, and the whole question.
  const estimate = Math.min(bill.output, Math.ceil(shown.length / leastCharactersPerToken))
  if (shown.lacking === '') return [0, exact]
  const most = { ...bill, input: mostInput(bill), output: estimate }
  return shown.length === 0 ? [0, 0] : [0, priceOfBill(facts.models, most)]
}

const leastCharactersPerToken = 2
/** The count of a question may differ from the gateway's by its separators. */
const mostInput = ({ input }: Billed): number => Math.ceil(input * 1.25) + 8

/** How long an answer is at risk after its last word was sent: until it is settled. */
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
  if (!bill) return []
  const { lacking } = shownOf(said, bill.text)
  if (lacking === '' || !mustBeWhole(facts, bill)) return []
  return [`turn ${turn.id}: not in the chat: ${lacking.slice(0, 100)}`]
}

/** Below the last message of an answer stands its price. */
function unlikeButton({ id, captured, delivery }: Booked, said: readonly Said[]): string[] {
  const label = said.flatMap(({ buttons }) => buttons).find(({ data }) => data === `cc:${id}`)?.label
  if (label === undefined) return delivery === 'delivered' ? [`turn ${id}: no price below it`] : []
  return amountIn(label) === captured ? [] : [`turn ${id}: the button says ${label}, captured ${captured}`]
}

const billText = (bill: Billed | undefined): string =>
  bill ? `${bill.input} + ${bill.output} tokens, ${bill.isWhole ? 'whole' : 'cut'}` : 'no bill'

interface ShownText {
  /** The rest that no message has. */
  readonly lacking: string
  /** How many letters the messages have. */
  readonly length: number
}

/** How much of a text the messages show, one after another. */
function shownOf(said: readonly Said[], text: string): ShownText {
  const whole = lettersOf(text)
  let lacking = whole
  for (const { words } of said) {
    const letters = lettersOf(words)
    if (letters !== '' && lacking.startsWith(letters)) lacking = lacking.slice(letters.length)
  }
  return { lacking, length: whole.length - lacking.length }
}

/** Letters and digits only, since formatting marks become entities of the message. */
const lettersOf = (text: string): string => text.replaceAll(/[^\p{L}\p{N}]/gu, '')
