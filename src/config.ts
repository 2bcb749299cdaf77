// The environment, parsed once: all wrong variables are reported together, each with what to write instead.

import type { z } from 'zod'
import type { Passing } from './catalog/media.ts'
import type { CatalogSettings } from './catalog/settings.ts'
import type { TextModel } from './catalog/text-models.ts'
import type { GatewayWords } from './config/json-file.ts'
import { environment, selfEmployedIn } from './config/variables.ts'
import { formatRoubles, type Kopecks } from './money.ts'
import type { BonusStep } from './payments/bonus-steps.ts'
import { type ConfiguredProvider, configureProviders } from './payments/providers.ts'
import type { Environment } from './runtime/env-values.ts'
import type { LogFormat, LogLevel } from './runtime/log.ts'

/**
 * - `bot` polls Telegram for updates, and handles the updates of the inbox
 * - `web` serves HTTP: the webhook, callbacks, payment notices, files
 * - `worker` runs the background work: the tracker, payments, broadcasts, alarms
 */
export type Role = 'all' | 'bot' | 'worker' | 'web'

export interface Config {
  readonly botToken: string
  readonly gatewayUrl: string
  readonly gatewayKey: string
  /** `postgres://…` or `pglite:./folder`. */
  readonly databaseUrl: string
  /** The most connections, without the one that listens for notifications. */
  readonly databaseConnections: number
  readonly telegramApiRoot: string
  /** The address of a proxy for all requests to the Bot API, with its user and password. */
  readonly telegramProxy: string | undefined
  /** The address at which the outside reaches `port`. Without it the gateway cannot call back, and tasks are only polled. */
  readonly publicUrl: string | undefined
  /** Undefined opens no port (the sandbox serves our routes itself). */
  readonly port: number | undefined
  /** The address of this machine at which `port` is opened. */
  readonly host: string
  /** The parts of the app that this process runs. */
  readonly role: Role
  /** How updates arrive: this app polls Telegram, or Telegram calls `publicUrl`. */
  readonly updates: 'polling' | 'webhook'
  readonly logLevel: LogLevel
  /** Undefined means readable lines when the log is written to a terminal, else JSON. */
  readonly logFormat: LogFormat | undefined
  readonly passing: Passing
  /** Hosts with ports, like `10.0.0.5:9000`, to which links of users may lead although their addresses are not public. */
  readonly privateLinkHosts: readonly string[]
  readonly pollIntervalMs: number
  /** The most requests for the state of tasks in a second, by all processes together. */
  readonly pollsPerSecond: number
  /** Needed to read /metrics; undefined closes that route. */
  readonly metricsToken: string | undefined
  readonly catalog: CatalogSettings
  /** What statuses and words of the gateway mean. */
  readonly gatewayWords: GatewayWords
  readonly textModels: readonly TextModel[]
  /** The credit that a user gets once, on the first message. */
  readonly welcomeCredit: Kopecks
  readonly topUp: {
    readonly min: Kopecks
    readonly max: Kopecks
    /** The VAT code of fiscal receipts (54-FZ); undefined sends no receipts. */
    readonly vatCode: number | undefined
    /** What larger top-ups bring beside their credit. */
    readonly bonusSteps: readonly BonusStep[]
    readonly providers: readonly ConfiguredProvider[]
    /** A self-employed operator, whose sales get receipts at the tax service. */
    readonly selfEmployed: ReturnType<typeof selfEmployedIn>
  }
  readonly limits: {
    /** Limit of what one user can spend in a day. */
    readonly dailySpend: Kopecks | undefined
    /** Limit of simultaneous generations of one user. */
    readonly concurrent: number
    /** The zone whose days count. */
    readonly timeZone: string
  }
  /** After so many orders in a row whose results cannot be downloaded, their model is not sold for a while; 0 for never. */
  readonly stopAfterLostResults: number
  /** Given to the inviter when the invited user tops up for the first time. */
  readonly referralBonus: Kopecks
  /** The percentage of each top-up of an invited user that the inviter gets; 0 for none. */
  readonly referralPercent: number
  /** How many payments of an invited user bring these percents; undefined for all. */
  readonly referralPayments: number | undefined
  /** The bonus of a new user who came by an invitation, beside the welcome credit. */
  readonly invitedBonus: Kopecks
  readonly operator: {
    /** The version of the terms that users agree to before they pay; undefined asks nobody. */
    readonly consentVersion: string | undefined
    /** Telegram ids of operators: they may do everything at the desk, and receive the alarms. */
    readonly ids: readonly number[]
    /** Telegram ids of people who answer users: see bot/admin/rights.ts. */
    readonly supportIds: readonly number[]
    /** What each of them may refund in a calendar day. */
    readonly supportRefundLimit: Kopecks
    /** The id of the operators' group, where they are told of everything; undefined tells each of them in the private chat. */
    readonly chat: number | undefined
    /** Where users get help: a name, a link or an address. */
    readonly contact: string | undefined
    /** The time zone of the operators' days and times, like `Europe/Moscow`. */
    readonly timeZone: string
    /** The hour of the day from which the operators get the summary of yesterday; undefined sends none. */
    readonly summaryHour: number | undefined
  }
  /** A folder with `ru.ftl` and `en.ftl`, whose texts replace the built-in ones. */
  readonly textsDir: string | undefined
}

type Parsed =
  | { readonly ok: true; readonly config: Config }
  /** One line for each wrong variable: its name and what to write. */
  | { readonly ok: false; readonly problems: readonly string[] }

