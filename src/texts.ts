// All texts for users, from the folders bot/locales/<language>: the Fluent files with the texts, and locale.json with the formats of dates
// and amounts. Each folder is a language; there is no other list of languages. The operator's own files replace single texts.

import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { FluentBundle, FluentResource } from '@fluent/bundle'
import { z } from 'zod'
import type { Label } from './catalog/field.ts'
import { localesFolder } from './folders.ts'
import { type AmountFormat, amountFormat } from './money.ts'
import type { Html, HtmlTexts, Locale, PlainTexts } from './text-keys.ts'

export type { BareKey, Html, Locale } from './text-keys.ts'

type AllTexts = PlainTexts & HtmlTexts
/** A text for buttons, alerts and command lists, which take no HTML. */
type PlainKey = keyof PlainTexts
/** Any text: a message is always HTML. */
type TextKey = keyof AllTexts

type ValuesOf<K extends TextKey> = K extends TextKey ? keyof AllTexts[K] : never
type ValueOf<K extends TextKey, Name> = K extends TextKey
  ? Name extends keyof AllTexts[K]
    ? AllTexts[K][Name]
    : never
  : never

/**
 * The values that are put into a text. A composed key (`failure-${reason}`) takes the values of every text that it can name.
 * Foreign strings are escaped in HTML; `{ html }` is already HTML.
 */
type Values<K extends TextKey> = { readonly [Name in ValuesOf<K>]: ValueOf<K, Name> }
/** The arguments after the key; a text without values takes none. */
type Args<K extends TextKey> = [ValuesOf<K>] extends [never] ? [] : [values: Values<K>]

/** One language's texts, and how it writes amounts. */
export interface Say extends AmountFormat {
  readonly locale: Locale
  plain<K extends PlainKey>(key: K, ...args: Args<K>): string
  html<K extends TextKey>(key: K, ...args: Args<K>): string
  /** Several labels are separated by commas. */
  label(label: Label | readonly Label[]): string
}

export type Texts = (locale: Locale) => Say

export const localeSettings = z.strictObject({
  /** The name of the language in the language itself. */
  name: z.string().min(1),
  /** The Intl locale whose dates are written. */
  dates: z.string().refine(isLanguageTag),
  /** The Intl locale whose amounts and prices are written. */
  amounts: z.string().refine(isLanguageTag),
  /** Other language codes of Telegram whose speakers get this language, unless they have a folder of their own. */
  alsoFor: z.array(z.string()),
})

/**
 * Checks only the form of a tag. `npm run locales` checks whether Intl knows the language, because the list of known languages loads
 * slowly.
 */
function isLanguageTag(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length > 0
  } catch {
    return false
  }
}

/** The operator's language, used for people whose language is unknown. */
export const homeLocale: Locale = 'ru'
/** The language for speakers of languages that have no folder. */
export const foreignLocale: Locale = 'en'

const settingsByLocale = new Map(
  readdirSync(localesFolder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => {
      const settings = readFileSync(join(localesFolder, name, 'locale.json'), 'utf8')
      // The type is generated from the names of the same folders.
      return [name as Locale, localeSettings.parse(JSON.parse(settings))] as const
    }),
)

const isHome = (locale: Locale) => Number(locale === homeLocale)
/** All languages, the operator's first, as on the keyboard of /settings. */
export const locales: readonly Locale[] = [...settingsByLocale.keys()].toSorted(
  (a, b) => isHome(b) - isHome(a) || a.localeCompare(b),
)

export const localeName = (locale: Locale): string => settingsOf(locale).name
/** The Intl locale by which the dates of a language are written. */
export const datesOf = (locale: Locale): string => settingsOf(locale).dates

function settingsOf(locale: Locale) {
  const settings = settingsByLocale.get(locale)
  assert(settings, `no folder ${locale} in ${localesFolder}`)
  return settings
}

export const isLocale = (code: string): code is Locale => locales.some((locale) => locale === code)

/** The locales by the language codes of their speakers; all other codes are of `foreignLocale`. */
export const localeByCode: ReadonlyMap<string, Locale> = new Map([
  ...locales.toReversed().flatMap((one) => settingsOf(one).alsoFor.map((code) => [code, one] as const)),
  ...locales.map((one) => [one, one] as const),
])

