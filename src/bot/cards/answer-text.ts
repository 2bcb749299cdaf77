// An answer as text.

import type { Attachment } from '../../catalog/attachment.ts'
import type { Answer, Field, Label, NumberField, Option, ToggleField } from '../../catalog/field.ts'
import { listOf } from '../../form/answer.ts'
import { cutWithEllipsis } from '../../runtime/cut-text.ts'
import type { Say } from '../../texts.ts'

/** Code points of a speaker's name that a button shows. */
const shownName = 16

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
      return withUnit(numberText(field, answer, say), field.unit, say)
    case 'text': {
      const values = field.many ? listOf(answer) : [String(answer)]
      return values.map((value) => optionLabel(offers, value, say)).join(', ')
    }
    case 'media':
      return Array.isArray(answer) ? filesText(answer, say) : ''
  }
}

export function stateText({ states }: ToggleField, isOn: boolean, say: Say): string {
  if (states) return say.label(isOn ? states.on : states.off)
  return say.plain(isOn ? 'answer-on' : 'answer-off')
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

/** `2 × 🖼`, `🖼 @cat, 🖼 @dog, 🎵 @dog` */
function filesText(files: readonly Attachment[], say: Say): string {
  const named = files.map(({ medium, note }) =>
    [say.plain(`medium-${medium}`), ...(note ? [noteText(note, say)] : [])].join(' '),
  )
  return [...Map.groupBy(named, (text) => text)]
    .map(([text, same]) => (same.length > 1 ? `${same.length} × ${text}` : text))
    .join(', ')
}

function noteText(note: string, say: Say): string {
  return note === 'first' || note === 'last' ? say.plain(`frame-${note}`) : note
}
