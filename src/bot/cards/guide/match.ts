// Typed words that mean an option: `16:9`, `10 s`, `yes`. A label is recognised in every language, since people mix them.

import type { Label, Option } from '../../../catalog/field.ts'
import { locales, type Texts } from '../../../texts.ts'

const plain = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll('×', 'x')
    .replace(/[^\p{L}\p{N}:.,-]+/gu, '')

/** The options whose value or label is typed, or else the only one whose label contains what is typed. */
export function meantOption<T>(
  texts: Texts,
  options: readonly T[],
  namesOf: (option: T) => { readonly value: string; readonly label: Label },
  typed: string,
): T | undefined {
  const wanted = plain(typed)
  if (wanted === '') return undefined
  const named = options.map((option) => {
    const { value, label } = namesOf(option)
    return { option, names: [value, ...locales.map((locale) => texts(locale).label(label))].map(plain) }
  })
  const same = named.find(({ names }) => names.includes(wanted))
  if (same) return same.option
  const [only, ...others] = named.filter(({ names }) => names.some((name) => name.includes(wanted)))
  return others.length === 0 ? only?.option : undefined
}

export const optionNames = ({ value, label }: Option) => ({ value, label })

/** `yes`, `off`, `да` in every language. */
export function meantToggle(texts: Texts, typed: string): 'on' | 'off' | undefined {
  const words = (key: 'guide-words-on' | 'guide-words-off') =>
    locales.flatMap((locale) => texts(locale).plain(key).split(' '))
  const wanted = plain(typed)
  if (words('guide-words-on').includes(wanted)) return 'on'
  return words('guide-words-off').includes(wanted) ? 'off' : undefined
}
