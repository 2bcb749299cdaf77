// Typed words that mean an option: `16:9`, `10 s`, `yes`. A label is recognised in every language, since people mix them.

import {
  type Field,
  isUserField,
  type Option,
  type TextField,
  type ToggleField,
} from '../../catalog/field.ts'
import type { Model } from '../../catalog/model.ts'
import { keyOf, listOf } from '../../form/answer.ts'
import type { Drawn, Sibling } from '../../form/card-data.ts'
import { possibleOptions } from '../../form/fit.ts'
import { homeLocale, locales, type Texts } from '../../texts.ts'

/** Cyrillic letters that look or sound like the Latin ones of units: people type `4к`, `16х9` and `720п` on their own keyboard. */
const lookalikes: Readonly<Record<string, string>> = { к: 'k', п: 'p', р: 'p', с: 'c', х: 'x' }

/** The letters and digits of a text, the same for all spellings of one value: `16 : 9`, `16×9` and `16/9`. */
const plain = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[кпрсх]/g, (letter) => lookalikes[letter] ?? letter)
    .replace(/(?<=\d\s*)(?:[x×*/]|на|by)(?=\s*\d)/g, ':')
    .replace(/[^\p{L}\p{N}:.,-]+/gu, '')

type Named = Pick<Option, 'value' | 'label'>
type Answered = Pick<Drawn, 'model' | 'answers'>

/** A number with a unit: `9`, `9s`, `1080p`. */
const measure = /^(\d+)(\p{L}*)$/u

/** Whether two measures mean the same: `9` and `9 seconds` mean `9s`. */
function isSameMeasure(one: string, other: string): boolean {
  const [[, number, unit = ''], [, otherNumber, otherUnit = '']] = [
    measure.exec(one) ?? [],
    measure.exec(other) ?? [],
  ]
  return (
    number !== undefined &&
    number === otherNumber &&
    (unit.startsWith(otherUnit) || otherUnit.startsWith(unit))
  )
}

const everyName = <T extends Named>(texts: Texts, options: readonly T[]) =>
  options.map((option) => {
    const labels = locales.map((locale) => texts(locale).label(option.label))
    return { option, names: [option.value, ...labels].map(plain) }
  })

/** A typed answer with the values of the options that it names: `Boris`, or `Pan left, zoom in` where several are taken. Other words stay. */
export function withValues(texts: Texts, field: TextField, offers: readonly Option[], typed: string): string {
  const named = everyName(texts, offers)
  const valueNamed = (name: string) =>
    named.find(({ names }) => names.includes(plain(name)))?.option.value ?? name
  return field.many ? listOf(typed).map(valueNamed).join(', ') : valueNamed(typed)
}

/**
 * The option whose value or label is typed; for a number the option with this number; for other words the only one whose label contains
 * them.
 */
function meantOption<T extends Named>(texts: Texts, options: readonly T[], typed: string): T | undefined {
  const wanted = plain(typed)
  if (wanted === '') return undefined
  const named = everyName(texts, options)
  const same = named.find(({ names }) => names.includes(wanted))
  if (same) return same.option
  if (measure.test(wanted))
    return named.find(({ names }) => names.some((name) => isSameMeasure(name, wanted)))?.option
  const [only, ...others] = named.filter(({ names }) => names.some((name) => name.includes(wanted)))
  return others.length === 0 ? only?.option : undefined
}

/** The model that is typed. */
export function meantModel(texts: Texts, siblings: readonly Sibling[], typed: string): string | undefined {
  const named = siblings.map(({ model: { id, label } }) => ({ value: id, label }))
  return meantOption(texts, named, typed)?.value
}

/** The key of the option of a field that is typed. @param offers the options of a text field */
export function meantKey(
  texts: Texts,
  { model, answers }: Answered,
  field: Field,
  offers: readonly Option[],
  typed: string,
): string | undefined {
  switch (field.kind) {
    case 'toggle':
      return meantToggle(texts, field, typed)
    case 'choice': {
      const options = possibleOptions(model, field, answers)
      const named =
        meantOption(texts, options, typed) ?? meantOption(texts, options, shapeNamed(texts, typed))
      return named?.value ?? sizeMeant({ model, answers }, field.name, typed)
    }
    case 'number':
      return field.named && meantOption(texts, field.named, typed)?.value
    case 'text': {
      const meant = (field.source ?? field.suggestions) && meantOption(texts, offers, typed)
      return meant && keyOf(meant.value)
    }
    default:
      return undefined
  }
}

const shapes = { tall: '9:16', wide: '16:9', square: '1:1' } as const

/** The shape that one or two words name in any language: `vertical`, `вертикальное видео`; empty for other words. */
export function shapeNamed(texts: Texts, typed: string): string {
  const words = typed.trim().split(/\s+/)
  const isNamed = (shape: keyof typeof shapes) =>
    locales
      .flatMap((locale) => texts(locale).plain(`guide-words-${shape}`).split(' '))
      .some((stem) => plain(words[0] ?? '').startsWith(plain(stem)))
  const [shape] = words.length > 2 ? [] : (['tall', 'wide', 'square'] as const).filter(isNamed)
  return shape ? shapes[shape] : ''
}

/** The width and the height in a size in pixels; none in another text. */
export const sidesIn = (text: string): readonly number[] =>
  (/^(\d{3,4})\s*[x×х*]\s*(\d{3,4})$/iu.exec(text)?.slice(1) ?? []).map(Number)

/** The option with these pixels, or nearly these: `1920x1080` means 1920x1088. */
function sizeMeant({ model, answers }: Answered, name: string, typed: string): string | undefined {
  const field = model.fields.find((one) => one.name === name)
  const wanted = sidesIn(typed.trim())
  const isNear = (side: number, at: number) => Math.abs(side / (wanted[at] ?? 0) - 1) < 0.02
  const options = field?.kind === 'choice' ? possibleOptions(model, field, answers) : []
  return options.find(({ value }) => sidesIn(value).length > 0 && sidesIn(value).every(isNear))?.value
}

/** Understands `yes`, `off`, `да` in every language. */
function meantToggle(texts: Texts, field: ToggleField, typed: string): 'on' | 'off' | undefined {
  const isYes = meantYes(texts, typed)
  return isYes === undefined ? undefined : isYes === saysYes(texts, field, true) ? 'on' : 'off'
}

/** Whether a state is named by a word like “yes”. The state “without vocals”, which is on for the gateway, is not. */
export function saysYes(texts: Texts, { states }: ToggleField, isOn: boolean): boolean {
  const isYes = states && meantYes(texts, texts(homeLocale).label(states.on))
  return (isYes ?? true) === isOn
}

function meantYes(texts: Texts, typed: string): boolean | undefined {
  const words = (key: 'guide-words-on' | 'guide-words-off') =>
    locales.flatMap((locale) => texts(locale).plain(key).split(' ').map(plain)).filter(Boolean)
  const wanted = plain(typed)
  if (words('guide-words-on').includes(wanted)) return true
  return words('guide-words-off').includes(wanted) ? false : undefined
}

/** Whether only a text of a certain form answers the field, and this is one: a size in pixels. */
export const isExact = (field: Field, typed: string): boolean =>
  field.kind === 'text' && isUserField(field) && field.fits(typed) && !field.fits('words')

/** The text field for values that the options of a choice lack, if the typed text has its form: an exact size beside the shapes. */
export const exactFor = ({ fields }: Model, { kind, shape }: Field, typed: string): Field | undefined =>
  fields.find(
    (one) => kind === 'choice' && isExact(one, typed) && Object.keys(one.shape).some((path) => path in shape),
  )
