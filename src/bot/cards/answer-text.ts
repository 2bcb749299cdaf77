// An answer as text, why one is refused, what was dropped or changed for one, and what it costs.

import type {
  Answer,
  Answers,
  Attachment,
  Field,
  Label,
  NumberField,
  Option,
  ToggleField,
} from '../../catalog/field.ts'
import type { Model } from '../../catalog/model.ts'
import { exactAddition, exactAmount, type PriceParts } from '../../catalog/price.ts'
import { listOf, type Refusal, type ToggleChange } from '../../form/answer.ts'
import type { Drawn } from '../../form/card-data.ts'
import { fitAnswers } from '../../form/fit.ts'
import { ceilKopecks, decimal, type Kopecks, times } from '../../money.ts'
import { cutWithEllipsis } from '../../runtime/text.ts'
import { escapeHtml, type Say } from '../../texts.ts'
import type { BotDeps } from '../context.ts'

/** Code points of a speaker's name that a button shows. */
const shownName = 16

/** `🎬 Video · Reel` */
export const titleOf = ({ commands: [command], label }: Model, say: Say): string =>
  say.html('card-title', { command, name: say.label(label) })

/** A line for each field with files, so that a picture that was given stays in sight while something else is asked. */
export const filesGiven = (model: Model, answers: Answers, say: Say, asked: Field): string[] =>
  model.fields
    .filter(({ kind, name }) => kind === 'media' && name !== asked.name && answers[name] !== undefined)
    .map((field) => `📎 ${escapeHtml(labelled(field, answerText(field, answers[field.name], say), say))}`)

/** `Duration`, `Anna: voice` */
export function labelOf({ label, whose }: Field, say: Say): string {
  if (whose === undefined) return say.label(label)
  return say.plain('label-whose', { name: cutWithEllipsis(whose, shownName), label: say.label(label) })
}

/** `Duration: 5 s`, `Anna: voice Kore`; without a value only `Style` */
export function labelled(field: Field, value: string, say: Say): string {
  const label = labelOf(field, say)
  if (value === '') return label
  return `${label}${field.whose === undefined ? ': ' : ' '}${value}`
}

const faces = { female: '👩', male: '👨' } as const

/** The label of an option, for a voice with its gender and language: `👩 Anna · Russian`. */
export function optionText({ label, voice = {} }: Option, say: Say): string {
  const face = voice.gender ? `${faces[voice.gender]} ` : ''
  const language = voice.language ? ` · ${say.label(voice.language)}` : ''
  return `${face}${say.label(label)}${language}`
}

/**
 * The answer as text, empty without an answer.
 * @param offers options of a text field; their labels are shown in place of their values
 */
export function answerText(
  field: Field,
  answer: Answer | undefined,
  say: Say,
  offers: readonly Option[] = [],
): string {
  if (answer === undefined) return ''
  switch (field.kind) {
    case 'toggle':
      return stateText(field, answer === true, say)
    case 'choice':
      return optionLabel(field.options, String(answer), say)
    case 'number':
      return namedNumber(field, answer, say) ?? withUnit(numberText(field, answer, say), field.unit, say)
    case 'text': {
      const values = field.many ? listOf(answer) : [String(answer)]
      return values.map((value) => optionLabel(offers, value, say)).join(', ')
    }
    case 'media':
      return Array.isArray(answer) ? filesText(answer, say) : ''
  }
}

function stateText({ states }: ToggleField, isOn: boolean, say: Say): string {
  if (states) return say.label(isOn ? states.on : states.off)
  return say.plain(isOn ? 'answer-on' : 'answer-off')
}

function namedNumber({ named = [] }: NumberField, answer: Answer, say: Say): string | undefined {
  const option = named.find(({ value }) => value === String(answer))
  return option && say.label(option.label)
}

const numberText = ({ isCopied }: NumberField, answer: Answer, say: Say): string =>
  isCopied ? String(answer) : say.number(Number(answer))

