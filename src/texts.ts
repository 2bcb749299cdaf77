// Everything a user reads, from the Fluent files in bot/locales. A missing text is a broken build, not a blank message.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
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

export function loadTexts(): Texts {
  const says = new Map(locales.map((locale) => [locale, createSay(locale)]))
  return (locale) => {
    const say = says.get(locale)
    assert(say, `no texts in ${locale}`)
    return say
  }
}

function createSay(locale: Locale): Say {
  const bundle = new FluentBundle(locale, { useIsolating: false })
  const source = readFileSync(join(import.meta.dirname, 'bot/locales', `${locale}.ftl`), 'utf8')
  const problems = bundle.addResource(new FluentResource(source))
  assert.equal(problems.length, 0, `${locale}.ftl: ${problems.join('; ')}`)
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
