// Everything a user reads, from the Fluent files in bot/locales/<language>, and the operator's own words in place of some. A
// missing text is a broken build, not a blank message.

import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { FluentBundle, FluentResource } from '@fluent/bundle'
import type { Label, Locale } from './catalog/field.ts'

export const locales: readonly Locale[] = ['ru', 'en']

/** Values put into a text. Foreign strings are escaped in HTML; `{ html }` is already HTML. */
export type Args = Readonly<Record<string, string | number | Html>>

/** A piece of Telegram HTML: everything foreign in it has been escaped. */
export interface Html {
  readonly html: string
}

/** One language's texts. */
export interface Say {
  readonly locale: Locale
  /** For buttons, alerts and command lists. */
  plain(key: string, args?: Args): string
  /** For messages, which are always HTML. */
  html(key: string, args?: Args): string
  label(label: Label): string
}

export type Texts = (locale: Locale) => Say

export const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

/**
 * @param own a folder with `ru.ftl` and `en.ftl`, whose texts replace ours
 * @throws AssertionError naming what is wrong in which file
 */
export function loadTexts(own?: string): Texts {
  const says = new Map(locales.map((locale) => [locale, createSay(locale, own)]))
  return (locale) => {
    const say = says.get(locale)
    assert(say, `no texts in ${locale}`)
    return say
  }
}

function createSay(locale: Locale, own: string | undefined): Say {
  const bundle = new FluentBundle(locale, { useIsolating: false })
  for (const path of filesOf(locale)) add(bundle, path)
  if (own) addOwn(bundle, join(own, `${locale}.ftl`))
  const format = (key: string, args: Record<string, string | number>) => {
    const pattern = bundle.getMessage(key)?.value
    assert(pattern, `no text "${key}" in ${locale}`)
    return bundle.formatPattern(pattern, args)
  }
  return {
    locale,
    plain: (key, args = {}) =>
      format(
        key,
        mapArgs(args, (text) => text),
      ),
    html: (key, args = {}) => format(key, mapArgs(args, escapeHtml)),
    label: (label) => label[locale],
  }
}

const filesOf = (locale: Locale): string[] => {
  const folder = join(import.meta.dirname, 'bot/locales', locale)
  return readdirSync(folder).map((name) => join(folder, name))
}

function add(bundle: FluentBundle, path: string, allowOverrides = false): FluentResource {
  const resource = new FluentResource(readFileSync(path, 'utf8'))
  const problems = bundle.addResource(resource, { allowOverrides })
  assert.equal(problems.length, 0, `${path}: ${problems.join('; ')}`)
  return resource
}

/** A text of the operator's that replaces nothing is a slip of the pen. */
function addOwn(bundle: FluentBundle, path: string): void {
  if (!existsSync(path)) return
  const known = new FluentResource(readFileSync(path, 'utf8')).body.map(({ id }) => id)
  const strangers = known.filter((id) => !bundle.hasMessage(id))
  assert.equal(strangers.length, 0, `${path}: there are no texts ${strangers.join(', ')}`)
  add(bundle, path, true)
}

function mapArgs(args: Args, guard: (text: string) => string): Record<string, string | number> {
  const entries = Object.entries(args).map(([name, value]): [string, string | number] => {
    if (typeof value === 'number') return [name, value]
    return [name, typeof value === 'string' ? guard(value) : value.html]
  })
  return Object.fromEntries(entries)
}

/** The locale for a language code of Telegram: Russian for Russian and its neighbours' speakers, else English. */
export function localeOf(languageCode: string | null | undefined): Locale {
  return /^(ru|be|uk|kk|ky|uz|tg)\b/.test(languageCode ?? '') ? 'ru' : 'en'
}
