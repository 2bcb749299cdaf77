// Checks the operator's own texts (TEXTS_DIR) completely, so that a mistake is reported at the start. Otherwise Telegram would refuse a
// message, or a text would silently not be replaced.

import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type * as syntax from '@fluent/syntax'
import { builtInFiles, locales, messageLimit } from '../texts.ts'

// The parser is loaded only when there are texts to check.
const loadSyntax = (): typeof syntax => createRequire(import.meta.url)('@fluent/syntax')

interface Problem {
  /** The file, and the line and the key in it. */
  readonly place: string
  readonly what: string
}

/** The variables that a text may contain, and whether it may contain HTML. */
interface BuiltIn {
  readonly variables: ReadonlySet<string>
  readonly isHtml: boolean
}

const functions = ['NUMBER', 'DATETIME']
const files = locales.map((locale) => `${locale}.ftl`)

/** @param folder a folder that can be read */
export function wrongTexts(folder: string): Problem[] {
  const names = readdirSync(folder).filter((name) => !name.startsWith('.'))
  const wanted = `only ${files.join(' and ')} are read from this folder`
  if (!names.some((name) => files.includes(name)))
    return [{ place: '', what: `${wanted}: write one of them` }]
  const builtIn = readBuiltIn()
  return names.flatMap((name) =>
    files.includes(name)
      ? wrongFile(join(folder, name), builtIn).map(({ place, what }) => ({ place: `${name}${place}`, what }))
      : [{ place: name, what: `${wanted}: rename or remove this one` }],
  )
}

/** The built-in texts of all languages together. */
function readBuiltIn(): ReadonlyMap<string, BuiltIn> {
  const { parse, Message } = loadSyntax()
  const all = new Map<string, BuiltIn>()
  const bodies = locales.flatMap(builtInFiles).flatMap((path) => parse(readFileSync(path, 'utf8'), {}).body)
  for (const entry of bodies) {
    if (!(entry instanceof Message)) continue
    const { variables, texts } = partsOf(entry)
    const isHtml = texts.some((text) => /<\/?[a-z]|&\w+;/.test(text))
    const other = all.get(entry.id.name)
    all.set(entry.id.name, {
      variables: new Set([...variables, ...(other?.variables ?? [])]),
      isHtml: isHtml || other?.isHtml === true,
    })
  }
  return all
}

function wrongFile(path: string, builtIn: ReadonlyMap<string, BuiltIn>): Problem[] {
  const source = readText(path)
  if (source === undefined) return [{ place: '', what: 'this is not a text in UTF-8: save it as UTF-8' }]
  const { parse, Junk, Message, Term } = loadSyntax()
  const { body } = parse(source, {})
  const at = (position = 0) => `, line ${source.slice(0, position).split('\n').length}`
  const terms = new Set(body.flatMap((entry) => (entry instanceof Term ? [`-${entry.id.name}`] : [])))
  const seen = new Set<string>()
  return body.flatMap((entry): Problem[] => {
    if (entry instanceof Junk) return [{ place: at(firstWords(entry)), what: junkText(entry) }]
    if (!(entry instanceof Message)) return []
    const key = entry.id.name
    const what = seen.has(key) ? ['is written twice: remove one of them'] : wrongText(entry, builtIn, terms)
    seen.add(key)
    return what.map((one) => ({ place: `${at(entry.span?.start)}, ${key}`, what: one }))
  })
}

/** Reads a text file without its byte order mark; undefined for a file in another encoding than UTF-8. */
function readText(path: string): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(path))
  } catch {
    return undefined
  }
}

const firstWords = ({ content, span }: syntax.Junk): number =>
  (span?.start ?? 0) + (/\S/.exec(content)?.index ?? 0)

function junkText({ annotations }: syntax.Junk): string {
  const [first] = annotations
  const why = first ? `: ${first.message.replace(/\.$/, '')}` : ''
  return `this is not Fluent${why}: correct it, like "key = text"`
}

