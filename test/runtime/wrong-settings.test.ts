// Every mistake that an operator can make in the settings, one row each: it is reported before anything starts, in one line that names
// the variable (and the place in a file) and says what to write, without the value. One row of each table goes through the real process.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { parseConfig } from '../../src/config.ts'
import { run } from '../support/runtime/child.ts'

const folder = mkdtempSync(join(tmpdir(), 'bot-settings-'))
afterAll(() => rmSync(folder, { recursive: true }))

const valid = {
  BOT_TOKEN: '4242:abc_DEF-ghi',
  GATEWAY_URL: 'https://api.example.com',
  GATEWAY_KEY: 'key-1',
  DATABASE_URL: 'postgres://bot:password@db/bot',
}

type Env = Readonly<Record<string, string>>
/** The mistake, the settings, and the whole line; for a file, the end of the line after the name of the file. */
type Row = readonly [mistake: string, env: Env, line: string | RegExp]

let files = 0
function file(content: string): string {
  files += 1
  const path = join(folder, `${files}.json`)
  writeFileSync(path, content)
  return path
}
const catalog = (content: unknown): Env => ({
  CATALOG_FILE: file(typeof content === 'string' ? content : JSON.stringify(content)),
})
const reel = (settings: object) => catalog({ 'MODEL-VIDEO-REEL': settings })
const dream = (settings: object) => catalog({ 'MODEL-VIDEO-DREAM': settings })
const text = (settings: object) => catalog({ textModels: [{ id: 'm', family: 'gpt', ...settings }] })
const surcharge = (settings: object) => dream({ surcharges: [{ when: { resolution: '4k' }, ...settings }] })

function texts(name: string, content: string | Buffer): Env {
  const path = mkdtempSync(join(folder, 'texts-'))
  writeFileSync(join(path, name), content)
  return { TEXTS_DIR: path }
}
const russian = (content: string) => texts('ru.ftl', content)

const hook = { UPDATES: 'webhook', PUBLIC_URL: 'https://bot.example.com', PORT: '3000' }
const shop = { YOOKASSA_SHOP_ID: '54321', YOOKASSA_SECRET_KEY: 'key' }

const token = 'BOT_TOKEN: write the token that BotFather gave you, like 123456:ABC-DEF'
const address = 'write an address like https://api.example.com'
const noUser = 'write the address without a user and a password'
const noQuery = 'write the address without "?" and "#" and what follows them'
const noVersion =
  'GATEWAY_URL: write the address without /v1 and what follows it, like https://api.example.com'
const database =
  'DATABASE_URL: write postgres://user:password@host/name, or pglite:./data for the embedded one'
const encoded = '; in the password write / as %2F, ? as %3F, : as %3A and @ as %40'
const star = 'TOPUP_ROUBLES_PER_STAR: write what one Star credits in roubles, from 0.1 to 20, like 1.00'
const ids = 'ADMIN_IDS: write Telegram ids separated by commas, like 12345,67890'
const decimal = 'write a decimal in quotes, like "18.49"'
const port = 'PORT: write where this process listens, like 3000'
const publicName =
  'PUBLIC_URL: write the public name of this machine, which Telegram can reach, or UPDATES=polling'

