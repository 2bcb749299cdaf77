// Every environment variable but those of payment providers: its values, its default, and the message for a wrong value.

import { existsSync } from 'node:fs'
import { z } from 'zod'
import { type Kopecks, parseRoubles } from '../money.ts'
import { httpUrl, whenValid, wholeNumber } from '../runtime/env-values.ts'
import { type CatalogFile, readCatalogFile } from './catalog-file.ts'

const roubles = z.string().transform((text, ctx): Kopecks => {
  const amount = parseRoubles(text)
  if (amount !== undefined) return amount
  ctx.addIssue({ code: 'custom', message: 'write an amount of roubles, like 50' })
  return z.NEVER
})
const positiveRoubles = roubles.refine(
  (amount) => amount > 0n,
  'write an amount of roubles above zero, like 50',
)

const required = (what: string) => z.string({ error: what }).min(1, what)

const catalogFile = z.string().transform((path, ctx): CatalogFile => {
  try {
    return readCatalogFile(path)
  } catch (error) {
    ctx.addIssue({ code: 'custom', message: error instanceof Error ? error.message : String(error) })
    return z.NEVER
  }
})

const variables = z.object({
  BOT_TOKEN: required('write the token that BotFather gave you, like 123456:ABC-DEF').regex(
    /^\d+:[\w-]{3,}$/,
    'write the token that BotFather gave you, like 123456:ABC-DEF',
  ),
  GATEWAY_URL: httpUrl,
  /** Sent in an HTTP header. */
  GATEWAY_KEY: required('write the API key from the cabinet of the gateway').regex(
    /^[\x21-\x7e]+$/,
    'write the API key from the cabinet of the gateway',
  ),
  DATABASE_URL: required(
    'write postgres://user:password@host/name, or pglite:./data for the embedded one',
  ).regex(
    /^(postgres(ql)?:\/\/.+|pglite:.+)$/,
    'write postgres://user:password@host/name, or pglite:./data for the embedded one',
  ),
  TELEGRAM_API_ROOT: httpUrl.default('https://api.telegram.org'),
  PUBLIC_URL: httpUrl.optional(),
  PORT: wholeNumber(0, 65535).optional(),
  ROLE: z.enum(['all', 'bot', 'worker', 'web'], { error: 'write all, bot, worker or web' }).default('all'),
  UPDATES: z.enum(['polling', 'webhook'], { error: 'write polling or webhook' }).default('polling'),
  LOG_LEVEL: z
    .enum(['silent', 'error', 'warn', 'info', 'debug'], { error: 'write silent, error, warn, info or debug' })
    .default('info'),
  POLL_INTERVAL_MS: wholeNumber(50, 60_000).default(3000),
  GATEWAY_POLLS_PER_SECOND: wholeNumber(1, 10_000).default(100),
  CATALOG_FILE: catalogFile.default({ models: {}, textModels: [] }),
  WELCOME_CREDIT: roubles.default(0n),
  TOPUP_MIN: positiveRoubles.default(50_00n),
  TOPUP_MAX: positiveRoubles.default(15_000_00n),
  RECEIPT_VAT_CODE: wholeNumber(1, 12).optional(),
  DAILY_SPEND_CAP: positiveRoubles.optional(),
  CONCURRENT_GENERATIONS: wholeNumber(1, 100).default(5),
  REFERRAL_BONUS: roubles.default(0n),
  ADMIN_IDS: z
    .string()
    .regex(/^\d{1,15}(\s*,\s*\d{1,15})*$/, 'write Telegram ids separated by commas, like 12345,67890')
    .transform((text) => text.split(',').map(Number))
    .default([]),
  METRICS_TOKEN: z
    .string()
    .regex(/^[\x21-\x7e]{16,200}$/, 'write a secret of 16 to 200 characters without spaces')
    .optional(),
  SUPPORT_CONTACT: z.string().max(200, 'write at most 200 characters').optional(),
  TEXTS_DIR: z
    .string()
    .refine((path) => existsSync(path), 'write the path of a folder with ru.ftl and en.ftl')
    .optional(),
})

const amounts = z.object({ TOPUP_MIN: z.bigint(), TOPUP_MAX: z.bigint() })
const processes = z.object({
  ROLE: z.string(),
  UPDATES: z.string(),
  PORT: z.number().optional(),
  PUBLIC_URL: z.string().optional(),
  DATABASE_URL: z.string(),
})

export const environment = variables
  .refine((value) => value.TOPUP_MIN <= value.TOPUP_MAX, {
    path: ['TOPUP_MAX'],
    error: 'write an amount that is not below TOPUP_MIN',
    when: whenValid(amounts),
  })
  .refine((value) => value.UPDATES === 'polling' || value.PUBLIC_URL !== undefined, {
    path: ['PUBLIC_URL'],
    error: 'write the address at which Telegram reaches us, or UPDATES=polling',
    when: whenValid(processes),
  })
  .refine((value) => value.ROLE !== 'web' || value.PORT !== undefined, {
    path: ['PORT'],
    error: 'write where ROLE=web listens, like 3000',
    when: whenValid(processes),
  })
  .refine((value) => value.ROLE === 'all' || !value.DATABASE_URL.startsWith('pglite:'), {
    path: ['DATABASE_URL'],
    error:
      'write postgres://user:password@host/name: the embedded one serves a single process, which is ROLE=all',
    when: whenValid(processes),
  })
