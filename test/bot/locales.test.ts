// The locale files are compared with each other, with the generated types, and with the keys that the code uses; nouns agree with numbers; and
// what the profile of the bot has. `tsc` refuses wrong keys and values before these tests run (see the type tests).

import { readdirSync, readFileSync } from 'node:fs'
import { GrammyError } from 'grammy'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { reasonText } from '../../src/bot/balance.ts'
import { partsText, refusalText } from '../../src/bot/cards/answer-text.ts'
import {
  createPublishing,
  descriptionIn,
  menuOf,
  offeredCommands,
  publishCommands,
  publishMenuButton,
  publishProfile,
  shortDescriptionIn,
} from '../../src/bot/commands.ts'
import { createCatalog } from '../../src/catalog/catalog.ts'
import { models } from '../../src/catalog/index.ts'
import type { Refusal } from '../../src/form/answer.ts'
import { builtIn } from '../../src/ledger/built-in-notes.ts'
import { silentLog } from '../../src/runtime/log.ts'
import { withGatewayIds } from '../../src/sandbox/gateway-ids.ts'
import { parseHtml } from '../../src/sandbox/telegram/html.ts'
import { type Locale, loadTexts, locales, type Say } from '../../src/texts.ts'
import { catalogSettings } from '../support/catalog-settings.ts'
import { merged, problemsOf, readLocales, typesOf, typesPath } from '../support/project/locales.ts'
import {
  childOf,
  childrenOf,
  type Node,
  propertyOf,
  type Source,
  sources,
  stringOf,
  walk,
} from '../support/project/source.ts'
import { handClock } from '../support/runtime/clock.ts'
import { everythingSold } from '../support/sold.ts'
import { type LocalTelegram, startTelegram } from '../support/telegram/local-telegram.ts'

const texts = loadTexts()
/** Replaces no-break spaces by ordinary ones. */
const spaced = (text: string) => text.replaceAll('\u00a0', ' ')

it('the text of a refusal agrees with its number', () => {
  const tooLong = (length: number): Refusal => ({ reason: 'too-long', max: 20, length })
  const tooLongFile = (max: number): Refusal => ({ reason: 'file-too-long', max })
  const tooMany = (max: number): Refusal => ({ reason: 'too-many-files', max })
  for (const [locale, refusal, said] of [
    ['ru', tooLong(21), 'Слишком длинно: 21 знак, а можно не больше 20.'],
    ['ru', tooLong(22), 'Слишком длинно: 22 знака, а'],
    ['ru', tooLong(2500), 'Слишком длинно: 2 500 знаков, а'],
    ['en', tooLong(2500), 'Too long: 2,500 characters, the limit is 20.'],
    ['ru', tooLongFile(2), 'можно до 2 секунд.'],
    ['ru', tooLongFile(21), 'можно до 21 секунды.'],
    ['en', tooLongFile(1), 'at most 1 second.'],
    ['ru', tooMany(1), 'Не больше 1 файла.'],
    ['ru', tooMany(3), 'Не больше 3 файлов.'],
    ['en', tooMany(1), 'No more than 1 file.'],
  ] as const)
    expect(spaced(refusalText(texts(locale), refusal, undefined))).toContain(said)
})

it('the text of a minimum price agrees with its number', () => {
  const rate = { roubles: '1', per: 1 }
  const rest = { multiplier: '1', isMinimum: true, count: 1, rounding: '0.01', surcharges: [] }
  const rows = [
    ['ru', 'image', 1, 'минимум за 1 картинку'],
    ['ru', 'image', 2, 'минимум за 2 картинки'],
    ['ru', 'image', 5, 'минимум за 5 картинок'],
    ['ru', 'request', 21, 'минимум за 21 заказ'],
    ['ru', 'character', 1000, 'минимум за 1 000 знаков'],
    ['ru', 'second', 1, 'минимум за 1 с'],
    ['en', 'image', 1, 'minimum for 1 picture'],
    ['en', 'second', 1, 'minimum for 1 second'],
    ['en', 'character', 1000, 'minimum for 1,000 characters'],
  ] as const
  const said = rows.map(([locale, unit, quantity]) =>
    spaced(partsText({ rate, quantity, unit, ...rest }, BigInt(quantity) * 100n, texts(locale))),
  )
  expect(said).toEqual(rows.map(([, , , wanted]) => wanted))
})