/** Everybody who has a role at the desk. */
export const staffOf = ({ ids, supportIds }: Pick<Config['operator'], 'ids' | 'supportIds'>): number[] => [
  ...new Set([...ids, ...supportIds]),
]

/** Parses the environment. Pure except that it reads the files that variables name. An empty variable counts as not set. */
export function parseConfig(env: Environment): Parsed {
  const given = Object.fromEntries(
    Object.entries(env).filter(([, value]) => value !== undefined && value !== ''),
  )
  const parsed = environment.safeParse(given)
  const { configured, issues } = configureProviders(given)
  const ofProviders = [...issues, ...unusable(configured, given)]
  if (parsed.success && ofProviders.length === 0)
    return { ok: true, config: toConfig(parsed.data, configured) }
  return { ok: false, problems: problemsOf([...(parsed.error?.issues ?? []), ...ofProviders]) }
}

/** An issue for each provider by which nobody could top up, since it takes only amounts above the limit. */
function unusable(configured: readonly ConfiguredProvider[], { TOPUP_MAX }: Environment): z.core.$ZodIssue[] {
  const { data: max } = environment.shape.TOPUP_MAX.safeParse(TOPUP_MAX)
  return configured.flatMap(({ id, minCredit }) => {
    if (max === undefined || minCredit <= max) return []
    const message = `write at least ${formatRoubles(minCredit)}, the least amount of ${id}, or switch that payment method off`
    return [{ code: 'custom', path: ['TOPUP_MAX'], message, input: TOPUP_MAX }]
  })
}

function toConfig(value: z.output<typeof environment>, providers: readonly ConfiguredProvider[]): Config {
  return {
    botToken: value.BOT_TOKEN,
    gatewayUrl: value.GATEWAY_URL,
    gatewayKey: value.GATEWAY_KEY,
    databaseUrl: value.DATABASE_URL,
    databaseConnections: value.DATABASE_CONNECTIONS,
    telegramApiRoot: value.TELEGRAM_API_ROOT,
    telegramProxy: value.TELEGRAM_PROXY,
    publicUrl: value.PUBLIC_URL,
    port: value.PORT,
    host: value.HOST,
    role: value.ROLE,
    updates: value.UPDATES,
    logLevel: value.LOG_LEVEL,
    logFormat: value.LOG_FORMAT,
    passing: {
      picturesAsLinks: value.PICTURES_AS === 'links',
      maxInlineBytes: value.REQUEST_FILE_MB * 1024 * 1024,
      maxInlineTotal: value.REQUEST_FILES_MB * 1024 * 1024,
    },
    privateLinkHosts: value.PRIVATE_LINK_HOSTS,
    pollIntervalMs: value.POLL_INTERVAL_MS,
    pollsPerSecond: value.GATEWAY_POLLS_PER_SECOND,
    metricsToken: value.METRICS_TOKEN,
    catalog: value.CATALOG_FILE.models,
    gatewayWords: value.GATEWAY_WORDS_FILE,
    textModels: value.CATALOG_FILE.textModels,
    welcomeCredit: value.WELCOME_CREDIT,
    topUp: {
      min: value.TOPUP_MIN,
      max: value.TOPUP_MAX,
      vatCode: value.RECEIPT_VAT_CODE,
      bonusSteps: value.TOPUP_BONUS,
      providers,
      selfEmployed: selfEmployedIn(value),
    },
    limits: {
      dailySpend: value.DAILY_SPEND_CAP,
      concurrent: value.CONCURRENT_GENERATIONS,
      timeZone: value.OPERATOR_TIME_ZONE,
    },
    stopAfterLostResults: value.STOP_AFTER_LOST_RESULTS,
    referralBonus: value.REFERRAL_BONUS,
    referralPercent: value.REFERRAL_PERCENT,
    referralPayments: value.REFERRAL_PAYMENTS,
    invitedBonus: value.INVITED_BONUS,
    operator: {
      ids: value.ADMIN_IDS,
      supportIds: value.SUPPORT_IDS,
      supportRefundLimit: value.SUPPORT_REFUND_LIMIT,
      chat: value.ADMIN_CHAT,
      contact: value.SUPPORT_CONTACT,
      timeZone: value.OPERATOR_TIME_ZONE,
      summaryHour: value.SUMMARY_HOUR,
      consentVersion: value.CONSENT_VERSION,
    },
    textsDir: value.TEXTS_DIR,
  }
}

/** One line for each wrong variable, with the first of its issues, and one for each wrong place in a file that a variable names. */
function problemsOf(issues: readonly z.core.$ZodIssue[]): string[] {
  const byPlace = Map.groupBy(issues, ({ path }) => path.join(' '))
  return [...byPlace.values()].flatMap(([first, ...others]) => {
    if (!first) return []
    const shown = first.path.length > 1 ? [first, ...others] : [first]
    return shown.map(({ path, message }) => `${String(path[0])}: ${message}`)
  })
}

/** The values that must not appear in any line of the log. */
export function secretsOf(config: Config): string[] {
  const { botToken, gatewayKey, databaseUrl, telegramProxy, topUp, metricsToken } = config
  const passwords = [databaseUrl, telegramProxy].flatMap(passwordsIn)
  const ofProviders = topUp.providers.flatMap(({ secrets }) => secrets)
  const { password } = topUp.selfEmployed ?? {}
  return [botToken, gatewayKey, ...passwords, metricsToken, ...ofProviders, password].filter(
    (one) => one !== undefined,
  )
}

/** The password of an address, as it is written and as it is meant. */
function passwordsIn(address = ''): string[] {
  const password = URL.canParse(address) ? new URL(address).password : ''
  return [password, decodeURIComponent(password)]
}