/** The locale for a language code of Telegram, like `pt-br`. */
export function localeOf(languageCode: string | null | undefined): Locale {
  const [language = ''] = (languageCode ?? '').split('-')
  return localeByCode.get(language) ?? foreignLocale
}

export const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

/** The words of Telegram HTML, without its tags. */
export const withoutHtml = (html: string): string =>
  html
    .replace(/<[^>]*>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')

/**
 * @param own a folder with files like `ru.ftl`, whose texts replace ours
 * @throws AssertionError that names the mistake and its file
 */
export function loadTexts(own?: string): Texts {
  const says = new Map(locales.map((locale) => [locale, lazy(() => createSay(locale, own))]))
  // A mistake in the operator's texts is found at the start.
  if (own) for (const say of says.values()) say()
  return (locale) => {
    const say = says.get(locale)
    assert(say, `no texts in ${locale}`)
    return say()
  }
}

type AnyValues = Readonly<Record<string, string | number | Html>>

function createSay(locale: Locale, own: string | undefined): Say {
  const bundle = new FluentBundle(locale, { useIsolating: false })
  for (const path of builtInFiles(locale)) add(bundle, path)
  if (own) addOwn(bundle, join(own, `${locale}.ftl`))
  const format = (key: string, values: AnyValues, guard: (text: string) => string) => {
    const pattern = bundle.getMessage(key)?.value
    assert(pattern, `no text "${key}" in ${locale}`)
    return bundle.formatPattern(pattern, guarded(values, guard))
  }
  const plain = (key: string, values: AnyValues = {}) => format(key, values, (text) => text)
  const labelled = (label: Label): string => {
    if (typeof label !== 'string') return translationOf(label, locale)
    // A stored price can name a label that has been renamed since.
    return bundle.hasMessage(label) ? plain(label) : label
  }
  return {
    locale,
    ...amountFormat(settingsOf(locale).amounts),
    plain: (key, ...[values]) => plain(key, values),
    html: (key, ...[values]) => format(key, values ?? {}, escapeHtml),
    label: (label) => [label].flat().map(labelled).join(', '),
  }
}

/** The translation in the language, else in another one: words of another language are better than none. */
const translationOf = (by: Exclude<Label, string>, locale: Locale): string =>
  by[locale] ?? by['*'] ?? by[foreignLocale] ?? Object.values(by)[0] ?? ''

/** The Fluent files of a language. */
export const builtInFiles = (locale: Locale): string[] =>
  readdirSync(join(localesFolder, locale))
    .filter((name) => name.endsWith('.ftl'))
    .map((name) => join(localesFolder, locale, name))

function add(bundle: FluentBundle, path: string, allowOverrides = false): void {
  const problems = bundle.addResource(new FluentResource(readText(path)), { allowOverrides })
  assert.equal(problems.length, 0, `${path}: ${problems.join('; ')}`)
}

/** Reads a file without its byte order mark, with which the first text would not be found. */
const readText = (path: string): string => readFileSync(path, 'utf8').replace(/^\uFEFF/, '')

/** Adds the operator's texts. A text with a key that no built-in text has is refused as misspelt. */
function addOwn(bundle: FluentBundle, path: string): void {
  if (!existsSync(path)) return
  const keys = new FluentResource(readText(path)).body.map(({ id }) => id)
  const unknown = keys.filter((id) => !id.startsWith('-') && !bundle.hasMessage(id))
  assert.equal(unknown.length, 0, `${path}: there are no texts ${unknown.join(', ')}`)
  add(bundle, path, true)
}

function guarded(values: AnyValues, guard: (text: string) => string): Record<string, string | number> {
  const entries = Object.entries(values).map(([name, value]): [string, string | number] => {
    if (typeof value === 'number') return [name, value]
    return [name, typeof value === 'string' ? guard(value) : value.html]
  })
  return Object.fromEntries(entries)
}

/** UTF-16 units, after parsing. */
export const messageLimit = 4096

/** A value that is computed when it is first needed, since computing it at the start would delay the first answer. */
function lazy<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