it('the texts about a persona that is too long, and about a document, agree with their numbers', () => {
  const persona = (locale: Locale, length: number) =>
    spaced(texts(locale).html('persona-too-long', { length, max: 2000 }))
  expect(persona('ru', 1)).toContain('Здесь 1 знак,')
  expect(persona('ru', 2003)).toContain('Здесь 2 003 знака,')
  expect(persona('ru', 2500)).toContain('Здесь 2 500 знаков,')
  expect(persona('en', 2500)).toContain('That’s 2,500 characters,')
  const document = (length: number) => texts('en').html('document-uses', { length })
  expect([document(1), document(2500)].join()).toMatch(/📄 1 character\.[\s\S]*📄 2,500 characters\./)
})

/** Gendered forms: `просил(а)`, and the singular `вы отправил` in place of `вы отправили`. */
const gendered = /[а-яё]\((а|ась|ла)\)|(^|[^а-яё])вы ([а-яё]+ )?[а-яё]+(л|ла|лся|лась)(?![а-яё])/i

const linesIn = (locale: string) => {
  const folder = `src/bot/locales/${locale}`
  const files = readdirSync(folder).filter((name) => name.endsWith('.ftl'))
  return files.flatMap((name) => readFileSync(`${folder}/${name}`, 'utf8').split('\n'))
}

it('no Russian text guesses the gender of the reader, and no text names an environment variable', () => {
  expect(linesIn('ru').length).toBeGreaterThan(500)
  expect(linesIn('ru').filter((line) => gendered.test(line))).toEqual([])
  expect(['Не то, что я просил(а)', 'Что вы отправил?'].filter((line) => gendered.test(line))).toHaveLength(2)
  const lines = locales.flatMap(linesIn).filter((line) => !line.startsWith('#'))
  expect(lines.filter((line) => /[A-Z]{2,}_[A-Z]{2,}/.test(line))).toEqual([])
})

it("a stored reason is shown in the reader's language, also one stored as a text of another, and typed words stay", () => {
  const read = (stored: string, locale: Locale) => reasonText({ texts }, texts(locale), stored)
  for (const locale of locales) {
    for (const key of ['refund-lost', 'refund-unsent', 'refund-by-report', 'refund-refused'] as const) {
      const stored = [builtIn(key), ...locales.map((written) => texts(written).plain(key))]
      expect(stored.map((one) => read(one, locale))).toEqual(stored.map(() => texts(locale).plain(key)))
    }
    const typed = ['a blank picture', '#1 in the queue', '#refund', '']
    expect(typed.map((one) => read(one, locale))).toEqual(typed)
  }
})

const { catalog } = everythingSold
const folders = readLocales()
const merging = merged(folders)
const keys = [...merging.keys()]
const says = locales.map(loadTexts())

let telegram: LocalTelegram

beforeAll(async () => {
  telegram = await startTelegram()
})
afterAll(() => telegram.discard())

/** Renders a key with the same value for all its placeholders; the types of `say` would allow only keys and values that belong together. */
const say = (one: Say, as: 'plain' | 'html', key: string, value: string): string => {
  const values = [...(merging.get(key)?.values ?? [])].map(([name, isNumber]) => [name, isNumber ? 5 : value])
  const spoken: (key: string, values: object) => string = one[as] as never
  return spoken(key, Object.fromEntries(values))
}

/** The keys that the code uses: whole keys, and the beginnings of keys that it composes. */
interface Asked {
  readonly whole: ReadonlySet<string>
  readonly beginnings: readonly string[]
  readonly endings: readonly string[]
}

function askedIn(nodes: Iterable<Node>): Asked {
  const whole = new Set<string>()
  const beginnings: string[] = []
  const endings: string[] = []
  for (const node of nodes) {
    const literal = stringOf(node)
    if (literal !== undefined) whole.add(literal)
    const quasis = node.type === 'TemplateLiteral' ? childrenOf(node, 'quasis').map(textOf) : []
    const [first = '', last = ''] = [quasis.at(0), quasis.at(-1)]
    if (/^[a-z][\w-]*-$/.test(first)) beginnings.push(first)
    if (/^-[a-z]+$/.test(last)) endings.push(last)
  }
  return { whole, beginnings, endings }
}

const textOf = (quasi: Node): string => {
  const { value } = quasi
  return typeof value === 'object' && value !== null && 'raw' in value ? String(value.raw) : ''
}

const isAsked = ({ whole, beginnings, endings }: Asked, key: string) =>
  whole.has(key) ||
  beginnings.some((beginning) => key.startsWith(beginning)) ||
  endings.some((ending) => key.endsWith(ending) && whole.has(key.slice(0, -ending.length)))