const variables: readonly Row[] = [
  ['no token', { BOT_TOKEN: '' }, token],
  ['a blank token', { BOT_TOKEN: ' ' }, token],
  ['a token with quotes', { BOT_TOKEN: '"1:abc"' }, token],
  ['a token with a space', { BOT_TOKEN: '42 :abc' }, token],
  ['the token of the example', { BOT_TOKEN: '123456:ABC-DEF' }, /^BOT_TOKEN: this is the example: write /],
  ['no gateway', { GATEWAY_URL: '' }, `GATEWAY_URL: ${address}`],
  ['a gateway without https://', { GATEWAY_URL: 'api.example.com' }, `GATEWAY_URL: ${address}`],
  ['a gateway over ftp', { GATEWAY_URL: 'ftp://api.example.com' }, `GATEWAY_URL: ${address}`],
  ['a gateway with /v1', { GATEWAY_URL: 'https://api.example.com/v1' }, noVersion],
  ['a gateway with /v1/', { GATEWAY_URL: 'https://api.example.com/v1/' }, noVersion],
  ['an operation for the gateway', { GATEWAY_URL: 'https://a.example/v1/images/generations' }, noVersion],
  ['a gateway with a query', { GATEWAY_URL: 'https://a.example?key=secret' }, `GATEWAY_URL: ${noQuery}`],
  ['a gateway with a fragment', { GATEWAY_URL: 'https://a.example/#docs' }, `GATEWAY_URL: ${noQuery}`],
  ['a gateway with a password', { GATEWAY_URL: 'https://me:secret@a.example' }, `GATEWAY_URL: ${noUser}`],
  ['no key', { GATEWAY_KEY: '' }, 'GATEWAY_KEY: write the API key from the cabinet of the gateway'],
  ['a blank key', { GATEWAY_KEY: ' ' }, 'GATEWAY_KEY: write the API key from the cabinet of the gateway'],
  [
    'the dots of the guide',
    { GATEWAY_KEY: '…' },
    'GATEWAY_KEY: write the API key from the cabinet of the gateway',
  ],
  ['no database', { DATABASE_URL: '' }, database],
  ['another database', { DATABASE_URL: 'mysql://bot:secret@db/bot' }, database],
  ['a folder for a database', { DATABASE_URL: './data' }, database],
  ['an embedded database without a folder', { DATABASE_URL: 'pglite:' }, database],
  [
    'a # in the password',
    { DATABASE_URL: 'postgres://b:se#cret@db/b' },
    'DATABASE_URL: write # in the password as %23',
  ],
  [
    'a % in the password',
    { DATABASE_URL: 'postgres://b:secret%@db/b' },
    'DATABASE_URL: write % in the password as %25',
  ],
  [
    'a % before two digits in the password',
    { DATABASE_URL: 'postgres://b:secret%ff@db/b' },
    'DATABASE_URL: write % in the password as %25',
  ],
  ['a / in the password', { DATABASE_URL: 'postgres://b:se/cret@db/b' }, database + encoded],
  ['a ? in the password', { DATABASE_URL: 'postgres://b:se?cret@db/b' }, database + encoded],
  ['a database without a host', { DATABASE_URL: 'postgres:///bot' }, database + encoded],
  [
    'an API root without https://',
    { TELEGRAM_API_ROOT: 'api.telegram.org' },
    `TELEGRAM_API_ROOT: ${address}`,
  ],
  [
    'an API root with the token',
    { TELEGRAM_API_ROOT: 'https://api.telegram.org/bot42:secret' },
    'TELEGRAM_API_ROOT: write the address without /bot and the token, like https://api.telegram.org',
  ],
  [
    'an API root with a query',
    { TELEGRAM_API_ROOT: 'https://a.example/?x=1' },
    `TELEGRAM_API_ROOT: ${noQuery}`,
  ],
  [
    'a public address without https://',
    { PUBLIC_URL: 'bot.example.com', PORT: '1' },
    `PUBLIC_URL: ${address}`,
  ],
  [
    'a public address with a query',
    { PUBLIC_URL: 'https://b.example/?a', PORT: '1' },
    `PUBLIC_URL: ${noQuery}`,
  ],
  [
    'a public address without a port',
    { PUBLIC_URL: hook.PUBLIC_URL },
    `${port}: PUBLIC_URL leads to this process`,
  ],
  [
    'a webhook without a port',
    { ...hook, PORT: '' },
    `${port}: UPDATES=webhook lets Telegram call this process`,
  ],
  ['a web process without a port', { ROLE: 'web' }, `${port}: ROLE=web serves HTTP`],
  [
    'a webhook without an address',
    { ...hook, PUBLIC_URL: '' },
    'PUBLIC_URL: write the address at which Telegram reaches us, like https://bot.example.com, or UPDATES=polling',
  ],
  [
    'pictures as links without an address',
    { PICTURES_AS: 'links' },
    'PUBLIC_URL: write the address at which the gateway fetches pictures, or PICTURES_AS=data',
  ],
  ['another way for pictures', { PICTURES_AS: 'base64' }, 'PICTURES_AS: write data or links'],
  [
    'files that are larger than all together',
    { REQUEST_FILE_MB: '15', REQUEST_FILES_MB: '14' },
    'REQUEST_FILES_MB: write a size that is not below REQUEST_FILE_MB',
  ],
  [
    'a host of private links without its port',
    { PRIVATE_LINK_HOSTS: 'media.example.com' },
    'PRIVATE_LINK_HOSTS: write hosts with their ports separated by commas, like media.example.com:443',
  ],
  [
    'a webhook over http',
    { ...hook, PUBLIC_URL: 'http://bot.example.com' },
    'PUBLIC_URL: write an address with https://: Telegram calls no other',
  ],
  [
    'a webhook at a port that Telegram does not call',
    { ...hook, PUBLIC_URL: 'https://bot.example.com:3000' },
    'PUBLIC_URL: write the port 443, 80, 88 or 8443: Telegram calls no other',
  ],
  ['a webhook at this machine', { ...hook, PUBLIC_URL: 'https://localhost' }, publicName],
  ['a webhook in a private network', { ...hook, PUBLIC_URL: 'https://192.168.1.5' }, publicName],
  ['a webhook at a private IPv6 address', { ...hook, PUBLIC_URL: 'https://[::1]' }, publicName],
  ['a webhook at a name of the local network', { ...hook, PUBLIC_URL: 'https://bot.local' }, publicName],
  ['a port that is no number', { PORT: 'http' }, 'PORT: write a whole number from 0 to 65535'],
  ['a port that does not exist', { PORT: '70000' }, 'PORT: write a whole number from 0 to 65535'],
  ['an unknown role', { ROLE: 'main' }, 'ROLE: write all, bot, worker or web'],
  [
    'several processes on the embedded database',
    { ROLE: 'bot', DATABASE_URL: 'pglite:./data' },
    /^DATABASE_URL: write postgres:\/\/user:password@host\/name: the embedded one serves a single process/,
  ],
  ['an unknown intake of updates', { UPDATES: 'push' }, 'UPDATES: write polling or webhook'],
  [
    'an unknown level of the log',
    { LOG_LEVEL: 'verbose' },
    'LOG_LEVEL: write silent, error, warn, info or debug',
  ],
  [
    'an interval with a unit',
    { POLL_INTERVAL_MS: '3s' },
    'POLL_INTERVAL_MS: write a whole number from 50 to 60000',
  ],
  [
    'zero requests per second',
    { GATEWAY_POLLS_PER_SECOND: '0' },
    'GATEWAY_POLLS_PER_SECOND: write a whole number from 1 to 10000',
  ],
  ['a credit in words', { WELCOME_CREDIT: 'much' }, 'WELCOME_CREDIT: write an amount of roubles, like 50'],
  ['a negative credit', { WELCOME_CREDIT: '-5' }, 'WELCOME_CREDIT: write an amount of roubles, like 50'],
  [
    'a bonus with three decimals',
    { REFERRAL_BONUS: '1.234' },
    'REFERRAL_BONUS: write an amount of roubles, like 50',
  ],
  [
    'a minimum top-up of zero',
    { TOPUP_MIN: '0' },
    'TOPUP_MIN: write an amount of roubles above zero, like 50',
  ],
  [
    'limits that allow no top-up',
    { TOPUP_MAX: '10' },
    'TOPUP_MAX: write an amount that is not below TOPUP_MIN',
  ],
  [
    'a daily cap of zero',
    { DAILY_SPEND_CAP: '0' },
    'DAILY_SPEND_CAP: write an amount of roubles above zero, like 50',
  ],
  [
    'zero orders at once',
    { CONCURRENT_GENERATIONS: '0' },
    'CONCURRENT_GENERATIONS: write a whole number from 1 to 100',
  ],
  ['an unknown VAT code', { RECEIPT_VAT_CODE: '20' }, 'RECEIPT_VAT_CODE: write a whole number from 1 to 12'],
  ['an operator with the id 0', { ADMIN_IDS: '0' }, ids],
  ['an operator by name', { ADMIN_IDS: '@boss' }, ids],
  ['a group as operator', { ADMIN_IDS: '12345,-100200' }, ids],
  [
    'a short secret of the metrics',
    { METRICS_TOKEN: 'short' },
    /^METRICS_TOKEN: write a secret of 16 to 200 /,
  ],
  [
    'a time zone that does not exist',
    { OPERATOR_TIME_ZONE: 'Europe/Moskau' },
    /^OPERATOR_TIME_ZONE: write the name of a time zone, like Europe\/Moscow/,
  ],
  [
    'an offset in place of a time zone',
    { OPERATOR_TIME_ZONE: '+03:00' },
    /^OPERATOR_TIME_ZONE: write the name /,
  ],
  ['a format of the log that does not exist', { LOG_FORMAT: 'xml' }, /^LOG_FORMAT: write json or pretty$/],
  ['a blank contact', { SUPPORT_CONTACT: ' ' }, /^SUPPORT_CONTACT: write a name, a link or an address /],
  ['a rate of Stars in kopecks', { TOPUP_ROUBLES_PER_STAR: '120' }, star],
  ['a rate of Stars with a slipped point', { TOPUP_ROUBLES_PER_STAR: '0.012' }, star],
  ['a rate of Stars with a comma', { TOPUP_ROUBLES_PER_STAR: '1,20' }, star],
  [
    'a blank token of a provider',
    { TOPUP_RUB_PROVIDER_TOKEN: ' ' },
    /^TOPUP_RUB_PROVIDER_TOKEN: write the token /,
  ],
  ['a shop by name', { ...shop, YOOKASSA_SHOP_ID: 'my-shop' }, /^YOOKASSA_SHOP_ID: write the shop number /],
  ['a shop without its key', { YOOKASSA_SHOP_ID: '54321' }, /^YOOKASSA_SECRET_KEY: write both /],
  [
    'a blank key of a shop',
    { ...shop, YOOKASSA_SECRET_KEY: ' ' },
    /^YOOKASSA_SECRET_KEY: write the secret key /,
  ],
  ['another address of YooKassa', { ...shop, YOOKASSA_URL: 'api.yookassa.ru' }, `YOOKASSA_URL: ${address}`],
  [
    'texts in a folder that does not exist',
    { TEXTS_DIR: '/no/such' },
    /^TEXTS_DIR: .+: write the path of a folder /,
  ],
  [
    'a file in place of the folder of texts',
    { TEXTS_DIR: file('{}') },
    /^TEXTS_DIR: .+: write the path of a folder /,
  ],
]

