// The settings that are read from the environment and from files, and variables that nothing reads.

import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { unknownVariables } from '../../src/config/unknown-variables.ts'
import { type Config, parseConfig } from '../../src/config.ts'
import { refusalWords } from '../../src/sales/refusal-words.ts'

const usualRefusalWords = refusalWords.parse({})

const folder = mkdtempSync(join(tmpdir(), 'bot-config-'))
afterAll(() => rmSync(folder, { recursive: true }))

const needed = {
  BOT_TOKEN: '4242:abc_DEF-ghi',
  GATEWAY_URL: 'https://api.example.com',
  GATEWAY_KEY: 'key-1',
  DATABASE_URL: 'postgres://bot:secret@db/bot',
}

function config(env: Record<string, string | undefined> = {}): Config {
  const parsed = parseConfig({ ...needed, ...env })
  if (!parsed.ok) throw new Error(parsed.problems.join('\n'))
  return parsed.config
}

/** The problems of these values, with valid values for all other variables. */
function problems(env: Record<string, string | undefined>): readonly string[] {
  const parsed = parseConfig({ ...needed, ...env })
  return parsed.ok ? [] : parsed.problems
}

const ownTexts = join(folder, 'texts')
mkdirSync(ownTexts)
writeFileSync(
  join(ownTexts, 'ru.ftl'),
  '\uFEFF# Ours\n-brand = Бот\nno-contact = { -brand }\nbutton-keep = Нет\n',
)

let files = 0
function catalogFile(text: string): string {
  files += 1
  const path = join(folder, `${files}.json`)
  writeFileSync(path, text)
  return path
}

describe('with only the required variables', () => {
  it('everything else has a default', () => {
    expect(config()).toMatchObject({
      databaseConnections: 10,
      telegramApiRoot: 'https://api.telegram.org',
      host: '127.0.0.1',
      role: 'all',
      updates: 'polling',
      passing: { picturesAsLinks: false, maxInlineBytes: 10 * 1024 * 1024, maxInlineTotal: 20 * 1024 * 1024 },
      pollIntervalMs: 3000,
      pollsPerSecond: 100,
      catalog: {},
      gatewayWords: { refusals: usualRefusalWords, states: {} },
      welcomeCredit: 0n,
      topUp: { min: 50_00n, max: 15_000_00n, providers: [] },
      limits: { dailySpend: undefined, concurrent: 5, timeZone: 'Europe/Moscow' },
      stopAfterLostResults: 3,
      referralBonus: 0n,
      invitedBonus: 0n,
      operator: { ids: [], supportIds: [], supportRefundLimit: 0n, contact: undefined },
    })
  })

  it('an empty variable counts as absent', () => {
    const names =
      'DATABASE_CONNECTIONS PUBLIC_URL PORT LOG_LEVEL TOPUP_MIN YOOKASSA_SHOP_ID ADMIN_IDS TEXTS_DIR'
    expect(config(Object.fromEntries(names.split(' ').map((name) => [name, ''])))).toEqual(config())
  })
})

