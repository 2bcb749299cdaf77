// Every mistake that an operator can make in the settings: it is reported before anything starts, in one line that names the variable (and
// the place in a file) and says what to write, without the value.

import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { parseConfig } from '../../src/config.ts'
import { run } from '../support/runtime/child.ts'

const folder = mkdtempSync(join(tmpdir(), 'bot-settings-'))
afterAll(() => rmSync(folder, { recursive: true }))

type Env = Readonly<Record<string, string | undefined>>

const valid: Env = {
  BOT_TOKEN: '4242:abc_DEF-ghi',
  GATEWAY_URL: 'https://api.example.com',
  GATEWAY_KEY: 'key-1',
  DATABASE_URL: 'postgres://bot:password@db/bot',
}

function linesWith(env: Env): readonly string[] {
  const parsed = parseConfig({ ...valid, ...env })
  return parsed.ok ? [] : parsed.problems
}

const advice = /\b(write|correct|remove|rename|save)\b|this is not JSON: /
const forbidden = /\n|\bat .+:\d+|Error\b|\[object|secret(?! key| of)/

/** Whether one line is reported that begins with these words and goes on as expected. */
function isReported(env: Env, begin: string, rest: string | RegExp): boolean {
  const [line = '', ...more] = linesWith(env)
  const told = line.slice(begin.length)
  const isRight = typeof rest === 'string' ? told === rest : rest.test(told)
  return more.length === 0 && line.startsWith(begin) && isRight && advice.test(line) && !forbidden.test(told)
}

const token = 'write the token that BotFather gave you, like 123456:ABC-DEF'
const key = 'write the API key from the cabinet of the gateway'
const address = 'write an address like https://api.example.com'
const noVersion = 'write the address without /v1 and what follows it, like https://api.example.com'
const noQuery = 'write the address without "?" and "#" and what follows them'
const noUser = 'write the address without a user and a password'
const noToken = 'write the address without /bot and the token, like https://api.telegram.org'
const database = 'write postgres://user:password@host/name, or pglite:./data for the embedded one'
const encoded = `${database}; in the password write / as %2F, ? as %3F, : as %3A and @ as %40`
const proxy =
  'write the address of the proxy with its port, like http://user:password@host:3128 or socks5://user:password@host:1080; in the user and the password write % @ : / ? # as %25 %40 %3A %2F %3F %23'
const host = 'write an address of this machine, like 127.0.0.1, or 0.0.0.0 for all'
const amount = 'write an amount of roubles, like 50'
const positive = 'write an amount of roubles above zero, like 50'
const star = 'write what one Star credits in roubles, from 0.1 to 20, like 1.00'
const ids = 'write Telegram ids separated by commas, like 12345,67890'
const hosts = 'write hosts with their ports separated by commas, like media.example.com:443'
const noFolder = /^.+: write the path of a folder with ru\.ftl and en\.ftl$/

/** Wrong values of a variable, and what follows its name in the line. */
const variables: readonly (readonly [string, readonly (string | undefined)[], string | RegExp])[] = [
  ['BOT_TOKEN', [undefined, '', ' ', 'abc', '42:', ':abc', '42:abc\n', '42 :abc', '"1:abc"'], token],
  ['BOT_TOKEN', ['123456:ABC-DEF'], /^this is the example: write /],
  ['GATEWAY_URL', [undefined, '', 'api.example.com', 'ftp://a.b', '//a.b', 'https://'], address],
  ['GATEWAY_URL', ['https://a.b/v1', 'https://a.b/v1/', 'https://a.b/v1/images'], noVersion],
  ['GATEWAY_URL', ['https://me:secret@a.example'], noUser],
  ['GATEWAY_KEY', [undefined, '', ' ', 'two words', 'key\n', 'ключ', '…'], key],
  ['DATABASE_URL', [undefined, '', 'mysql://b:secret@db/b', 'postgres://', 'pglite:', './data'], database],
  ['DATABASE_URL', ['postgres://b:se#cret@db/b'], 'write # in the password as %23'],
  ['DATABASE_URL', ['postgres://b:a%@db/b', 'postgres://b:a%ff@db/b'], 'write % in the password as %25'],
  ['DATABASE_URL', ['postgres://b:se/c@db/b', 'postgres://b:s?c@db/b', 'postgres:///bot'], encoded],
  ['DATABASE_CONNECTIONS', ['1', '101'], 'write a whole number from 2 to 100'],
  ['TELEGRAM_API_ROOT', ['api.telegram.org', 'file:///tmp'], address],
  ['TELEGRAM_API_ROOT', ['https://api.telegram.org/bot42:secret'], noToken],
  ['TELEGRAM_API_ROOT', ['https://a.example/?x=1'], noQuery],
  ['TELEGRAM_PROXY', ['host:1080', 'http://host', 'socks4://host:1', 'http://a:p#w@host:1'], proxy],
  ['TELEGRAM_PROXY', ['http://a:p%w@host:1'], proxy],
  ['PICTURES_AS', ['base64'], 'write data or links'],
  ['PRIVATE_LINK_HOSTS', ['media.example.com'], hosts],
  ['PORT', ['-1', '65536', '80.5', 'http', ' ', '0x50', '1e3'], 'write a whole number from 0 to 65535'],
  ['HOST', ['localhost', '127.0.0', '0.0.0.0:3000', ' '], host],
  ['ROLE', ['main'], 'write all, bot, worker or web'],
  ['UPDATES', ['push'], 'write polling or webhook'],
  ['LOG_LEVEL', ['verbose', 'INFO', '30'], 'write silent, error, warn, info or debug'],
  ['LOG_FORMAT', ['xml'], 'write json or pretty'],
  ['POLL_INTERVAL_MS', ['49', '60001', '3s', '0'], 'write a whole number from 50 to 60000'],
  ['GATEWAY_POLLS_PER_SECOND', ['0'], 'write a whole number from 1 to 10000'],
  ['WELCOME_CREDIT', ['-1', 'much', '1.234'], amount],
  ['TOPUP_MIN', ['x', '-5'], amount],
  ['TOPUP_MIN', ['0', '0.00'], positive],
  ['TOPUP_MAX', ['x', '1e9'], amount],
  ['TOPUP_MAX', ['49.99'], 'write an amount that is not below TOPUP_MIN'],
  [
    'TOPUP_BONUS',
    ['1000', '1000:0', '1000:101%', '1000:2.5%', '5:5:5', 'much:5%', '0:5'],
    /^write sums with/,
  ],
  ['TOPUP_BONUS', ['1000:5,1000:6', '1000:5,', '1,000:5%'], /^write sums with/],
  ['TOPUP_BONUS', ['1000:5%, 20000:10%'], 'write sums that are not above TOPUP_MAX'],
  ['TOPUP_ROUBLES_PER_STAR', ['0', '-1', '1,20', '1.', '1.2345678', 'a', '0.09', '20.01', '120'], star],
  ['TOPUP_RUB_PROVIDER_TOKEN', [' '], /^write the token /],
  ['PLATEGA_SECRET', ['two words'], /^write the API key /],
  ['PLATEGA_METHOD', ['1', '6', 'sbp'], /^write 2 \(SBP\), /],
  ['PLATEGA_COMMISSION', ['100', '-1', '3,5'], /^write a commission in percent/],
  ['CRYPTOPAY_TOKEN', ['AAzQcZWQqQAbsfgPnOLr4FHC8Doa4L7KryC', '1:short', ' '], /^write the API token /],
  ['CRYPTOPAY_ASSETS', ['usdt', 'USDT;TON', 'USDT,'], /^write cryptocurrencies with commas /],
  ['CRYPTOPAY_URL', ['pay.crypt.bot'], address],
  ['RECEIPT_VAT_CODE', ['13', '0'], 'write a whole number from 1 to 12'],
  ['SELF_EMPLOYED_INN', ['7700123456', 'x'], 'write the 12 digits of your taxpayer number'],
  ['SELF_EMPLOYED_PROVIDERS', ['stars', 'yookassa;platega'], /^write names separated by commas, out of /],
  ['SELF_EMPLOYED_URL', ['lknpd.nalog.ru'], address],
  ['DAILY_SPEND_CAP', ['0'], positive],
  ['CONCURRENT_GENERATIONS', ['0', '101'], 'write a whole number from 1 to 100'],
  ['ADMIN_IDS', ['0', '@boss', '12345,-100200'], ids],
  ['SUPPORT_IDS', ['@sam'], ids],
  ['SUPPORT_REFUND_LIMIT', ['-1', 'much'], amount],
  [
    'ADMIN_CHAT',
    ['1001234567890', '@desk', '-0', '-1001234567890,5'],
    /^write the id of a group, like -1001234567890$/,
  ],
  ['SUMMARY_HOUR', ['24', '-1', '9:00'], /^write a whole number from 0 to 23/],
  ['OPERATOR_TIME_ZONE', ['Europe/Moskau', '+03:00'], /^write the name of a time zone, like Europe\/Moscow/],
  ['SUPPORT_CONTACT', [' '], /^write a name, a link or an address /],
  ['TEXTS_DIR', ['/no/such/folder', import.meta.filename], noFolder],
]

it('a wrong value of a variable', () => {
  const missed = variables.flatMap(([name, values, rest]) =>
    values.filter((value) => !isReported({ [name]: value }, `${name}: `, rest)).map((value) => [name, value]),
  )
  expect(missed).toEqual([])
})

const hook = { UPDATES: 'webhook', PUBLIC_URL: 'https://bot.example.com', PORT: '3000' }
const at = (PUBLIC_URL: string) => ({ ...hook, PUBLIC_URL })
const shop = { YOOKASSA_SHOP_ID: '54321', YOOKASSA_SECRET_KEY: 'key' }
const bothOfShop = 'YOOKASSA_SECRET_KEY: write both YOOKASSA_SHOP_ID and YOOKASSA_SECRET_KEY, or neither'
const port = 'PORT: write where this process listens, like 3000'
const publicName =
  'PUBLIC_URL: write the public name of this machine, which Telegram can reach, or UPDATES=polling'
const noAddress = 'PUBLIC_URL: write the address at which'
const noPort = 'PUBLIC_URL: write the port 443, 80, 88 or 8443: Telegram calls no other'
const large = 'REQUEST_FILES_MB: write a size that is not below REQUEST_FILE_MB'
const single = /^DATABASE_URL: write postgres:\/\/user:password@host\/name: the embedded one serves a single /

/** Variables that do not fit together, and the line. */
const pairs: readonly (readonly [Env, string | RegExp])[] = [
  [{ PUBLIC_URL: 'bot.example.com', PORT: '1' }, `PUBLIC_URL: ${address}`],
  [{ PUBLIC_URL: 'https://b.example/?a', PORT: '1' }, `PUBLIC_URL: ${noQuery}`],
  [{ PUBLIC_URL: hook.PUBLIC_URL }, `${port}: PUBLIC_URL leads to this process`],
  [{ ...hook, PORT: '' }, `${port}: UPDATES=webhook lets Telegram call this process`],
  [{ ROLE: 'web' }, `${port}: ROLE=web serves HTTP`],
  [at(''), `${noAddress} Telegram reaches us, like https://bot.example.com, or UPDATES=polling`],
  [{ PICTURES_AS: 'links' }, `${noAddress} the gateway fetches pictures, or PICTURES_AS=data`],
  [{ REQUEST_FILE_MB: '15', REQUEST_FILES_MB: '14' }, large],
  [at('http://bot.example.com'), 'PUBLIC_URL: write an address with https://: Telegram calls no other'],
  [at('https://bot.example.com:3000'), noPort],
  ...['localhost', '192.168.1.5', '[::1]', 'bot.local'].map(
    (name) => [at(`https://${name}`), publicName] as const,
  ),
  [{ ROLE: 'bot', DATABASE_URL: 'pglite:./data' }, single],
  [{ TOPUP_MIN: '15000.01' }, 'TOPUP_MAX: write an amount that is not below TOPUP_MIN'],
  [{ SELF_EMPLOYED_INN: '770012345678' }, /^SELF_EMPLOYED_PASSWORD: write both /],
  [{ SELF_EMPLOYED_PASSWORD: 'x' }, /^SELF_EMPLOYED_PASSWORD: write both /],
  [
    { RECEIPT_VAT_CODE: '1', SELF_EMPLOYED_PROVIDERS: 'yookassa' },
    /^SELF_EMPLOYED_PROVIDERS: write it without telegram-rub and yookassa/,
  ],
  ...Object.keys(shop).map((name) => [{ [name]: '54321' }, bothOfShop] as const),
  [{ ...shop, YOOKASSA_SHOP_ID: 'my-shop' }, /^YOOKASSA_SHOP_ID: write the shop number /],
  [{ ...shop, YOOKASSA_SECRET_KEY: ' ' }, /^YOOKASSA_SECRET_KEY: write the secret key /],
  [{ ...shop, YOOKASSA_URL: 'api.yookassa.ru' }, `YOOKASSA_URL: ${address}`],
  [
    { PLATEGA_SECRET: 'key' },
    'PLATEGA_SECRET: write both PLATEGA_MERCHANT_ID and PLATEGA_SECRET, or neither',
  ],
  [{ PLATEGA_MERCHANT_ID: '42', PLATEGA_SECRET: 'key' }, /^PLATEGA_MERCHANT_ID: write the MerchantId /],
]

it('variables that do not fit together', () => {
  expect(pairs.filter(([env, line]) => !isReported(env, '', line))).toEqual([])
})

const decimal = 'write a decimal in quotes, like "18.49"'
const by = (id: string) => (settings: object) => JSON.stringify({ [id]: settings })
const reel = by('MODEL-VIDEO-REEL')
const dream = by('MODEL-VIDEO-DREAM')
const texts = (textModels: unknown) => JSON.stringify({ textModels })
const text = (settings: object) => texts([{ id: 'm', family: 'gpt', ...settings }])
const surcharge = (settings: object) => dream({ surcharges: [{ when: { resolution: '4k' }, ...settings }] })
const two = (settings: object) =>
  JSON.stringify({ 'MODEL-VIDEO-REEL': settings, 'MODEL-VIDEO-WAN': settings })

/** A wrong CATALOG_FILE, and what follows its path in the line. */
const catalogs: readonly (readonly [content: string, rest: string | RegExp])[] = [
  ['{video: 1}', /^: this is not JSON: .*line 1 column 2/],
  ['', /^: this is not JSON/],
  ['[]', /^: write an object in \{ \}, by the ids of models/],
  ['{"MODEL-NONE": {}}', /^, MODEL-NONE: no such model: write one of MODEL-/],
  ['{"MODEL-MUSIC": {}, "MODEL-MUSIC": {}}', ', MODEL-MUSIC: is written twice: remove one of them'],
  ['{"MODEL-MUSIC": true}', ', MODEL-MUSIC: write an object in { }'],
  [reel({ multiplyer: '2' }), /^, MODEL-VIDEO-REEL: there is no setting "multiplyer": correct or remove it$/],
  [reel({ multiplier: 1.5 }), ', MODEL-VIDEO-REEL.multiplier: write a text in quotes'],
  [reel({ multiplier: '1,5' }), `, MODEL-VIDEO-REEL.multiplier: ${decimal}`],
  [reel({ rates: { '4k': '1' } }), ', MODEL-VIDEO-REEL: no rate "4k": write "second"'],
  [reel({ rates: { second: 'free' } }), `, MODEL-VIDEO-REEL.rates.second: ${decimal}`],
  [reel({ rounding: '0' }), /^, MODEL-VIDEO-REEL\.rounding: write roubles in quotes/],
  [reel({ enabled: 'no' }), ', MODEL-VIDEO-REEL.enabled: write true or false'],
  [reel({ gatewayId: 'reel 2' }), /^, MODEL-VIDEO-REEL\.gatewayId: write the id of the model/],
  [two({ gatewayId: 'x', path: '/v1/x' }), /^, MODEL-VIDEO-WAN: "gatewayId" x is also that of .*-REEL: corr/],
  [reel({ path: '/v1/my videos' }), /^, MODEL-VIDEO-REEL\.path: write a path like/],
  [reel({ giveUpAfterMinutes: 0 }), ', MODEL-VIDEO-REEL.giveUpAfterMinutes: write at least 1'],
  [reel({ request: { colour: 'red' } }), /^, MODEL-VIDEO-REEL: no field "colour": correct or remove it/],
  [reel({ request: { 'safety.mode': 'x' } }), /^, .*"safety\.mode" cannot be "x"/],
  [reel({ request: { positivePrompt: 'x' } }), /^, .*"positivePrompt" is what users write/],
  [surcharge({ multiplier: '0.5' }), /^, .*surcharges\[0\]\.multiplier: .*write "1" or more/],
  [surcharge({ when: {} }), /^, .*surcharges\[0\]\.when: write when it applies/],
  [surcharge({ when: { resolution: '8k' } }), /^, .*"resolution" is never "8k"/],
  [surcharge({ per: 'minute' }), /^, .*\.per: write "second" or "result" or "request"/],
  [texts({}), ', textModels: write a list in [ ]'],
  [texts([{ id: 'm' }]), /^, textModels\[0\]\.family: write "assistant"/],
  [texts([1, 2].map(() => ({ id: 'm', family: 'gpt' }))), /^, textModels.*: .*one id/],
  [text({ id: 'я'.repeat(31) }), /^, textModels\[0\]\.id: write an id of at most 60 bytes/],
  [text({ rates: { input: 'x', output: '1' } }), /^, textModels\[0\]\.rates\.input: write a decimal/],
  [text({ maxOutput: 199 }), /^, textModels\[0\]\.maxOutput: write .*200/],
  [text({ abilities: ['fly'] }), /^, textModels\[0\]\.abilities\[0\]: write /],
  [text({ request: { messages: [] } }), /^, textModels\[0\]\.request\.messages: .*written by the app/],
]

it('a mistake in CATALOG_FILE, with the file and the place in it', () => {
  const path = join(folder, 'catalog.json')
  const missed = catalogs.filter(([content, rest]) => {
    writeFileSync(path, content)
    return !isReported({ CATALOG_FILE: path }, `CATALOG_FILE: ${path}`, rest)
  })
  expect(missed).toEqual([])
  for (const unread of ['/no/such.json', folder])
    expect(linesWith({ CATALOG_FILE: unread })).toEqual([
      `CATALOG_FILE: ${unread}: write the path of a readable file with the catalog`,
    ])
})

const only = /^: only ru\.ftl and en\.ftl are read from this folder: write one of them$/
const selection = 'legal-terms = { $contact ->\n    [a] <b>Да\n   *[other] Нет\n }'

/** A wrong ru.ftl, and what follows its name in the line. */
const ownTexts: readonly (readonly [content: string | Buffer, rest: string | RegExp])[] = [
  [Buffer.from([0xff, 0xfe, 0x61, 0x00]), ': this is not a text in UTF-8: save it as UTF-8'],
  ['no-contract = Да', /^, line 1, no-contract: there is no text with this key, .*: correct or remove it/],
  ['no-contact = Да\nno-contact = Нет', ', line 2, no-contact: is written twice: remove one of them'],
  ['legal-terms = { $kontact }', ', line 1, legal-terms: { $kontact } is not known here: write { $contact }'],
  ['no-contact = { $name }', ', line 1, no-contact: { $name } is not known here: write no values'],
  ['legal-terms = <b>Да', ', line 1, legal-terms: <b> is not closed: write </b> after it'],
  [
    'legal-terms = Да</b>',
    /^, line 1, legal-terms: <\/b> closes nothing: remove it, or write <b> before it$/,
  ],
  ['legal-terms = 1 < 2', ', line 1, legal-terms: write &lt; for a "<" that begins no tag'],
  [selection, /<b> is not closed/],
  ['button-keep = <b>Нет</b>', /^, .*button-keep: cannot have HTML/],
  [`legal-terms = ${'a'.repeat(4097)}`, /^, .*has 4097 characters: write at most 4096/],
]

it('a mistake in TEXTS_DIR, with the file, the line and the key', () => {
  const path = mkdtempSync(join(folder, 'texts-'))
  const env = { TEXTS_DIR: path }
  expect(isReported(env, `TEXTS_DIR: ${path}`, only)).toBe(true)
  const missed = ownTexts.filter(([content, rest]) => {
    writeFileSync(join(path, 'ru.ftl'), content)
    return !isReported(env, `TEXTS_DIR: ${path}, ru.ftl`, rest)
  })
  expect(missed).toEqual([])
  writeFileSync(join(path, 'ru.ftl'), 'no-contact = Да')
  writeFileSync(join(path, 'en.txt'), '')
  const other = ': only ru.ftl and en.ftl are read from this folder: rename or remove this one'
  expect(isReported(env, `TEXTS_DIR: ${path}, en.txt`, other)).toBe(true)
})

it('npm start with wrong settings names each of them, and misspelt variables, and ends before it opens anything', async () => {
  const place = mkdtempSync(join(folder, 'main-'))
  const wrong = { BOT_TOKN: '1:abc', GATEWAY_KEY: 'key', DATABASE_URL: `pglite:${join(place, 'unopened')}` }
  const { code, output, complaints } = await run('src/main.ts', wrong)
  expect([code, output, readdirSync(place)]).toEqual([1, '', []])
  const [head, ...lines] = complaints.trimEnd().split('\n')
  expect(head).toBe('These settings are missing or wrong:')
  expect(lines.map((line) => line.trim())).toEqual([
    'BOT_TOKEN: write the token that BotFather gave you, like 123456:ABC-DEF',
    'GATEWAY_URL: write an address like https://api.example.com',
    'BOT_TOKN: there is no such variable: did you mean BOT_TOKEN?',
  ])
})
