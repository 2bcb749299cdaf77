import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Entry, Junk, Message, parse, type VariableReference, Visitor } from '@fluent/syntax'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { refusalText } from '../../src/bot/cards/cards.ts'
import type { Refused } from '../../src/bot/chat/asking.ts'
import { offeredCommands, publishCommands } from '../../src/bot/commands.ts'
import type { Medium } from '../../src/catalog/attachment.ts'
import { createCatalog } from '../../src/catalog/catalog.ts'
import type { Locale } from '../../src/catalog/field.ts'
import { models } from '../../src/catalog/index.ts'
import type { Cost } from '../../src/catalog/model.ts'
import { modeNames } from '../../src/catalog/text-models.ts'
import type { Failure } from '../../src/chat/parts.ts'
import { reasons } from '../../src/db/schema.ts'
import type { Missing } from '../../src/delivery/download.ts'
import type { Refusal } from '../../src/form/answer.ts'
import type { Standing } from '../../src/generations/history.ts'
import type { Quoted } from '../../src/generations/quotes.ts'
import type { StyleMade } from '../../src/generations/styles.ts'
import type { PromoRefusal } from '../../src/ledger/promo.ts'
import { lineKinds } from '../../src/ledger/statement.ts'
import type { Report } from '../../src/operator/reports.ts'
import type { ProviderId } from '../../src/payments/providers.ts'
import type { Checked } from '../../src/payments/top-ups.ts'
import type { ForgetRefusal } from '../../src/privacy/forget.ts'
import { parseHtml } from '../../src/sandbox/telegram/html.ts'
import { loadTexts, locales } from '../../src/texts.ts'
import {
  childOf,
  childrenOf,
  type Node,
  nameOf,
  placeOf,
  propertyOf,
  type Source,
  sources,
  stringOf,
} from '../support/project/source.ts'
import { type LocalTelegram, startTelegram } from '../support/telegram/local-telegram.ts'

type Failed<T extends { ok: boolean }> = Extract<T, { ok: false }>
/** The type checker sees to it that no member is missing or made up. */
const members = <T extends string>(all: Record<T, true>) => Object.keys(all)

const refusals: { [R in Refusal['reason']]: Extract<Refusal, { reason: R }> } = {
  'too-long': { reason: 'too-long', max: 5120, length: 6000 },
  empty: { reason: 'empty' },
  'not-a-number': { reason: 'not-a-number' },
  'not-whole': { reason: 'not-whole' },
  'out-of-range': { reason: 'out-of-range', min: 1, max: 15 },
  'not-an-option': { reason: 'not-an-option' },
  'bad-format': { reason: 'bad-format' },
  'not-a-file': { reason: 'not-a-file' },
  'needs-image': { reason: 'needs-image' },
  'needs-video': { reason: 'needs-video' },
  'needs-audio': { reason: 'needs-audio' },
  'file-too-large': { reason: 'file-too-large', max: 10 },
  'file-too-long': { reason: 'file-too-long', max: 15 },
  'too-few-pixels': { reason: 'too-few-pixels', min: 1866240 },
  'bad-frame': { reason: 'bad-frame' },
  'too-many-files': { reason: 'too-many-files', max: 8 },
  'files-do-not-fit': { reason: 'files-do-not-fit' },
}
const catalog = createCatalog(models, {})
const offered = offeredCommands(catalog)
let telegram: LocalTelegram
/** What Telegram has after the app published its command menu. */
const published = new Map<string, { command: string; description: string }[]>()

beforeAll(async () => {
  telegram = await startTelegram()
  const { api } = telegram.bot()
  await publishCommands({ api, catalog, texts: loadTexts() })
  published.set('', await api.getMyCommands())
  for (const language_code of locales)
    published.set(language_code, await api.getMyCommands({ language_code }))
})
afterAll(() => telegram.discard())

