// The words of the page, in the language of the open user.

import { en, type WordKey } from './words.en.ts'
import { ru } from './words.ru.ts'

export type { WordKey }

type Language = 'ru' | 'en'

let current: Language = 'en'

export const language = (): Language => current

/** @param code an IETF language tag; Russian gives Russian, every other language English */
export function setLanguage(code: string | undefined): void {
  current = code?.toLowerCase().startsWith('ru') ? 'ru' : 'en'
  document.documentElement.lang = current
}

/** @param values by name; they replace `{name}` in the words */
export function t(key: WordKey, values: Readonly<Record<string, string | number>> = {}): string {
  const words = current === 'ru' ? ru : en
  return words[key].replace(/\{(\w+)\}/g, (_, name: string) => String(values[name] ?? ''))
}

/** Picks the form for `n` from `one|few|many` (Russian) or `one|other` (English), and replaces `{n}` by `n`. */
export function plural(key: WordKey, n: number): string {
  const forms = t(key, { n }).split('|')
  const rule = new Intl.PluralRules(current).select(n)
  const last = forms.length - 1
  const index = rule === 'one' ? 0 : rule === 'few' ? 1 : rule === 'many' ? 2 : last
  return forms[Math.min(index, last)] ?? ''
}