/** `5,5 с`, never broken between lines. */
const withUnit = (number: string, unit: Label | undefined, say: Say): string =>
  unit ? `${number}\u00a0${say.label(unit)}` : number

function optionLabel(options: readonly Option[], value: string, say: Say): string {
  const option = options.find((one) => one.value === value)
  return option ? say.label(option.label) : value
}

/** `2 × 🖼`, `🖼 @cat, 🖼 @dog, 🎵 @dog`, `🎬 example.com` */
function filesText(files: readonly Attachment[], say: Say): string {
  const named = files.map((file) => {
    const { medium, note, words } = file
    return [
      say.plain(`medium-${medium}`),
      ...(file.given ? [shownSource(file)] : []),
      ...(note ? [noteText(note, say)] : []),
      ...(words === undefined ? [] : [say.plain('spoken-words', { words })]),
    ].join(' ')
  })
  return [...Map.groupBy(named, (text) => text)]
    .map(([text, same]) => (same.length > 1 ? `${same.length} × ${text}` : text))
    .join(', ')
}

/** Code points of a host or an id that a button shows. */
const shownSourceLength = 20

/** The host of an address, or the beginning of an id. */
const shownSource = ({ file, given }: Attachment): string =>
  cutWithEllipsis(given === 'link' ? new URL(file).hostname : file, shownSourceLength)

function noteText(note: string, say: Say): string {
  return note === 'first' || note === 'last' ? say.plain(`frame-${note}`) : note
}

/** `Duration: 10 s, Aspect ratio: 16:9` */
export const settingsText = (say: Say, fields: readonly Field[], answers: Answers): string =>
  fields.map((field) => labelled(field, answerText(field, answers[field.name], say), say)).join(', ')

type Named = readonly { readonly label: Label }[]

const labelsOf = (say: Say, dropped: Named): string => dropped.map(({ label }) => say.label(label)).join(', ')

/** Empty when nothing was dropped. */
export function droppedHtml(say: Say, dropped: Named): string {
  const labels = labelsOf(say, dropped)
  return labels ? say.html('answers-dropped', { labels }) : ''
}

/** The answer to the tap by which something was dropped; undefined when nothing was. */
export function droppedPlain(say: Say, dropped: Named): string | undefined {
  const labels = labelsOf(say, dropped)
  return labels ? say.plain('answers-dropped', { labels: labels.slice(0, 100) }) : undefined
}

/** @param field the answered field, whose hint says what fits; undefined when no single field was answered */
export function refusalText(say: Say, refusal: Refusal, field: Field | undefined): string {
  const { reason, ...facts } = refusal
  const hint = field?.hint ? say.label(field.hint) : ''
  return say.html(`refusal-${reason}`, {
    length: 0,
    max: 0,
    min: 0,
    value: 0,
    names: '',
    tokens: 0,
    hint,
    ...facts,
  })
}

/** The text for a message that contains nothing that could answer the field. */
export function wantedText(say: Say, field: Field): string {
  switch (field.kind) {
    case 'media':
      if (field.speaks) return say.html('sound-or-words')
      return refusalText(say, { reason: `needs-${field.media[0] ?? 'image'}` }, field)
    case 'number':
      return refusalText(say, { reason: 'not-a-number' }, field)
    default:
      return say.html('ask-text-please')
  }
}

/** Says what was changed to make room for a long text. */
export function roomText(say: Say, { field, answer }: ToggleChange): string {
  const value = stateText(field, answer, say)
  return say.html('answer-made-room', { label: say.label(field.label), value })
}

// The parts of a price as text. The shown parts add up to exactly the amount; a rounded amount and a minimum are marked as such. The price
// of a text alone names only its length: a rate for a million characters explains nothing to its reader.

/**
 * The parts as text: `5 s × 18,49 ₽ × 2 + 4k 50,00 ₽`, with the margin inside the rate, or only `minimum for 1,000 characters`.
 * @returns an empty text when the amount is the only part, or the least that can be charged
 */
