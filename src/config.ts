// The environment, read once: every bad variable is reported together, with what to write instead.

import { existsSync, readFileSync } from 'node:fs'
import { z } from 'zod'
import { type CatalogSettings, catalogSettings } from './catalog/settings.ts'
import { type TextModel, textModelList } from './catalog/text-models.ts'
import type { LogLevel } from './log.ts'
import { type Kopecks, parseRoubles } from './money.ts'

export interface Config {
  readonly botToken: string
  readonly gatewayUrl: string
  readonly gatewayKey: string
  /** `postgres://…` or `pglite:./folder`. */
  readonly databaseUrl: string
  readonly telegramApiRoot: string
  /** Where the outside reaches `port`; without it the gateway can not call back and tasks are only polled. */
  readonly publicUrl: string | undefined
  /** Where to listen; undefined listens nowhere (the sandbox serves our routes itself). */
  readonly port: number | undefined
  readonly logLevel: LogLevel
  readonly pollIntervalMs: number
  readonly catalog: CatalogSettings
  readonly textModels: readonly TextModel[]
  /** What everybody gets once, on the first message. */
  readonly welcomeCredit: Kopecks
  readonly topUp: {
    readonly min: Kopecks
    readonly max: Kopecks
    readonly roublesPerStar: string | undefined
    readonly rubProviderToken: string | undefined
    readonly yookassa: YookassaSettings | undefined
    /** The VAT code of fiscal receipts (54-FZ); undefined sends none. */
    readonly vatCode: number | undefined
  }
  readonly limits: {
    /** What one user may spend within 24 hours. */
    readonly dailySpend: Kopecks | undefined
    /** Generations of one user at the same time. */
    readonly concurrent: number
  }
  /** What the inviter gets when the invited person tops up for the first time. */
  readonly referralBonus: Kopecks
  readonly operator: {
    /** Telegram ids of who may use /admin and is told of alarms. */
    readonly ids: readonly number[]
    /** Whom users write to: a name, a link, an address. */
    readonly contact: string | undefined
  }
  /** A folder with `ru.ftl` and `en.ftl`, whose texts replace ours. */
  readonly textsDir: string | undefined
}

export interface YookassaSettings {
  readonly shopId: string
  readonly secretKey: string
  readonly url: string
}

export type Parsed =
  | { readonly ok: true; readonly config: Config }
  /** A line for each bad variable: its name and what to write. */
  | { readonly ok: false; readonly problems: readonly string[] }

const httpUrl = z
  .url({ protocol: /^https?$/, error: 'write an address like https://api.example.com' })
  .transform((url) => url.replace(/\/+$/, ''))

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

function whole(min: number, max: number) {
  const what = `write a whole number from ${min} to ${max}`
  return z
    .string()
    .regex(/^\d{1,9}$/, what)
    .transform(Number)
    .refine((value) => value >= min && value <= max, what)
}

const required = (what: string) => z.string({ error: what }).min(1, what)

interface CatalogFile {
  readonly models: CatalogSettings
  readonly textModels: readonly TextModel[]
}

/** Every key is a model but one: `textModels`. */
const catalogObject = z.looseObject({ textModels: z.unknown().optional() })

const catalogFile = z.string().transform((path, ctx): CatalogFile => {
  try {
    const { textModels = [], ...models } = catalogObject.parse(JSON.parse(readFileSync(path, 'utf8')))
    return { models: catalogSettings.parse(models), textModels: textModelList.parse(textModels) }
  } catch (error) {
    const why = error instanceof z.ZodError ? z.prettifyError(error).replaceAll('\n', ' ') : String(error)
    ctx.addIssue({ code: 'custom', message: `write the path of a readable JSON catalog file (${why})` })
    return z.NEVER
  }
})

