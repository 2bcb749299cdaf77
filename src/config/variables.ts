// Every environment variable but those of payment providers: its values, its default, and the message for a wrong value.

import { readdirSync } from 'node:fs'
import { isIP } from 'node:net'
import { z } from 'zod'
import { usualConnections } from '../db/pool.ts'
import { type Kopecks, parseSureRoubles } from '../money.ts'
import { type BonusStep, readBonusSteps } from '../payments/bonus-steps.ts'
import { providerIds } from '../payments/providers.ts'
import type { Taxpayer } from '../payments/self-employed/my-tax.ts'
import type { Seller } from '../payments/self-employed/receipts.ts'
import { defaultTimeZone } from '../runtime/clock.ts'
import {
  databaseLike,
  httpUrl,
  problem,
  proxyUrl,
  timeZone,
  whenValid,
  wholeNumber,
  wrongDatabase,
} from '../runtime/env-values.ts'
import { isPublic } from '../runtime/public-web.ts'
import { wrongTexts } from '../texts/own.ts'
import { locales } from '../texts.ts'
import {
  type FileProblem,
  noCatalogFile,
  type Read,
  readCatalogFile,
  readGatewayWords,
  usualGatewayWords,
} from './json-file.ts'

// Checks whether Telegram can call an address: Telegram requires HTTPS, one of four ports, and a host on the public internet. Source:
// telegram.md. A self-hosted Bot API server calls any address.

const publicApiRoot = 'https://api.telegram.org'

/** The ports that Telegram calls. The empty one is that of an https address without a port. */
const ports = ['', '443', '80', '88', '8443']

interface Addresses {
  readonly UPDATES: string
  readonly PUBLIC_URL?: string | undefined
  readonly TELEGRAM_API_ROOT: string
}

/** Advice for an address that Telegram does not call; undefined for an address that it calls. */
function wrongWebhook({ UPDATES, PUBLIC_URL, TELEGRAM_API_ROOT }: Addresses): string | undefined {
  if (UPDATES !== 'webhook' || PUBLIC_URL === undefined || TELEGRAM_API_ROOT !== publicApiRoot)
    return undefined
  const { protocol, port, hostname } = new URL(PUBLIC_URL)
  if (protocol !== 'https:') return 'write an address with https://: Telegram calls no other'
  if (!ports.includes(port)) return 'write the port 443, 80, 88 or 8443: Telegram calls no other'
  if (isReachable(hostname)) return undefined
  return 'write the public name of this machine, which Telegram can reach, or UPDATES=polling'
}

function isReachable(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '')
  if (isIP(host)) return isPublic(host)
  return host.includes('.') && !/\.(local|localhost|internal|test|invalid)$/.test(host)
}

const roubles = z.string().transform((text, ctx): Kopecks => {
  const amount = parseSureRoubles(text)
  if (amount !== undefined) return amount
  ctx.addIssue({ code: 'custom', message: 'write an amount of roubles, like 50' })
  return z.NEVER
})
const positiveRoubles = roubles.refine(
  (amount) => amount > 0n,
  'write an amount of roubles above zero, like 50',
)

const steps = 'write sums with their percents from 1 to 100, like 1000:5%, 5000:10%'
const bonusSteps = z
  .string()
  .transform(readBonusSteps)
  .pipe(z.custom<readonly BonusStep[]>(Array.isArray, steps))

const required = (what: string) => z.string({ error: what }).min(1, what)

/** The path of a file. Each problem of the file is an issue of its own: the path of the issue ends with the place in the file. */
const fileReadBy = <T>(read: (path: string) => Read<T>) =>
  z.string().transform((path, ctx): T => {
    const found = read(path)
    if (found.ok) return found.value
    reportIn(ctx, path, found.problems)
    return z.NEVER
  })

function reportIn(ctx: z.RefinementCtx, file: string, problems: readonly FileProblem[]): void {
  for (const { place, what } of problems) {
    const where = [file, place].filter(Boolean).join(', ')
    ctx.addIssue({ code: 'custom', path: [place], message: `${where}: ${what}` })
  }
}

