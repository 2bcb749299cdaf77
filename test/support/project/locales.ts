// `npm run locales`: compares the folders of src/bot/locales, reports missing texts, and writes src/text-keys.ts, the types with which
// `tsc` checks every text that the code uses.

import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Junk, Message, parse, type SelectExpression, type VariableReference, Visitor } from '@fluent/syntax'
import { localeSettings } from '../../../src/texts.ts'

const src = join(import.meta.dirname, '../../../src')
export const localesFolder = join(src, 'bot/locales')
export const typesPath = join(src, 'text-keys.ts')

export interface Text {
  /** The values that are inserted into the text. True for a value that selects a plural form, which must be a number. */
  readonly values: ReadonlyMap<string, boolean>
  /** Whether the text has HTML tags or entities, so that it cannot be used on a button. */
  readonly isHtml: boolean
}

interface LocaleFiles {
  readonly locale: string
  readonly texts: ReadonlyMap<string, Text>
  readonly problems: readonly string[]
}

const pluralForms = /^(zero|one|two|few|many|other|\d+)$/

function textOf(message: Message): Text {
  const values = new Map<string, boolean>()
  const add = (name: string, isNumber: boolean) => values.set(name, isNumber || values.get(name) === true)
  let isHtml = false
  class Reader extends Visitor {
    override visitVariableReference({ id }: VariableReference): void {
      add(id.name, false)
    }
    override visitSelectExpression(node: SelectExpression): void {
      const keys = node.variants.map(({ key }) => String('name' in key ? key.name : key.value))
      const { selector } = node
      if (selector.type === 'VariableReference')
        add(
          selector.id.name,
          keys.every((key) => pluralForms.test(key)),
        )
      this.genericVisit(node)
    }
    override visitTextElement({ value }: { value: string }): void {
      isHtml ||= /<\/?[a-z]|&\w+;/.test(value)
    }
  }
  new Reader().visit(message)
  return { values, isHtml }
}

function readLocale(folder: string, locale: string): LocaleFiles {
  const texts = new Map<string, Text>()
  const problems: string[] = []
  for (const name of readdirSync(join(folder, locale))
    .filter((file) => file.endsWith('.ftl'))
    .toSorted()) {
    for (const entry of parse(readFileSync(join(folder, locale, name), 'utf8'), {}).body) {
      if (entry instanceof Junk) problems.push(`${locale}/${name}: cannot be read: ${entry.content.trim()}`)
      if (!(entry instanceof Message)) continue
      const key = entry.id.name
      if (texts.has(key)) problems.push(`${locale}/${name}: "${key}" stands twice`)
      if (!entry.value) problems.push(`${locale}/${name}: "${key}" is empty`)
      texts.set(key, textOf(entry))
    }
  }
  return { locale, texts, problems: [...problems, ...settingsProblems(folder, locale)] }
}

function settingsProblems(folder: string, locale: string): string[] {
  const path = join(folder, locale, 'locale.json')
  if (!existsSync(path)) return [`${locale}: there is no locale.json`]
  const { data, error } = localeSettings.safeParse(JSON.parse(readFileSync(path, 'utf8')))
  const tags = data ? [data.dates, data.amounts] : []
  return [
    ...(error?.issues ?? []).map((issue) => `${issue.path.join('.')}: ${issue.message}`),
    ...tags.filter(isUnknown).map((tag) => `Intl does not know "${tag}"`),
  ].map((problem) => `${locale}/locale.json: ${problem}`)
}

const isUnknown = (tag: string) => Intl.DateTimeFormat.supportedLocalesOf(tag).length === 0

export const readLocales = (folder = localesFolder): LocaleFiles[] =>
  readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => readLocale(folder, name))
    .toSorted((a, b) => (a.locale < b.locale ? -1 : 1))

/** All problems of the folders: syntax errors, and texts and values that one language lacks. */
export function problemsOf(all: readonly LocaleFiles[]): string[] {
  const texts = merged(all)
  return all.flatMap((one) => [
    ...one.problems,
    ...[...texts].flatMap(([key, text]) => {
      const own = one.texts.get(key)
      if (!own) return [`${one.locale}: there is no text "${key}"`]
      const unused = [...text.values.keys()].filter((name) => !own.values.has(name))
      return unused.map((name) => `${one.locale}: "${key}" does not show $${name}`)
    }),
  ])
}

/** The texts of all languages together. */
export function merged(all: readonly LocaleFiles[]): ReadonlyMap<string, Text> {
  const keys = [...new Set(all.flatMap(({ texts }) => [...texts.keys()]))].toSorted()
  return new Map(keys.map((key) => [key, mergedText(all.flatMap(({ texts }) => texts.get(key) ?? []))]))
}

function mergedText(texts: readonly Text[]): Text {
  const names = [...new Set(texts.flatMap(({ values }) => [...values.keys()]))].toSorted()
  const isNumber = (name: string) => texts.some(({ values }) => values.get(name))
  return {
    values: new Map(names.map((name) => [name, isNumber(name)])),
    isHtml: texts.some((text) => text.isHtml),
  }
}

/** The content of src/text-keys.ts. */
export function typesOf(all: readonly LocaleFiles[]): string {
  const texts = [...merged(all)]
  const rows = (isHtml: boolean) =>
    texts
      .filter(([, text]) => text.isHtml === isHtml)
      .map(([key, { values }]) => `  '${key}': ${valuesType(values)}`)
  return `// Generated from src/bot/locales by \`npm run locales\`; do not edit.

/** The folders of src/bot/locales. */
export type Locale = ${all.map(({ locale }) => `'${locale}'`).join(' | ')}

/** A piece of Telegram HTML: everything foreign in it has been escaped. */
export interface Html {
  readonly html: string
}
type Value = string | number | Html
type None = Readonly<Record<never, never>>

/** Texts without HTML, with the values that are put into them: for buttons, alerts and messages. */
export interface PlainTexts {
${rows(false).join('\n')}
}

/** Texts with HTML, with the values that are put into them: for messages only. */
export interface HtmlTexts {
${rows(true).join('\n')}
}

/** Texts without HTML and values. */
export type BareKey = {
  [K in keyof PlainTexts]: keyof PlainTexts[K] extends never ? K : never
}[keyof PlainTexts]
`
}

function valuesType(values: Text['values']): string {
  const types = [...values].map(([name, isNumber]) => `${name}: ${isNumber ? 'number' : 'Value'}`)
  return types.length === 0 ? 'None' : `{ ${types.join('; ')} }`
}

if (import.meta.main) {
  const all = readLocales()
  const problems = problemsOf(all)
  for (const problem of problems) process.stderr.write(`${problem}\n`)
  writeFileSync(typesPath, typesOf(all))
  process.exitCode = problems.length > 0 ? 1 : 0
}