/** What may stand at the end of a key that is put together, by its beginning. */
const families = (): Readonly<Record<string, readonly string[]>> => ({
  'failure-': reasons,
  'refusal-': Object.keys(refusals),
  'lost-': members<Missing>({ unavailable: true, gone: true, 'not-a-file': true, forbidden: true }),
  'checkout-': members<Failed<Checked>['reason'] | 'unavailable'>({
    unknown: true,
    foreign: true,
    'wrong-amount': true,
    'already-paid': true,
    off: true,
    unavailable: true,
  }),
  'card-': members<Exclude<Failed<Quoted>['reason'], 'incomplete'>>({
    'not-offered': true,
    unpriced: true,
    'no-links': true,
  }),
  'provider-': members<ProviderId>({ stars: true, 'telegram-rub': true, yookassa: true }),
  'price-': members<Cost['unit']>({ second: true, character: true, image: true, request: true }),
  'help-': offered,
  'use-': offered,
  'style-': members<Failed<StyleMade>['reason']>({ refused: true, unavailable: true }),
  'frame-': ['first', 'last'],
  'chat-': members<Exclude<Refused['reason'], 'insufficient' | 'daily-cap'>>({
    off: true,
    paused: true,
    unpriced: true,
  }),
  'chat-failed-': members<Exclude<Failure['reason'], 'refused'>>({
    paused: true,
    unavailable: true,
    empty: true,
  }),
  'mode-': modeNames,
  'medium-': members<Medium>({ image: true, video: true, audio: true }),
  'history-': members<Standing>({
    working: true,
    unknown: true,
    sending: true,
    done: true,
    partly: true,
    undelivered: true,
    refunded: true,
    failed: true,
    canceled: true,
  }),
  'statement-': lineKinds,
  'csv-': ['date', 'what', 'change', 'balance', 'held', 'amount', 'model', 'order', 'top-up', 'note'],
  'promo-': members<PromoRefusal>({
    unknown: true,
    expired: true,
    'used-up': true,
    'used-before': true,
    returned: true,
  }),
  'forget-': members<ForgetRefusal>({ live: true, paying: true, banned: true, gone: true }),
  'receipt-report-': members<Report['state']>({ open: true, refunded: true, declined: true }),
  'legal-': ['support', 'paysupport', 'terms', 'privacy'],
  'command-': (published.get('') ?? []).map(({ command }) => command),
})

// The messages of the two files.

const isMessage = (entry: Entry): entry is Message => entry instanceof Message
const folderOf = (locale: Locale) => join(import.meta.dirname, '../../src/bot/locales', locale)
const fileOf = (locale: Locale) => {
  const names = readdirSync(folderOf(locale))
  return parse(names.map((name) => readFileSync(join(folderOf(locale), name), 'utf8')).join('\n'), {})
}
const messagesOf = (locale: Locale) =>
  new Map(
    fileOf(locale)
      .body.filter(isMessage)
      .map((message) => [message.id.name, variablesOf(message)]),
  )

function variablesOf(message: Message): string[] {
  const names = new Set<string>()
  class Variables extends Visitor {
    override visitVariableReference({ id }: VariableReference): void {
      names.add(id.name)
    }
  }
  new Variables().visit(message)
  return [...names].toSorted()
}

const messages = messagesOf('ru')
const says = locales.map(loadTexts())
/** About the longest values that are put into buttons, alerts and invoices. */
const samples = (key: string) =>
  Object.fromEntries((messages.get(key) ?? []).map((name) => [name, '1 000 000,00 ₽']))

// What src says.

interface Use {
  readonly place: string
  readonly as: 'plain' | 'html'
  /** A whole key, or the beginning of one that is put together. */
  readonly key: string
  readonly whole: boolean
  /** Names of the values that are given; undefined when they can not be read from the code. */
  readonly given: readonly string[] | undefined
}

const uses: readonly Use[] = sources.filter(({ path }) => !path.startsWith('sandbox/')).flatMap(usesIn)

function usesIn(source: Source): Use[] {
  return source.nodes.filter(isSaying).flatMap((call) => {
    const as = propertyOf(childOf(call, 'callee')) === 'plain' ? 'plain' : 'html'
    const [key, values] = childrenOf(call, 'arguments')
    const given = givenIn(source, values)
    const place = placeOf(source, call)
    return keysIn(source, key, place).map((one) => ({ ...one, as, given, place }))
  })
}

/** `say.html(…)`, `ctx.say.plain(…)` and the like. */
function isSaying(node: Node): boolean {
  const callee = childOf(node, 'callee')
  const on = callee && childOf(callee, 'object')
  const isSay = nameOf(on) === 'say' || propertyOf(on) === 'say'
  return node.type === 'CallExpression' && isSay && /^(plain|html)$/.test(propertyOf(callee) ?? '')
}