const gatewayUrl = httpUrl.refine((url) => !/\/v1(\/|$)/.test(url), {
  error: 'write the address without /v1 and what follows it, like https://api.example.com',
})

const apiRoot = httpUrl.refine((url) => !/\/bot/.test(url), {
  error: 'write the address without /bot and the token, like https://api.telegram.org',
})

const token = 'write the token that BotFather gave you, like 123456:ABC-DEF'

const telegramIds = z
  .string()
  .regex(
    /^\s*[1-9]\d{0,14}(\s*,\s*[1-9]\d{0,14})*\s*$/,
    'write Telegram ids separated by commas, like 12345,67890',
  )
  .transform((text) => [...new Set(text.split(',').map(Number))])
  .default([])

/** The folder of the operator's texts. */
const textsFolder = z.string().transform((path, ctx): string => {
  const problems = isFolder(path)
    ? wrongTexts(path)
    : [
        {
          place: '',
          what: `write the path of a folder with ${locales.map((locale) => `${locale}.ftl`).join(' and ')}`,
        },
      ]
  reportIn(ctx, path, problems)
  return path
})

function isFolder(path: string): boolean {
  try {
    return readdirSync(path).length >= 0
  } catch {
    return false
  }
}

/** Stars are bought by Telegram, which pays the operator: no person pays roubles for them. */
const sold = providerIds.filter((id) => id !== 'stars')
/** Those whose payments have a fiscal receipt (54-FZ) with RECEIPT_VAT_CODE. */
const hasReceipts = (id: string): boolean => id === 'telegram-rub' || id === 'yookassa'