function wrongText(
  message: syntax.Message,
  builtIn: ReadonlyMap<string, BuiltIn>,
  terms: ReadonlySet<string>,
): string[] {
  const known = builtIn.get(message.id.name)
  if (!known) return ['there is no text with this key, so it replaces nothing: correct or remove it']
  if (!message.value) return ['has no text: write one after "="']
  const { variables, references, texts } = partsOf(message)
  const values = [...known.variables].map((name) => `{ $${name} }`).join(', ') || 'no values'
  const isKnown = (name: string) => builtIn.has(name) || terms.has(name) || functions.includes(name)
  return [
    ...variables
      .filter((name) => !known.variables.has(name))
      .map((name) => `{ $${name} } is not known here: write ${values}`),
    ...references
      .filter((name) => !isKnown(name))
      .map((name) => `{ ${name} } is not known: correct or remove it`),
    ...[...new Set(texts.flatMap((text) => wrongWords(text, known)))],
  ]
}

function wrongWords(text: string, { isHtml }: BuiltIn): string[] {
  if (text.length > messageLimit) return [`has ${text.length} characters: write at most ${messageLimit}`]
  if (!isHtml && /<|&\w+;/.test(text))
    return ['cannot have HTML, since buttons show it too: remove "<" and "&…;"']
  const wrong = wrongHtml(text)
  return wrong ? [wrong] : []
}

interface TextParts {
  readonly variables: readonly string[]
  /** The other messages, terms (with their dash) and functions that the text uses. */
  readonly references: readonly string[]
  /** The possible results of the text, without its values: one for each form of its selections. */
  readonly texts: readonly string[]
}

function partsOf(message: syntax.Message): TextParts {
  const variables = new Set<string>()
  const references = new Set<string>()
  let forms = 1
  class Reader extends loadSyntax().Visitor {
    override visitVariableReference({ id }: syntax.VariableReference): void {
      variables.add(id.name)
    }
    override visitMessageReference({ id }: syntax.MessageReference): void {
      references.add(id.name)
    }
    override visitTermReference({ id }: syntax.TermReference): void {
      references.add(`-${id.name}`)
    }
    override visitFunctionReference(node: syntax.FunctionReference): void {
      references.add(node.id.name)
      this.genericVisit(node)
    }
    override visitSelectExpression(node: syntax.SelectExpression): void {
      forms = Math.max(forms, node.variants.length)
      this.genericVisit(node)
    }
  }
  new Reader().visit(message)
  const pattern = message.value
  const texts = pattern ? Array.from({ length: forms }, (_, form) => written(pattern, form)) : []
  return { variables: [...variables], references: [...references], texts }
}

/** @param form the number of the variant that is used of each selection; the last variant of a selection that has fewer */
function written({ elements }: syntax.Pattern, form: number): string {
  return elements
    .map((element) => (element.type === 'TextElement' ? element.value : writtenInside(element, form)))
    .join('')
}

function writtenInside({ expression }: syntax.Placeable, form: number): string {
  if (expression.type === 'StringLiteral') return expression.parse().value
  if (expression.type === 'Placeable') return writtenInside(expression, form)
  if (expression.type !== 'SelectExpression') return ''
  const variant = expression.variants[Math.min(form, expression.variants.length - 1)]
  return variant ? written(variant.value, form) : ''
}

// Checks whether a text is HTML that Telegram accepts. Telegram refuses the whole message otherwise.

const known = 'b strong i em u ins s strike del code pre a blockquote span tg-spoiler tg-emoji'.split(' ')
const tag = /<(\/?)([a-z][\w-]*)(?:\s[^<>]*)?>|</gi

/** The mistake in a text, with what to write instead; undefined for a text that Telegram accepts. */
function wrongHtml(text: string): string | undefined {
  const open: string[] = []
  for (const [found, slash = '', written] of text.matchAll(tag)) {
    if (written === undefined) return 'write &lt; for a "<" that begins no tag'
    const name = written.toLowerCase()
    if (!known.includes(name))
      return `Telegram does not know ${found}: remove it, or write one of ${known.map((one) => `<${one}>`).join(' ')}`
    if (slash === '') open.push(name)
    else if (open.pop() !== name) return `${found} closes nothing: remove it, or write <${name}> before it`
  }
  const unclosed = open.at(-1)
  return unclosed && `<${unclosed}> is not closed: write </${unclosed}> after it`
}