const catalogs: readonly Row[] = [
  ['a file that does not exist', { CATALOG_FILE: '/no/such.json' }, /^: write the path of a readable file /],
  ['a folder in place of a file', { CATALOG_FILE: folder }, /^: write the path of a readable file /],
  ['no JSON', catalog('{video: 1}'), /^: this is not JSON: .*line 1 column 2/],
  ['an empty file', catalog(''), /^: this is not JSON/],
  ['a list', catalog([]), /^: write an object in \{ \}, by the ids of models/],
  ['an unknown model', catalog({ 'MODEL-NONE': {} }), /^, MODEL-NONE: no such model: write one of MODEL-/],
  [
    'a model twice',
    catalog('{"MODEL-MUSIC": {}, "MODEL-MUSIC": {}}'),
    ', MODEL-MUSIC: is written twice: remove one of them',
  ],
  [
    'a setting twice',
    catalog('{"MODEL-MUSIC": {"rates": {"request": "1", "request": "2"}}}'),
    ', MODEL-MUSIC.rates.request: is written twice: remove one of them',
  ],
  ['a model that is no object', catalog({ 'MODEL-MUSIC': true }), ', MODEL-MUSIC: write an object in { }'],
  [
    'a misspelt setting',
    reel({ multiplyer: '2' }),
    ', MODEL-VIDEO-REEL: there is no setting "multiplyer": correct or remove it',
  ],
  [
    'a multiplier that is no text',
    reel({ multiplier: 1.5 }),
    ', MODEL-VIDEO-REEL.multiplier: write a text in quotes',
  ],
  ['a multiplier with a comma', reel({ multiplier: '1,5' }), `, MODEL-VIDEO-REEL.multiplier: ${decimal}`],
  ['an unknown rate', reel({ rates: { '4k': '1' } }), ', MODEL-VIDEO-REEL: no rate "4k": write "second"'],
  ['a rate in words', reel({ rates: { second: 'free' } }), `, MODEL-VIDEO-REEL.rates.second: ${decimal}`],
  ['a switch in quotes', reel({ enabled: 'no' }), ', MODEL-VIDEO-REEL.enabled: write true or false'],
  [
    'a multiplier of zero',
    reel({ multiplier: '0' }),
    /^, MODEL-VIDEO-REEL\.multiplier: write a decimal above zero/,
  ],
  [
    'a rate of zero',
    reel({ rates: { second: '0.00' } }),
    /^, MODEL-VIDEO-REEL\.rates\.second: write a decimal above/,
  ],
  [
    'a rate of zero for text',
    text({ rates: { input: '0', output: '1' } }),
    /^, .*rates\.input: write a decimal above/,
  ],
  [
    'an id with a space',
    reel({ gatewayId: 'reel 2' }),
    /^, MODEL-VIDEO-REEL\.gatewayId: write the id of the model/,
  ],
  ['an empty id', reel({ gatewayId: '' }), /^, MODEL-VIDEO-REEL\.gatewayId: write the id of the model/],
  [
    'one id for two models',
    catalog({
      'MODEL-VIDEO-REEL': { gatewayId: 'x', path: '/v1/x' },
      'MODEL-VIDEO-WAN': { gatewayId: 'x', path: '/v1/x' },
    }),
    ', MODEL-VIDEO-WAN: "gatewayId" x is also that of MODEL-VIDEO-REEL: correct one of them',
  ],
  ['a path with a space', reel({ path: '/v1/my videos' }), /^, MODEL-VIDEO-REEL\.path: write a path like/],
  ['a path that is only /', reel({ path: '/' }), /^, MODEL-VIDEO-REEL\.path: write a path like/],
  ['a path that ends in /', reel({ path: '/v1/videos/' }), /^, MODEL-VIDEO-REEL\.path: write a path like/],
  [
    'a surcharge from a size that is never reached',
    reel({ surcharges: [{ when: { duration: { min: 100 } }, add: '1' }] }),
    /^, MODEL-VIDEO-REEL: "duration" never reaches 100: correct or remove it/,
  ],
  [
    'a surcharge on another value than the fixed one',
    dream({ request: { resolution: '720p' }, surcharges: [{ when: { resolution: '4k' }, add: '1' }] }),
    /^, MODEL-VIDEO-DREAM: "resolution" is always "720p" .*: remove it/,
  ],
  ['a path without /', reel({ path: 'v1/video' }), /^, MODEL-VIDEO-REEL\.path: write /],
  [
    'a deadline of zero',
    reel({ giveUpAfterMinutes: 0 }),
    ', MODEL-VIDEO-REEL.giveUpAfterMinutes: write at least 1',
  ],
  ['rounding to zero', reel({ rounding: '0' }), /^, MODEL-VIDEO-REEL\.rounding: write roubles in quotes/],
  [
    'a fixed value of an unknown field',
    reel({ request: { colour: 'red' } }),
    /^, MODEL-VIDEO-REEL: no field "colour": correct or remove it/,
  ],
  [
    'a fixed value that is refused',
    reel({ request: { 'safety.mode': 'x' } }),
    /^, .*"safety\.mode" cannot be "x"/,
  ],
  ['a fixed prompt', reel({ request: { positivePrompt: 'x' } }), /^, .*"positivePrompt" is what users write/],
  [
    'a default of an unknown field',
    reel({ defaults: { colour: 'red' } }),
    /^, MODEL-VIDEO-REEL: no field "colour": correct or remove it/,
  ],
  [
    'a surcharge that lowers the price',
    surcharge({ multiplier: '0.5' }),
    /^, .*surcharges\[0\]\.multiplier: .*write "1" or more/,
  ],
  [
    'a surcharge without a condition',
    surcharge({ when: {} }),
    /^, .*surcharges\[0\]\.when: write when it applies/,
  ],
  [
    'a surcharge on an unknown field',
    surcharge({ when: { colour: 'red' } }),
    /^, MODEL-VIDEO-DREAM: no field "colour": correct or remove it/,
  ],
  [
    'a surcharge on an unknown value',
    surcharge({ when: { resolution: '8k' } }),
    /^, .*"resolution" is never "8k"/,
  ],
  [
    'a surcharge by an unknown unit',
    surcharge({ per: 'minute' }),
    /^, .*\.per: write "second" or "result" or "request"/,
  ],
  [
    'an id of a text model that no button can hold',
    catalog({ textModels: [{ id: 'я'.repeat(31), family: 'gpt' }] }),
    /^, textModels\[0\]\.id: write an id of at most 60 bytes/,
  ],
  [
    'a family that is not known',
    text({ family: 'llama' }),
    /^, textModels\[0\]\.family: write "assistant" or /,
  ],
  [
    'a text model without a family',
    catalog({ textModels: [{ id: 'm' }] }),
    /^, textModels\[0\]\.family: write "assistant"/,
  ],
  [
    'a text model twice',
    catalog({
      textModels: [
        { id: 'm', family: 'gpt' },
        { id: 'm', family: 'gpt' },
      ],
    }),
    /^, textModels.*: .*one id/,
  ],
  ['text models that are no list', catalog({ textModels: {} }), ', textModels: write a list in [ ]'],
  [
    'a rate of a text model in words',
    text({ rates: { input: 'x', output: '1' } }),
    /^, textModels\[0\]\.rates\.input: write a decimal/,
  ],
  [
    'answers that are shorter than the shortest that is paid for',
    text({ maxOutput: 199 }),
    /^, textModels\[0\]\.maxOutput: write .*200/,
  ],
  [
    'an ability that is not known',
    text({ abilities: ['fly'] }),
    /^, textModels\[0\]\.abilities\[0\]: write /,
  ],
  [
    'a field of the app',
    text({ request: { messages: [] } }),
    /^, textModels\[0\]\.request\.messages: .*written by the app/,
  ],
]