describe('a valid value', () => {
  const { limits, operator, topUp } = config()
  const base = 'postgresql://db/bot?sslmode=require'
  const socks = 'socks5h://a:b%40c@10.0.0.1:1080'
  const zone = {
    operator: { ...operator, timeZone: 'Asia/Tokyo' },
    limits: { ...limits, timeZone: 'Asia/Tokyo' },
  }
  const bonusSteps = [
    { from: 1000_00n, percent: 5 },
    { from: 15_000_00n, percent: 100 },
  ]
  const rows: readonly (readonly [name: string, value: string, read: Partial<Config>])[] = [
    ['BOT_TOKEN', '1:abc', { botToken: '1:abc' }],
    ['GATEWAY_URL', 'http://127.0.0.1:8080/gateway/', { gatewayUrl: 'http://127.0.0.1:8080/gateway' }],
    ['DATABASE_URL', base, { databaseUrl: base }],
    ['DATABASE_URL', 'pglite:./data', { databaseUrl: 'pglite:./data' }],
    ['DATABASE_CONNECTIONS', '100', { databaseConnections: 100 }],
    ['TELEGRAM_API_ROOT', 'http://localhost:8081//', { telegramApiRoot: 'http://localhost:8081' }],
    ['TELEGRAM_PROXY', socks, { telegramProxy: socks.replace('5h', '5') }],
    ['PORT', '0', { port: 0 }],
    ['HOST', '0.0.0.0', { host: '0.0.0.0' }],
    ['LOG_LEVEL', 'debug', { logLevel: 'debug' }],
    ['LOG_FORMAT', 'pretty', { logFormat: 'pretty' }],
    ['POLL_INTERVAL_MS', '60000', { pollIntervalMs: 60_000 }],
    ['WELCOME_CREDIT', '99.50', { welcomeCredit: 99_50n }],
    ['DAILY_SPEND_CAP', '1000', { limits: { ...limits, dailySpend: 1000_00n } }],
    ['CONCURRENT_GENERATIONS', '1', { limits: { ...limits, concurrent: 1 } }],
    ['REFERRAL_BONUS', '50', { referralBonus: 50_00n }],
    ['REFERRAL_PERCENT', '10', { referralPercent: 10 }],
    ['REFERRAL_PAYMENTS', '3', { referralPayments: 3 }],
    ['TOPUP_BONUS', '15 000:100%,1000: 5', { topUp: { ...topUp, bonusSteps } }],
    ['INVITED_BONUS', '50', { invitedBonus: 50_00n }],
    ['ADMIN_IDS', '12, 34', { operator: { ...operator, ids: [12, 34] } }],
    ['SUPPORT_IDS', '56', { operator: { ...operator, supportIds: [56] } }],
    ['SUPPORT_REFUND_LIMIT', '3000', { operator: { ...operator, supportRefundLimit: 3000_00n } }],
    ['ADMIN_CHAT', '-1001234567890', { operator: { ...operator, chat: -1001234567890 } }],
    ['OPERATOR_TIME_ZONE', 'Asia/Tokyo', zone],
    ['SUPPORT_CONTACT', '@help', { operator: { ...operator, contact: '@help' } }],
    ['TEXTS_DIR', ownTexts, { textsDir: ownTexts }],
    ['TOPUP_MIN', '0,01', { topUp: { ...topUp, min: 1n } }],
    ['TOPUP_MIN', '15000', { topUp: { ...topUp, min: 15_000_00n } }],
    ['TOPUP_MAX', '100 000', { topUp: { ...topUp, max: 100_000_00n } }],
    ['RECEIPT_VAT_CODE', '1', { topUp: { ...topUp, vatCode: 1 } }],
  ]

  it('changes only its own part of the configuration', () => {
    for (const [name, value, read] of rows)
      expect([name, config({ [name]: value })]).toEqual([name, { ...config(), ...read }])
  })

  it('of PUBLIC_URL needs a PORT in the processes that serve HTTP', () => {
    const env = { PUBLIC_URL: 'https://bot.example.com/app/', PORT: '3000' }
    expect(config(env)).toEqual({ ...config(), publicUrl: 'https://bot.example.com/app', port: 3000 })
    expect(config({ ...env, PORT: undefined, ROLE: 'worker' }).port).toBeUndefined()
  })

  it("of UPDATES is a webhook at the ports that Telegram calls, and at any address when the Bot API server is the operator's own", () => {
    const env = { UPDATES: 'webhook', PORT: '3000' }
    for (const end of ['', ':443', ':80', ':88', ':8443', '/app'])
      expect(config({ ...env, PUBLIC_URL: `https://bot.example.com${end}` }).updates).toBe('webhook')
    const own = { TELEGRAM_API_ROOT: 'http://telegram:8081', PUBLIC_URL: 'http://bot:3000' }
    expect(config({ ...env, ...own }).updates).toBe('webhook')
  })
})

describe('payment providers', () => {
  const idsWith = (env: Record<string, string>) => config(env).topUp.providers.map(({ id }) => id)

  it('a limit of top-ups below the least amount of rouble invoices is refused, also together with other mistakes', () => {
    const token = { TOPUP_RUB_PROVIDER_TOKEN: '381764678:TEST:1' }
    const least =
      'TOPUP_MAX: write at least 100,00 ₽, the least amount of telegram-rub, or switch that payment method off'
    expect(problems({ ...token, TOPUP_MAX: '99.99' })).toEqual([least])
    expect(problems({ ...token, TOPUP_MAX: '99.99', TOPUP_ROUBLES_PER_STAR: '1' })).toEqual([least])
    expect(problems({ ...token, TOPUP_MAX: '99.99', ADMIN_IDS: '0' })).toContain(least)
    expect(idsWith({ ...token, TOPUP_MAX: '100' })).toEqual(['telegram-rub'])
    expect(idsWith({ TOPUP_MAX: '99.99', TOPUP_ROUBLES_PER_STAR: '1' })).toEqual(['stars'])
  })

  const shop = { YOOKASSA_SHOP_ID: '54321', YOOKASSA_SECRET_KEY: 'live_key' }

  it('are switched on by their variables, and offered in the order of the list', () => {
    for (const rate of ['1.20', '0.1', '20'])
      expect(idsWith({ TOPUP_ROUBLES_PER_STAR: rate })).toEqual(['stars'])
    expect(idsWith({ TOPUP_RUB_PROVIDER_TOKEN: '381764678:TEST:1' })).toEqual(['telegram-rub'])
    expect(idsWith(shop)).toEqual(['yookassa'])
    const merchant = { PLATEGA_MERCHANT_ID: '1a021d91-9b26-4762-b303-5d4aac74e921', PLATEGA_SECRET: 'key' }
    const invoices = { TOPUP_RUB_PROVIDER_TOKEN: '1:x', TOPUP_ROUBLES_PER_STAR: '1' }
    const all = { ...shop, ...merchant, ...invoices, CRYPTOPAY_TOKEN: '42:AAzQcZWQqQAbsf' }
    expect(idsWith(all)).toEqual(['stars', 'telegram-rub', 'yookassa', 'platega', 'cryptopay'])
  })
})

