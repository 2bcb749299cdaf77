// The configuration, parsed from the environment. All invalid variables are reported together, each with what to write instead.

import type { z } from 'zod'
import type { CatalogSettings } from './catalog/settings.ts'
import type { TextModel } from './catalog/text-models.ts'
import { environment } from './config/variables.ts'
import type { Kopecks } from './money.ts'
import type { LogLevel } from './runtime/log.ts'

/**
 * - `bot` polls Telegram for updates and handles the updates in the inbox
 * - `web` serves HTTP: updates by webhook, callbacks, payment notifications, files
 * - `worker` runs the background work: the tracker, payments, broadcasts, alarms
 */
export type Role = 'all' | 'bot' | 'worker' | 'web'

export interface Config {
  readonly botToken: string
  readonly gatewayUrl: string
  readonly gatewayKey: string
  /** `postgres://…` or `pglite:./folder`. */
  readonly databaseUrl: string
  readonly telegramApiRoot: string
  /** The public address of `port`; without it the gateway cannot call back, and tasks are only polled. */
  readonly publicUrl: string | undefined
  /** The port to listen on; undefined in the sandbox, which serves the routes itself. */
  readonly port: number | undefined
  /** What this process runs. */
  readonly role: Role
  /** How updates are received: by long polling, or by a webhook at `publicUrl`. */
  readonly updates: 'polling' | 'webhook'
  readonly logLevel: LogLevel
  readonly pollIntervalMs: number
  /** Limit of task requests to the gateway, for all processes together. */
  readonly pollsPerSecond: number
  /** Bearer token for /metrics; undefined disables it. */
  readonly metricsToken: string | undefined
  readonly catalog: CatalogSettings
  readonly textModels: readonly TextModel[]
  /** Credited once to every new user, on the first message. */
  readonly welcomeCredit: Kopecks
  readonly topUp: {
    readonly min: Kopecks
    readonly max: Kopecks
    readonly roublesPerStar: string | undefined
    readonly rubProviderToken: string | undefined
    readonly yookassa: YookassaSettings | undefined
    /** VAT code of fiscal receipts (54-FZ); undefined sends no VAT code. */
    readonly vatCode: number | undefined
  }
  readonly limits: {
    /** Limit of what one user can spend within 24 hours. */
    readonly dailySpend: Kopecks | undefined
    /** Limit of simultaneous generations of one user. */
    readonly concurrent: number
  }
  /** Credited to the inviter when the invited user tops up for the first time. */
  readonly referralBonus: Kopecks
  readonly operator: {
    /** Telegram ids of the operators: they may use /admin and receive alarms. */
    readonly ids: readonly number[]
    /** Support contact shown to users: a name, a link or an address. */
    readonly contact: string | undefined
  }
  /** A folder with `ru.ftl` and `en.ftl`, whose texts replace the built-in ones. */
  readonly textsDir: string | undefined
}

export interface YookassaSettings {
  readonly shopId: string
  readonly secretKey: string
  readonly url: string
}

type Parsed =
  | { readonly ok: true; readonly config: Config }
  /** A line for each invalid variable: its name and what to write. */
  | { readonly ok: false; readonly problems: readonly string[] }

/** Pure, except that it reads `CATALOG_FILE`. Empty variables count as absent. */
export function parseConfig(env: Readonly<Record<string, string | undefined>>): Parsed {
  const given = Object.fromEntries(
    Object.entries(env).filter(([, value]) => value !== undefined && value !== ''),
  )
  const parsed = environment.safeParse(given)
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
    role: value.ROLE,
    updates: value.UPDATES,
    logLevel: value.LOG_LEVEL,
    pollIntervalMs: value.POLL_INTERVAL_MS,
    pollsPerSecond: value.GATEWAY_POLLS_PER_SECOND,
    metricsToken: value.METRICS_TOKEN,
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

/** One line per variable: its first issue. */
function problemsOf(error: z.ZodError): string[] {
  const byName = new Map(error.issues.toReversed().map((issue) => [String(issue.path[0]), issue.message]))
  return [...byName].map(([name, message]) => `${name}: ${message}`).toReversed()
}
