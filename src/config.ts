// The environment, read once: every bad variable is reported together, with what to write instead.

import type { z } from 'zod'
import type { CatalogSettings } from './catalog/settings.ts'
import type { TextModel } from './catalog/text-models.ts'
import { environment } from './config/variables.ts'
import type { Kopecks } from './money.ts'
import type { LogLevel } from './runtime/log.ts'

/**
 * - `bot` takes Telegram's updates by polling, and handles what is in the inbox
 * - `web` listens: updates by webhook, callbacks, payment notices, files
 * - `worker` does what goes on by itself: the tracker, payments, broadcasts, alarms
 */
export type Role = 'all' | 'bot' | 'worker' | 'web'

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
  /** What this process does; `all` does everything. */
  readonly role: Role
  /** How Telegram's updates come: we ask, or it calls `publicUrl`. */
  readonly updates: 'polling' | 'webhook'
  readonly logLevel: LogLevel
  readonly pollIntervalMs: number
  /** Looks at tasks, by all processes together. */
  readonly pollsPerSecond: number
  /** Who shows it may read /metrics; undefined shows them to nobody. */
  readonly metricsToken: string | undefined
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

/** Pure but for reading `CATALOG_FILE`. Empty variables count as absent. */
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

/** One line a variable, however many things are wrong with it. */
function problemsOf(error: z.ZodError): string[] {
  const byName = new Map(error.issues.toReversed().map((issue) => [String(issue.path[0]), issue.message]))
  return [...byName].map(([name, message]) => `${name}: ${message}`).toReversed()
}
