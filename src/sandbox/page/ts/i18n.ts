// The words of the page in the language of the user who is speaking.

import { en } from './words.en.ts'
import { ru } from './words.ru.ts'

let current = 'en'

/** @returns {'ru' | 'en'} */
export const language = () => current

/** @param {string | undefined} code an IETF language tag; all but Russian reads English */
export function setLanguage(code) {
  current = code?.toLowerCase().startsWith('ru') ? 'ru' : 'en'
  document.documentElement.lang = current
}

/**
 * @param {keyof typeof en} key
 * @param {Record<string, string | number>} [values] put in place of `{name}`
 */
export function t(key, values = {}) {
  const words = current === 'ru' ? ru : en
  return words[key].replace(/\{(\w+)\}/g, (_, name) => String(values[name] ?? ''))
}

/** Picks from `one|few|many` (Russian) or `one|other` (English), which `{n}` then completes. */
export function plural(key, n) {
  const forms = t(key, { n }).split('|')
  const rule = new Intl.PluralRules(current).select(n)
  const index = { one: 0, few: 1, many: 2, other: forms.length - 1 }[rule] ?? forms.length - 1
  return forms[Math.min(index, forms.length - 1)] ?? ''
}