const asking = sources.filter(({ path }) => !path.startsWith('sandbox/') && path !== 'text-keys.ts')

/** Whether the node is a call of `say.plain(…)`. */
const isPlainCall = (node: Node) =>
  node.type === 'CallExpression' && propertyOf(childOf(node, 'callee')) === 'plain'
const keysIn = ({ nodes }: Source): Node[] =>
  nodes.filter(isPlainCall).flatMap((call) => walk(childrenOf(call, 'arguments')[0]))

describe('the locale files', () => {
  it('are complete: `npm run locales` finds no problem', () => {
    expect(problemsOf(folders)).toEqual([])
    expect(keys.length).toBeGreaterThan(400)
  })

  it('match the generated src/text-keys.ts; otherwise run npm run locales', () => {
    expect(readFileSync(typesPath, 'utf8')).toBe(typesOf(folders))
  })

  it('have no text that the code does not use', () => {
    const asked = askedIn(asking.flatMap(({ nodes }) => nodes))
    expect(keys.filter((key) => !isAsked(asked, key))).toEqual([])
  })
})

describe.each(says)('in $locale', (one) => {
  it('every text is HTML that Telegram accepts, whatever its values contain', () => {
    const foreign = '<b>"A" & </i> &amp;'
    for (const key of keys) {
      const { text } = parseHtml(say(one, 'html', key, foreign))
      const values = [...(merging.get(key)?.values ?? [])]
      const isShown = values.every(([, isNumber]) => isNumber) || text.includes(foreign)
      expect([key, isShown]).toEqual([key, true])
      expect([key, text.length > 0 && text.length <= 4096]).toEqual([key, true])
    }
  })

  it('texts on buttons and in alerts fit the 200 characters of an alert', () => {
    const asked = askedIn(asking.flatMap(keysIn))
    const isLabel = (key: string) => merging.get(key)?.isHtml === false && !key.startsWith('ideas-')
    const plain = keys.filter((key) => isAsked(asked, key) && isLabel(key))
    expect(plain.length).toBeGreaterThan(60)
    for (const key of plain) {
      // About the longest value that occurs.
      const { length } = say(one, 'plain', key, '₽1,000,000.00')
      expect([key, length > 0 && length <= 200]).toEqual([key, true])
    }
  })

  it("an invoice and the descriptions of the bot are within Telegram's limits", () => {
    expect(one.plain('invoice-title').length).toBeLessThanOrEqual(32)
    expect(one.plain('invoice-description', { credit: '₽1,000,000.00' }).length).toBeLessThanOrEqual(255)
    const description = descriptionIn(one, { ...everythingSold, welcomeCredit: 1_000_000_00n })
    expect(description).toContain(one.plain('profile-chat'))
    expect([...description].length).toBeLessThanOrEqual(512)
    expect([...shortDescriptionIn(one, everythingSold)].length).toBeLessThanOrEqual(120)
  })

  it('each command of the menu has a description of 1 to 256 characters', () => {
    const menu = menuOf(everythingSold, one)
    expect(menu.length).toBeGreaterThan(offeredCommands(catalog).length)
    for (const { command, description } of menu) {
      expect(description).toBe(say(one, 'plain', `command-${command}`, ''))
      expect([command, description.length >= 1 && description.length <= 256]).toEqual([command, true])
    }
  })
})

/** This function never runs: each line below must be an error of `tsc`, or `npm run types` fails. */
export function refusedByTypes({ plain, html }: Say, reason: 'refused' | 'lost', key: string) {
  // @ts-expect-error: this key does not exist
  html('no-such-text')
  // @ts-expect-error: `balance` requires the value `available`
  html('balance')
  // @ts-expect-error: `balance` requires a value with the name `available`
  html('balance', { amount: '1' })
  // @ts-expect-error: `balance` takes no other value
  html('balance', { available: '1', held: '1' })
  // @ts-expect-error: a text without placeholders takes no values
  html('cancel-nothing', { available: '1' })
  // @ts-expect-error: a text with HTML cannot be rendered as plain text
  plain('balance', { available: '1' })
  // @ts-expect-error: a counted value must be a number
  html('originals-gone', { gone: '2' })
  // @ts-expect-error: no reason completes this beginning to an existing key
  html(`failures-${reason}`)
  // @ts-expect-error: an arbitrary string is not a key
  html(key)
  return html(`failure-${reason}`)
}