const variables = z.object({
  BOT_TOKEN: required('write the token that BotFather gave you, like 123456:ABC-DEF').regex(
    /^\d+:[\w-]{3,}$/,
    'write the token that BotFather gave you, like 123456:ABC-DEF',
  ),
  GATEWAY_URL: httpUrl,
  /** It goes into an HTTP header. */
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
  PORT: whole(0, 65535).optional(),
  LOG_LEVEL: z
    .enum(['silent', 'error', 'warn', 'info', 'debug'], { error: 'write silent, error, warn, info or debug' })
    .default('info'),
  POLL_INTERVAL_MS: whole(50, 60_000).default(3000),
  CATALOG_FILE: catalogFile.default({ models: {}, textModels: [] }),
  WELCOME_CREDIT: roubles.default(0n),
  TOPUP_MIN: positiveRoubles.default(50_00n),
  TOPUP_MAX: positiveRoubles.default(15_000_00n),
  TOPUP_ROUBLES_PER_STAR: z
    .string()
    .regex(/^(?=.*[1-9])\d{1,6}(\.\d{1,6})?$/, 'write what one Star credits in roubles, like 1.20')
    .optional(),
  TOPUP_RUB_PROVIDER_TOKEN: z.string().optional(),
  YOOKASSA_SHOP_ID: z
    .string()
    .regex(/^\d{3,12}$/, 'write the shop number from the YooKassa cabinet')
    .optional(),
  YOOKASSA_SECRET_KEY: z
    .string()
    .regex(/^[\x21-\x7e]+$/, 'write the secret key from the YooKassa cabinet')
    .optional(),
  YOOKASSA_URL: httpUrl.default('https://api.yookassa.ru/v3'),
  RECEIPT_VAT_CODE: whole(1, 12).optional(),
  DAILY_SPEND_CAP: positiveRoubles.optional(),
  CONCURRENT_GENERATIONS: whole(1, 100).default(5),
  REFERRAL_BONUS: roubles.default(0n),
  ADMIN_IDS: z
    .string()
    .regex(/^\d{1,15}(\s*,\s*\d{1,15})*$/, 'write Telegram ids separated by commas, like 12345,67890')
    .transform((text) => text.split(',').map(Number))
    .default([]),
  SUPPORT_CONTACT: z.string().max(200, 'write at most 200 characters').optional(),
  TEXTS_DIR: z
    .string()
    .refine((path) => existsSync(path), 'write the path of a folder with ru.ftl and en.ftl')
    .optional(),
})

/** Compared even when something else is wrong, to be reported together with it. */
const amounts = z.object({ TOPUP_MIN: z.bigint(), TOPUP_MAX: z.bigint() })
const environment = variables.refine((value) => value.TOPUP_MIN <= value.TOPUP_MAX, {
  path: ['TOPUP_MAX'],
  error: 'write an amount that is not below TOPUP_MIN',
  when: ({ value }) => amounts.safeParse(value).success,
})
const shop = z.object({ YOOKASSA_SHOP_ID: z.string().optional(), YOOKASSA_SECRET_KEY: z.string().optional() })
const checked = environment.refine(
  (value) => (value.YOOKASSA_SHOP_ID === undefined) === (value.YOOKASSA_SECRET_KEY === undefined),
  {
    path: ['YOOKASSA_SECRET_KEY'],
    error: 'write both YOOKASSA_SHOP_ID and YOOKASSA_SECRET_KEY, or neither',
    when: ({ value }) => shop.safeParse(value).success,
  },
)

/** Pure but for reading `CATALOG_FILE`. Empty variables count as absent. */
export function parseConfig(env: Readonly<Record<string, string | undefined>>): Parsed {
  const given = Object.fromEntries(
    Object.entries(env).filter(([, value]) => value !== undefined && value !== ''),
  )
  const parsed = checked.safeParse(given)
  if (!parsed.success) return { ok: false, problems: problemsOf(parsed.error) }
  return { ok: true, config: toConfig(parsed.data) }
}

function toConfig(value: z.output<typeof environment>): Config {
  return {
    botToken: value.BOT_TOKEN,
    gatewayUrl: value.GATEWAY_URL,
    gatewayKey: value.GATEWAY_KEY,
    databaseUrl: value.DATABASE_URL,
    telegramApiRoot: value.TELEGRAM_API_ROOT,
    publicUrl: value.PUBLIC_URL,
    port: value.PORT,
    logLevel: value.LOG_LEVEL,
    pollIntervalMs: value.POLL_INTERVAL_MS,
    catalog: value.CATALOG_FILE.models,
    textModels: value.CATALOG_FILE.textModels,
    welcomeCredit: value.WELCOME_CREDIT,
    topUp: {
      min: value.TOPUP_MIN,
      max: value.TOPUP_MAX,
      roublesPerStar: value.TOPUP_ROUBLES_PER_STAR,
      rubProviderToken: value.TOPUP_RUB_PROVIDER_TOKEN,
      yookassa: yookassaOf(value),
      vatCode: value.RECEIPT_VAT_CODE,
    },
    limits: { dailySpend: value.DAILY_SPEND_CAP, concurrent: value.CONCURRENT_GENERATIONS },
    referralBonus: value.REFERRAL_BONUS,
    operator: { ids: value.ADMIN_IDS, contact: value.SUPPORT_CONTACT },
    textsDir: value.TEXTS_DIR,
  }
}

function yookassaOf(value: z.output<typeof environment>): YookassaSettings | undefined {
  const { YOOKASSA_SHOP_ID: shopId, YOOKASSA_SECRET_KEY: secretKey, YOOKASSA_URL: url } = value
  return shopId && secretKey ? { shopId, secretKey, url } : undefined
}

/** One line a variable, however many things are wrong with it. */
function problemsOf(error: z.ZodError): string[] {
  const byName = new Map(error.issues.toReversed().map((issue) => [String(issue.path[0]), issue.message]))
  return [...byName].map(([name, message]) => `${name}: ${message}`).toReversed()
}