const variables = z.object({
  BOT_TOKEN: required(token)
    .regex(/^\d+:[\w-]{3,}$/, token)
    .refine(
      (text) => text !== '123456:ABC-DEF',
      'this is the example: write the token that BotFather gave you',
    ),
  GATEWAY_URL: gatewayUrl,
  /** The key is sent in an HTTP header. */
  GATEWAY_KEY: required('write the API key from the cabinet of the gateway').regex(
    /^[\x21-\x7e]+$/,
    'write the API key from the cabinet of the gateway',
  ),
  DATABASE_URL: required(databaseLike).check(problem(wrongDatabase)),
  DATABASE_CONNECTIONS: wholeNumber(2, 100).default(usualConnections),
  TELEGRAM_API_ROOT: apiRoot.default(publicApiRoot),
  TELEGRAM_PROXY: proxyUrl.optional(),
  PUBLIC_URL: httpUrl.optional(),
  PORT: wholeNumber(0, 65535).optional(),
  HOST: z
    .union([z.ipv4(), z.ipv6()], {
      error: 'write an address of this machine, like 127.0.0.1, or 0.0.0.0 for all',
    })
    .default('127.0.0.1'),
  ROLE: z.enum(['all', 'bot', 'worker', 'web'], { error: 'write all, bot, worker or web' }).default('all'),
  UPDATES: z.enum(['polling', 'webhook'], { error: 'write polling or webhook' }).default('polling'),
  LOG_LEVEL: z
    .enum(['silent', 'error', 'warn', 'info', 'debug'], { error: 'write silent, error, warn, info or debug' })
    .default('info'),
  LOG_FORMAT: z.enum(['json', 'pretty'], { error: 'write json or pretty' }).optional(),
  PICTURES_AS: z.enum(['data', 'links'], { error: 'write data or links' }).default('data'),
  /** A bot reads no larger files. */
  REQUEST_FILE_MB: wholeNumber(1, 20).default(10),
  REQUEST_FILES_MB: wholeNumber(1, 200).default(20),
  PRIVATE_LINK_HOSTS: z
    .string()
    .regex(
      /^\s*[\w.-]+:\d{1,5}(\s*,\s*[\w.-]+:\d{1,5})*\s*$/,
      'write hosts with their ports separated by commas, like media.example.com:443',
    )
    .transform((text) => text.split(',').map((one) => one.trim().toLowerCase()))
    .default([]),
  POLL_INTERVAL_MS: wholeNumber(50, 60_000).default(3000),
  GATEWAY_POLLS_PER_SECOND: wholeNumber(1, 10_000).default(100),
  CATALOG_FILE: fileReadBy(readCatalogFile).default(noCatalogFile),
  GATEWAY_WORDS_FILE: fileReadBy(readGatewayWords).default(usualGatewayWords),
  WELCOME_CREDIT: roubles.default(0n),
  TOPUP_MIN: positiveRoubles.default(50_00n),
  TOPUP_MAX: positiveRoubles.default(15_000_00n),
  RECEIPT_VAT_CODE: wholeNumber(1, 12).optional(),
  SELF_EMPLOYED_INN: z
    .string()
    .regex(/^\d{12}$/, 'write the 12 digits of your taxpayer number')
    .optional(),
  SELF_EMPLOYED_PASSWORD: z.string().optional(),
  SELF_EMPLOYED_PROVIDERS: z
    .string()
    .transform((text) => text.split(',').map((name) => name.trim()))
    .pipe(z.array(z.enum(sold, `write names separated by commas, out of ${sold.join(', ')}`)))
    .optional(),
  SELF_EMPLOYED_URL: httpUrl.default('https://lknpd.nalog.ru/api/v1'),
  DAILY_SPEND_CAP: positiveRoubles.optional(),
  CONCURRENT_GENERATIONS: wholeNumber(1, 100).default(5),
  STOP_AFTER_LOST_RESULTS: wholeNumber(0, 100).default(3),
  TOPUP_BONUS: bonusSteps.default([]),
  REFERRAL_BONUS: roubles.default(0n),
  REFERRAL_PERCENT: wholeNumber(0, 100).default(0),
  REFERRAL_PAYMENTS: wholeNumber(1, 10_000).optional(),
  INVITED_BONUS: roubles.default(0n),
  ADMIN_IDS: telegramIds,
  SUPPORT_IDS: telegramIds,
  SUPPORT_REFUND_LIMIT: roubles.default(0n),
  ADMIN_CHAT: z
    .string()
    .regex(/^-[1-9]\d{0,14}$/, 'write the id of a group, like -1001234567890')
    .transform(Number)
    .optional(),
  METRICS_TOKEN: z
    .string()
    .regex(/^[\x21-\x7e]{16,200}$/, 'write a secret of 16 to 200 characters without spaces')
    .optional(),
  SUPPORT_CONTACT: z
    .string()
    .regex(
      /^(?=.*\S).{1,200}$/,
      'write a name, a link or an address of at most 200 characters, like @your_name',
    )
    .optional(),
  CONSENT_VERSION: z
    .string()
    .regex(/^\d{4}-\d\d(-\d\d)?$/, 'write the date of your terms, like 2026-11-28')
    .optional(),
  TEXTS_DIR: textsFolder.optional(),
  SUMMARY_HOUR: wholeNumber(0, 23).optional(),
  OPERATOR_TIME_ZONE: timeZone.default(defaultTimeZone),
})

type Values = z.output<typeof variables>

/** Why a process needs a port; undefined for a process that needs none. */
function needsPort({ ROLE, UPDATES, PUBLIC_URL }: Values): string | undefined {
  if (ROLE === 'web') return 'ROLE=web serves HTTP'
  if (ROLE !== 'all') return undefined
  if (UPDATES === 'webhook') return 'UPDATES=webhook lets Telegram call this process'
  return PUBLIC_URL === undefined ? undefined : 'PUBLIC_URL leads to this process'
}