const api = () => telegram.bot().api
const full = () => ({ api: api(), texts, welcomeCredit: 25_00n, ...everythingSold })
const namesIn = async (type: 'all_private_chats' | 'all_group_chats', language_code?: 'ru') =>
  (await api().getMyCommands({ scope: { type }, ...(language_code ? { language_code } : {}) })).map(
    ({ command }) => command,
  )

it("the menu of groups has no command about the user's account, in all languages", async () => {
  await publishCommands(full())
  const everybody = ['image', 'video', 'chat', 'persona', 'history', 'wallet', 'help', 'cancel']
  for (const language of [undefined, 'ru'] as const) {
    const inGroups = await namesIn('all_group_chats', language)
    expect(inGroups).toEqual(expect.arrayContaining(everybody))
    for (const own of ['balance', 'topup', 'statement', 'promo', 'invite', 'export', 'delete_me'])
      expect(inGroups).not.toContain(own)
    const inPrivate = await namesIn('all_private_chats', language)
    expect(inPrivate).toEqual(expect.arrayContaining(['image', 'chat', 'balance', 'settings', 'help']))
    expect(inPrivate.length).toBeLessThanOrEqual(12)
  }
})

it('the descriptions name the products and the welcome credit in both languages, and the menu button opens the commands', async () => {
  await publishProfile(full())
  await publishMenuButton(full())
  const { description } = await api().getMyDescription({ language_code: 'ru' })
  expect(description).toMatch(/картинки, видео, .*музыку и 3D-модели[\s\S]*Отвечаю на вопросы[\s\S]*25\s₽/)
  expect((await api().getMyDescription()).description).toMatch(/pictures, videos, .*music and 3D models/)
  const short = await api().getMyShortDescription({ language_code: 'en' })
  expect(short.short_description).toMatch(/^I make pictures.*Exact price/)
  const bot = await fetch(`${telegram.url}/api/bot`)
  expect(await bot.json()).toMatchObject({ menu_button: { type: 'commands' } })
})

it('neither the menu nor the descriptions mention products that this installation does not sell', async () => {
  const settings = withGatewayIds(catalogSettings.parse({ 'MODEL-MUSIC': { enabled: false } }))
  const less = { ...full(), catalog: createCatalog(models, settings), textModels: [], welcomeCredit: 0n }
  await publishCommands({ ...less, topUps: { providers: [] } })
  const commands = await namesIn('all_private_chats')
  for (const missing of ['chat', 'new', 'persona', 'topup', 'music']) expect(commands).not.toContain(missing)
  expect(commands).toContain('balance')
  await publishProfile(less)
  for (const language_code of ['ru', 'en'] as const) {
    const { description } = await api().getMyDescription({ language_code })
    expect(description).not.toMatch(/музык|music|вопрос|question|🎁/i)
    expect(description).toMatch(/видео|videos/)
  }
})

it('descriptions that are already published are not sent again', async () => {
  await publishProfile(full())
  const called: string[] = []
  const watched = api()
  watched.config.use((prev, method, payload, signal) => {
    called.push(method)
    return prev(method, payload, signal)
  })
  await publishProfile({ ...full(), api: watched })
  expect(called.filter((method) => method.startsWith('set'))).toEqual([])
  expect(called.length).toBeGreaterThan(0)
})

const refusal = (error_code: number, parameters: object = {}) =>
  new GrammyError('failed', { ok: false, error_code, description: 'no', parameters }, 'setMyCommands', {})

it('a refused publication is repeated after growing pauses, or the demanded one, and does not delay the others', async () => {
  const clock = handClock()
  const start = clock.now().getTime()
  const times: number[] = []
  const others: string[] = []
  const menus = async () => {
    times.push((clock.now().getTime() - start) / 1000)
    if (times.length <= 2) throw refusal(500)
    if (times.length === 3) throw refusal(429, { retry_after: 600 })
  }
  const publishing = createPublishing({ clock, log: silentLog }, [
    { what: 'menus', publish: menus },
    { what: 'others', publish: async () => void others.push('sent') },
  ])
  publishing.start()
  for (const [attempts, pause] of [5, 10, 600].entries()) {
    await expect.poll(() => times.length).toBe(attempts + 1)
    await expect.poll(() => others).toHaveLength(1)
    await expect.poll(() => clock.isWaitedFor(pause * 1000)).toBe(true)
    clock.advance(pause * 1000)
  }
  await expect.poll(() => times.length).toBe(4)
  expect(times).toEqual([0, 5, 15, 615])
  expect(others).toHaveLength(1)
  await publishing.stop()
})