const ownTexts: readonly Row[] = [
  [
    'a misnamed file',
    texts('ru.flt', 'no-contact = Да'),
    ': only ru.ftl and en.ftl are read from this folder: write one of them',
  ],
  [
    'an empty folder',
    { TEXTS_DIR: mkdtempSync(join(folder, 'texts-')) },
    /^: only ru\.ftl and en\.ftl are read/,
  ],
  [
    'no UTF-8',
    texts('ru.ftl', Buffer.from([0xff, 0xfe, 0x61, 0x00])),
    ', ru.ftl: this is not a text in UTF-8: save it as UTF-8',
  ],
  [
    'a line that is not Fluent',
    russian('no-contact = Да\n\nпривет'),
    /^, ru\.ftl, line 3: this is not Fluent: .*: correct it, like "key = text"/,
  ],
  [
    'a brace that is not closed',
    russian('no-contact = { $contact'),
    /^, ru\.ftl, line 1: this is not Fluent: /,
  ],
  [
    'a misspelt key',
    russian('no-contract = Да'),
    /^, ru\.ftl, line 1, no-contract: there is no text with this key, .*: correct or remove it/,
  ],
  [
    'a key twice',
    russian('no-contact = Да\nno-contact = Нет'),
    ', ru.ftl, line 2, no-contact: is written twice: remove one of them',
  ],
  [
    'a key without a text',
    russian('no-contact =\n    .title = Да'),
    ', ru.ftl, line 1, no-contact: has no text: write one after "="',
  ],
  [
    'an unknown value',
    russian('legal-terms = { $kontact }'),
    ', ru.ftl, line 1, legal-terms: { $kontact } is not known here: write { $contact }',
  ],
  [
    'a value in a text without values',
    russian('no-contact = { $name }'),
    ', ru.ftl, line 1, no-contact: { $name } is not known here: write no values',
  ],
  [
    'an unknown text in a text',
    russian('no-contact = { hello }'),
    /^, ru\.ftl, line 1, no-contact: \{ hello \} is not known: correct or remove it/,
  ],
  [
    'an unknown function',
    russian('no-contact = { UPPER("a") }'),
    /^, ru\.ftl, line 1, no-contact: \{ UPPER \} is not known/,
  ],
  [
    'HTML that is not closed',
    russian('legal-terms = <b>Да'),
    ', ru.ftl, line 1, legal-terms: <b> is not closed: write </b> after it',
  ],
  [
    'HTML that is not opened',
    russian('legal-terms = Да</b>'),
    ', ru.ftl, line 1, legal-terms: </b> closes nothing: remove it, or write <b> before it',
  ],
  ['HTML that overlaps', russian('legal-terms = <b><i>Да</b></i>'), /^, .*legal-terms: <\/b> closes nothing/],
  [
    'HTML that Telegram does not know',
    russian('legal-terms = Да<br>'),
    /^, .*legal-terms: Telegram does not know <br>: remove it/,
  ],
  [
    'a bare <',
    russian('legal-terms = 1 < 2'),
    ', ru.ftl, line 1, legal-terms: write &lt; for a "<" that begins no tag',
  ],
  [
    'HTML in one form of a selection',
    russian('legal-terms = { $contact ->\n    [a] <b>Да\n   *[other] Нет\n }'),
    /<b> is not closed/,
  ],
  ['HTML on a button', russian('button-keep = <b>Нет</b>'), /^, .*button-keep: cannot have HTML/],
  [
    'a text longer than a message',
    russian(`legal-terms = ${'a'.repeat(4097)}`),
    /^, .*has 4097 characters: write at most 4096/,
  ],
]