function keysIn(source: Source, node: Node | undefined, place: string): { key: string; whole: boolean }[] {
  const key = stringOf(node)
  if (key !== undefined) return [{ key, whole: true }]
  if (node?.type === 'ConditionalExpression')
    return ['consequent', 'alternate'].flatMap((branch) => keysIn(source, childOf(node, branch), place))
  const [, beginning] = /^`([\w-]+)\$\{/.exec(source.text.slice(node?.start, node?.end)) ?? []
  if (node?.type === 'TemplateLiteral' && beginning) return [{ key: beginning, whole: false }]
  const found = valuesOf(source, nameOf(node)).flatMap((value) => keysIn(source, value, place))
  if (found.length === 0) throw new Error(`${place}: which text is said here?`)
  return found
}

/** What a name stands for in a file: what a constant is set to, or what is passed for a parameter. */
function valuesOf({ nodes }: Source, name: string | undefined): Node[] {
  if (name === undefined) return []
  const set = nodes.filter(
    (node) => node.type === 'VariableDeclarator' && nameOf(childOf(node, 'id')) === name,
  )
  const passed = nodes.flatMap((node) => {
    const isConst = node.type === 'VariableDeclarator'
    const made = isConst ? childOf(node, 'init') : node
    const at = made ? childrenOf(made, 'params').findIndex((param) => nameOf(param) === name) : -1
    const callee = nameOf(childOf(node, 'id'))
    if (at < 0 || callee === undefined) return []
    const calls = nodes.filter((call) => nameOf(childOf(call, 'callee')) === callee)
    return calls.flatMap((call) => childrenOf(call, 'arguments')[at] ?? [])
  })
  return [...set.flatMap((node) => childOf(node, 'init') ?? []), ...passed]
}

function givenIn(source: Source, values: Node | undefined): string[] | undefined {
  if (!values) return []
  const [only, ...others] = values.type === 'ObjectExpression' ? [values] : valuesOf(source, nameOf(values))
  if (only?.type !== 'ObjectExpression' || others.length > 0) return undefined
  const names = childrenOf(only, 'properties').map((property) => nameOf(childOf(property, 'key')))
  return names.includes(undefined) ? undefined : names.filter((name) => name !== undefined)
}

const keysOf = ({ key, whole }: Use): string[] =>
  whole ? [key] : (families()[key] ?? []).map((member) => key + member)

const saidAs = (as: Use['as']) => [...new Set(uses.filter((use) => use.as === as).flatMap(keysOf))]

describe('the files of texts', () => {
  it.each(locales)('%s.ftl has no line that Fluent can not read', (locale) => {
    expect(fileOf(locale).body.filter((entry) => entry instanceof Junk)).toEqual([])
  })

  it.each(locales)('%s.ftl says nothing twice', (locale) => {
    const keys = fileOf(locale).body.filter(isMessage)
    expect(keys.length).toBe(messagesOf(locale).size)
  })

  it('have the same messages with the same values', () => {
    expect([...messagesOf('en')]).toEqual([...messages])
  })
})

describe('what src says', () => {
  it('is found at all', () => {
    expect(uses.length).toBeGreaterThan(60)
    expect(new Set(uses.filter((use) => !use.whole).map((use) => use.key))).toEqual(
      new Set(Object.keys(families())),
    )
  })

  it('is in the files', () => {
    const missing = uses.flatMap((use) => keysOf(use).map((key) => ({ key, place: use.place })))
    expect(missing.filter(({ key }) => !messages.has(key))).toEqual([])
  })

  it('is all that the files have', () => {
    const said = new Set([...saidAs('plain'), ...saidAs('html')])
    expect([...messages.keys()].filter((key) => !said.has(key))).toEqual([])
  })

  it('is given every value that it shows', () => {
    const short = uses.flatMap(({ given, place, ...use }) => {
      const wanted = keysOf({ given, place, ...use }).flatMap((key) => messages.get(key) ?? [])
      return given ? wanted.filter((name) => !given.includes(name)).map((name) => `${place}: ${name}`) : []
    })
    expect(short).toEqual([])
    expect(uses.filter(({ given }) => given !== undefined && given.length > 0).length).toBeGreaterThan(20)
  })

  it.each(Object.values(refusals))('is given the facts of a refusal: $reason', (refusal) => {
    const { reason: _, ...facts } = refusal
    for (const say of says) {
      const text = refusalText(say, refusal).replace(/\D+/g, ' ')
      for (const fact of Object.values(facts)) expect(text).toContain(String(fact).slice(-3))
    }
  })
})

describe.each(says)('in $locale', (say) => {
  it('messages are HTML that Telegram takes, whatever is put into them', () => {
    const foreign = '<b>"A" & </i> &amp;'
    for (const key of saidAs('html')) {
      const names = messages.get(key) ?? []
      const values = Object.fromEntries(names.map((name) => [name, foreign]))
      const { text } = parseHtml(say.html(key, values))
      expect([key, names.length === 0 || text.includes(foreign)]).toEqual([key, true])
      expect([key, text.length > 0 && text.length <= 4096]).toEqual([key, true])
    }
  })

  it('plain texts have no tags', () => {
    for (const key of saidAs('plain')) {
      const text = say.plain(key, samples(key))
      expect([key, parseHtml(text).text]).toEqual([key, text])
    }
  })

  it('plain texts fit an alert: 200 characters', () => {
    for (const key of saidAs('plain')) {
      const { length } = say.plain(key, samples(key))
      expect([key, length > 0 && length <= 200]).toEqual([key, true])
    }
  })

  it('an invoice fits: a title of 32 characters, a description of 255', () => {
    expect(say.plain('invoice-title').length).toBeLessThanOrEqual(32)
    expect(say.plain('invoice-description', samples('invoice-description')).length).toBeLessThanOrEqual(255)
  })

  it('the command menu is described in 1 to 256 characters', () => {
    const menu = published.get(say.locale) ?? []
    expect(menu.map(({ command }) => command)).toEqual(families()['command-'])
    expect(menu.length).toBeGreaterThan(offered.length)
    for (const { command, description } of menu) {
      expect(description).toBe(say.plain(`command-${command}`))
      expect([command, description.length >= 1 && description.length <= 256]).toEqual([command, true])
    }
  })
})