describe('GATEWAY_WORDS_FILE', () => {
  it('replaces the lists that it has, and names states', () => {
    const text =
      '{ "money": { "words": ["purse * empty"] }, "states": { "Content Moderated": "failed" }, "requests": { "styles": { "images": "files" } } } // ours'
    const { refusals, states, requests } = config({ GATEWAY_WORDS_FILE: catalogFile(text) }).gatewayWords
    expect(refusals.money).toEqual({ ...usualRefusalWords.money, words: ['purse * empty'] })
    expect(refusals.key).toEqual(usualRefusalWords.key)
    expect(states).toEqual({ contentmoderated: 'failed' })
    expect(requests.styles).toEqual({ name: 'name', style: 'style', images: 'files' })
  })

  it('with mistakes is reported with every wrong place', () => {
    const path = catalogFile(
      '{ "money": { "statuses": [200], "words": ["?"] }, "states": { "over": "gone" }, "purse": 1 }',
    )
    const lines = problems({ GATEWAY_WORDS_FILE: path })
    expect(lines.map((line) => line.replace(`GATEWAY_WORDS_FILE: ${path}, `, ''))).toEqual([
      'money.statuses[0]: write at least 400',
      'money.words[0]: write words, like insufficient * quota',
      'states.over: write queued, processing, completed, failed, canceled',
      `GATEWAY_WORDS_FILE: ${path}: there is no setting "purse": correct or remove it`,
    ])
    expect(problems({ GATEWAY_WORDS_FILE: '/no/such.json' })).toEqual([
      'GATEWAY_WORDS_FILE: /no/such.json: write the path of a readable file',
    ])
  })
})

describe('CATALOG_FILE', () => {
  it('may have comments and a byte order mark', () => {
    const path = catalogFile('\uFEFF{ // "x\n "MODEL-VIDEO-REEL": {"gatewayId": "a//b" /* } */} }')
    expect(config({ CATALOG_FILE: path }).catalog['MODEL-VIDEO-REEL']?.gatewayId).toBe('a//b')
  })
})

describe('several invalid values', () => {
  const hidden =
    'BOT_TOKEN GATEWAY_URL DATABASE_URL TELEGRAM_API_ROOT PUBLIC_URL PORT LOG_LEVEL POLL_INTERVAL_MS WELCOME_CREDIT'.split(
      ' ',
    )
  const names = (lines: readonly string[]) => lines.map((line) => line.split(':')[0]).toSorted()

  it('are reported together, one line each, without the values, which may be secrets', () => {
    const wrong = Object.fromEntries(hidden.map((name) => [name, 'hidden']))
    const lines = problems({ ...wrong, GATEWAY_KEY: 'hidden key', TOPUP_MIN: '200', TOPUP_MAX: '100' })
    expect(names(lines)).toEqual([...hidden, 'GATEWAY_KEY', 'TOPUP_MAX'].toSorted())
    expect(lines.join('\n')).not.toContain('hidden')
  })

  it('are exactly the required variables when the environment is empty', () => {
    const parsed = parseConfig({})
    expect(parsed.ok ? [] : names(parsed.problems)).toEqual(Object.keys(needed).toSorted())
  })
})

describe('a variable that nothing reads', () => {
  function foundIn(lines: string): readonly string[] {
    const file = join(folder, '.env')
    writeFileSync(file, lines)
    return unknownVariables({}, file).toSorted()
  }

  it('is named when it is in .env, with the one that was meant', () => {
    expect(foundIn('DAILY_SPENDCAP=5\nADMIN_ID=1\nTOPUP_MAXIMUM=7\nmy_note=x\nBOT_TOKEN=1:abc')).toEqual([
      'ADMIN_ID: there is no such variable: did you mean ADMIN_IDS?',
      'DAILY_SPENDCAP: there is no such variable: did you mean DAILY_SPEND_CAP?',
      'TOPUP_MAXIMUM: there is no such variable: did you mean TOPUP_MAX?',
      'my_note: there is no such variable: correct its name, or remove it from .env',
    ])
  })

  it('is not named when it is one of the guides, of compose.yaml, of Node.js or of the system', () => {
    const root = join(import.meta.dirname, '../..')
    const read = (name: string) => readFileSync(join(root, name), 'utf8')
    const used = [...read('compose.yaml').matchAll(/(?<!\$)\$\{(\w+)/g)].map(([, name]) => `${name}=1`)
    const example = read('.env.example').replaceAll(/^# (?=[A-Z_]+=)/gm, '')
    expect(used.length).toBeGreaterThan(5)
    expect(
      foundIn([example, ...used, 'NODE_OPTIONS=x\nTZ=UTC\nHTTPS_PROXY=x\nCOMPOSE_FILE=x'].join('\n')),
    ).toEqual([])
    const usual = 'PATH HOME HOSTNAME PWD npm_config_loglevel npm_package_name POSTGRES_DB PORTS USER'.split(
      ' ',
    )
    expect(unknownVariables(Object.fromEntries(usual.map((name) => [name, 'x'])), 'none')).toEqual([])
  })
})