const advice = /\b(write|correct|remove|save)\b|this is not JSON: /
const noStack = /\n|\bat .+:\d+|Error\b|\[object/

function linesWith(env: Env): readonly string[] {
  const parsed = parseConfig({ ...valid, ...env })
  return parsed.ok ? [] : parsed.problems
}

function check(line: string): void {
  expect(line).toMatch(advice)
  expect(line).not.toMatch(noStack)
  expect(line).not.toMatch(/secret(?! key| of)/)
}

describe('one wrong setting is reported in one line that says what to write', () => {
  it.each(variables)('%s', (_, env, line) => {
    const lines = linesWith(env)
    expect(lines).toEqual([typeof line === 'string' ? line : expect.stringMatching(line)])
    check(lines.join())
  })
})

describe('one mistake in CATALOG_FILE is reported with the file and the place in it', () => {
  it.each(catalogs)('%s', (_, env, end) => {
    const lines = linesWith(env)
    const name = `CATALOG_FILE: ${env.CATALOG_FILE}`
    expect(lines.map((line) => line.slice(0, name.length))).toEqual([name])
    const [rest = ''] = lines.map((line) => line.slice(name.length))
    expect([rest]).toEqual([typeof end === 'string' ? end : expect.stringMatching(end)])
    check(rest)
  })
})

describe('one mistake in TEXTS_DIR is reported with the file, the line and the key', () => {
  it.each(ownTexts)('%s', (_, env, end) => {
    const lines = linesWith(env)
    const name = `TEXTS_DIR: ${env.TEXTS_DIR}`
    expect(lines.map((line) => line.slice(0, name.length))).toEqual([name])
    const [rest = ''] = lines.map((line) => line.slice(name.length))
    expect([rest]).toEqual([typeof end === 'string' ? end : expect.stringMatching(end)])
    check(rest)
  })

  it('a second file with another name', () => {
    const env = russian('no-contact = Да')
    writeFileSync(join(env.TEXTS_DIR ?? '', 'en.txt'), '')
    expect(linesWith(env)).toEqual([
      `TEXTS_DIR: ${env.TEXTS_DIR}, en.txt: only ru.ftl and en.ftl are read from this folder: rename or remove this one`,
    ])
  })
})

it('the rows are at least 80 mistakes', () => {
  expect(variables.length + catalogs.length + ownTexts.length).toBeGreaterThanOrEqual(80)
})

describe('npm start ends with code 1 before it opens anything', () => {
  const all = { ...valid, DATABASE_URL: `pglite:${join(folder, 'never-opened')}` }
  const chosen = [variables, catalogs, ownTexts].flatMap((rows) => rows.slice(0, 1))
  it.each(chosen)('%s', async (_, env) => {
    const { code, output, complaints } = await run('src/main.ts', { ...all, ...env })
    const lines = linesWith({ ...all, ...env })
    expect({ code, output, complaints }).toEqual({
      code: 1,
      output: '',
      complaints: `These settings are missing or wrong:\n  ${lines.join('\n  ')}\n`,
    })
  })
})