export function partsText(parts: PriceParts, amount: Kopecks, say: Say): string {
  const { rate, unit, quantity, isMinimum, count, rounding, surcharges } = parts
  const exact = exactAmount(parts)
  const isRounded = exact.num * 100n !== amount * exact.den
  const least = ceilKopecks(decimal(rounding))
  const isPlain = count === 1 && surcharges.length === 0
  if (isPlain && isRounded && amount === least) return ''
  const isAlone = isPlain && !isRounded
  if (isAlone && isMinimum) return minimumText(parts, say)
  if (isAlone && quantity === 1 && rate.per === 1) return ''
  if (isPlain && unit === 'character' && !isMinimum)
    return say.plain('price-text-length', { length: quantity })
  const step = say.roubles(least)
  const minimum = isMinimum ? `, ${minimumText(parts, say)}` : ''
  const rounded = isRounded ? say.plain('price-rounded', { step }) : ''
  return `${baseText(parts, say)}${additions(parts, say)}${minimum}${rounded}`
}

const minimumText = ({ unit, quantity }: PriceParts, say: Say): string =>
  say.plain(`price-minimum-${unit}`, { quantity })

function baseText(parts: PriceParts, say: Say): string {
  const { count, surcharges } = parts
  const factors = surcharges.filter((one) => !isOne(one.multiplier))
  const shown = factors.map((one) => ` × ${say.decimal(one.multiplier)} (${say.label(one.label)})`)
  return `${quantityText(parts, say)}${count > 1 ? ` × ${count}` : ''}${shown.join('')}`
}

/** The quantity and its rate; for a minimum only the price, since its quantity is shown beside it. */
function quantityText({ rate, multiplier, quantity, isMinimum, unit }: PriceParts, say: Say): string {
  const roubles = times(decimal(rate.roubles), decimal(multiplier))
  if (isMinimum) return say.rate(times(roubles, decimal(quantity), { num: 1n, den: BigInt(rate.per) }))
  return say.plain(`price-${unit}`, {
    quantity: say.number(quantity),
    rate: say.rate(roubles),
    per: say.number(rate.per),
  })
}

const isOne = (value: string): boolean => decimal(value).num === decimal(value).den

function additions(parts: PriceParts, say: Say): string {
  const added = parts.surcharges.map((one) => ({ label: one.label, roubles: exactAddition(parts, one) }))
  return added
    .filter(({ roubles }) => roubles.num > 0n)
    .map(({ label, roubles }) => ` + ${say.label(label)} ${say.rate(roubles)}`)
    .join('')
}

// The price of an order with the answers so far, and with each option of a field; the hint of a field, which can name these prices.

type Deps = Pick<BotDeps, 'catalog'>
type Answered = Pick<Drawn, 'model' | 'answers'>

/** The price of each option; empty when they all cost the same. */
export function pricesOf(
  { catalog }: Deps,
  drawn: Answered,
  field: Field,
  options: readonly Answer[],
): ReadonlyMap<Answer, Kopecks> {
  const priced = options.flatMap((option): [Answer, Kopecks][] => {
    const answers = fitAnswers(drawn.model, { ...drawn.answers, [field.name]: option }, field.name)
    const amount = catalog.priceWith(drawn.model, answers)?.amount
    return amount === undefined ? [] : [[option, amount]]
  })
  return new Map(new Set(priced.map(([, amount]) => amount)).size > 1 ? priced : [])
}

/** The hint of a field; empty without one. */
export function hintText(deps: Deps, drawn: Answered, field: Field, say: Say): string {
  if (field.kind === 'choice' && field.pricedHint) {
    const options = field.options.map(({ value }) => value)
    const prices = [...pricesOf(deps, drawn, field, options).values()].toSorted((a, b) => Number(a - b))
    const [least, most] = [prices[0], prices.at(-1)]
    if (least !== undefined && most !== undefined)
      return say.plain(field.pricedHint, { least: say.roubles(least), most: say.roubles(most) })
  }
  return field.hint ? say.label(field.hint) : ''
}