/** Checks of variables with each other: the variable that is reported, and what is wrong with it. */
function wrongTogether(value: Values): readonly (readonly [keyof Values, string | false | undefined])[] {
  const { PUBLIC_URL, UPDATES, PICTURES_AS, PORT, RECEIPT_VAT_CODE, ROLE, DATABASE_URL } = value
  const portFor = PORT === undefined && needsPort(value)
  const isMissing = PUBLIC_URL === undefined
  const hasTwoReceipts = RECEIPT_VAT_CODE && value.SELF_EMPLOYED_PROVIDERS?.some(hasReceipts)
  return [
    [
      'PUBLIC_URL',
      UPDATES === 'webhook' &&
        isMissing &&
        'write the address at which Telegram reaches us, like https://bot.example.com, or UPDATES=polling',
    ],
    ['PUBLIC_URL', wrongWebhook(value)],
    [
      'PUBLIC_URL',
      PICTURES_AS === 'links' &&
        isMissing &&
        'write the address at which the gateway fetches pictures, or PICTURES_AS=data',
    ],
    [
      'REQUEST_FILES_MB',
      value.REQUEST_FILES_MB < value.REQUEST_FILE_MB && 'write a size that is not below REQUEST_FILE_MB',
    ],
    ['PORT', portFor && `write where this process listens, like 3000: ${portFor}`],
    [
      'SELF_EMPLOYED_PASSWORD',
      !value.SELF_EMPLOYED_INN !== !value.SELF_EMPLOYED_PASSWORD &&
        'write both SELF_EMPLOYED_INN and SELF_EMPLOYED_PASSWORD, or neither',
    ],
    [
      'SELF_EMPLOYED_PROVIDERS',
      hasTwoReceipts
        ? 'write it without telegram-rub and yookassa: with RECEIPT_VAT_CODE their payments have a receipt already'
        : undefined,
    ],
    [
      'DATABASE_URL',
      ROLE !== 'all' &&
        DATABASE_URL.startsWith('pglite:') &&
        'write postgres://user:password@host/name: the embedded one serves a single process, which is ROLE=all',
    ],
  ]
}

const checkedTogether = [
  'ROLE',
  'UPDATES',
  'PORT',
  'PUBLIC_URL',
  'TELEGRAM_API_ROOT',
  'DATABASE_URL',
  'PICTURES_AS',
].concat(
  ['REQUEST_FILE_MB', 'REQUEST_FILES_MB', 'RECEIPT_VAT_CODE'],
  ['SELF_EMPLOYED_INN', 'SELF_EMPLOYED_PASSWORD', 'SELF_EMPLOYED_PROVIDERS'],
)

export const environment = variables
  .refine((value) => value.TOPUP_MIN <= value.TOPUP_MAX, {
    path: ['TOPUP_MAX'],
    error: 'write an amount that is not below TOPUP_MIN',
    when: whenValid('TOPUP_MIN', 'TOPUP_MAX'),
  })
  .refine(({ TOPUP_BONUS, TOPUP_MAX }) => TOPUP_BONUS.every(({ from }) => from <= TOPUP_MAX), {
    path: ['TOPUP_BONUS'],
    error: 'write sums that are not above TOPUP_MAX',
    when: whenValid('TOPUP_MIN', 'TOPUP_MAX', 'TOPUP_BONUS'),
  })
  .superRefine(
    (value, context) => {
      for (const [name, message] of wrongTogether(value))
        if (message) context.addIssue({ code: 'custom', path: [name], message })
    },
    { when: whenValid(...checkedTogether) },
  )

/** The taxpayer, and the providers whose payments get receipts; undefined without a taxpayer. */
export function selfEmployedIn(value: z.output<typeof variables>): (Taxpayer & Seller) | undefined {
  const { SELF_EMPLOYED_INN: inn, SELF_EMPLOYED_PASSWORD: password, SELF_EMPLOYED_URL: url } = value
  const usual = sold.filter((id) => !value.RECEIPT_VAT_CODE || !hasReceipts(id))
  const providers = value.SELF_EMPLOYED_PROVIDERS ?? usual
  return inn && password ? { inn, password, url, providers } : undefined
}
