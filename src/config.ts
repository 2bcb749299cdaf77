// The environment, parsed once: all wrong variables are reported together, each with what to write instead.

import type { z } from 'zod'
import { environment, selfEmployedIn } from './config/variables.ts'
import { formatRoubles } from './money.ts'
import { type ConfiguredProvider, configureProviders } from './payments/providers.ts'
import type { Environment } from './runtime/env-values.ts'

/** What a process runs: see docs/operating.md. */
export type Role = Config['role']

/** The settings of the app; docs/configuration.md explains each variable. */
export type Config = ReturnType<typeof toConfig>

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

type Values = z.output<typeof environment>

function toConfig(value: Values, providers: readonly ConfiguredProvider[]) {
  return {
    botToken: value.BOT_TOKEN,
    gatewayUrl: value.GATEWAY_URL,
    gatewayKey: value.GATEWAY_KEY,
    /** `postgres://…` or `pglite:./folder`. */
    databaseUrl: value.DATABASE_URL,
    /** The most connections, without the one that listens for notifications. */
    databaseConnections: value.DATABASE_CONNECTIONS,
    telegramApiRoot: value.TELEGRAM_API_ROOT,
    telegramProxy: value.TELEGRAM_PROXY,
    /** The address at which the outside reaches `port`. Without it the gateway cannot call back, and tasks are only polled. */
    publicUrl: value.PUBLIC_URL,
    /** Undefined opens no port (the sandbox serves our routes itself). */
    port: value.PORT,
    host: value.HOST,
    role: value.ROLE,
    updates: value.UPDATES,
    logLevel: value.LOG_LEVEL,
    /** Undefined means readable lines when the log is written to a terminal, else JSON. */
    logFormat: value.LOG_FORMAT,
    passing: {
      picturesAsLinks: value.PICTURES_AS === 'links',
      maxInlineBytes: value.REQUEST_FILE_MB * 1024 * 1024,
      maxInlineTotal: value.REQUEST_FILES_MB * 1024 * 1024,
    },
    /** Hosts with ports, like `10.0.0.5:9000`, to which links of users may lead although their addresses are not public. */
    privateLinkHosts: value.PRIVATE_LINK_HOSTS,
    pollIntervalMs: value.POLL_INTERVAL_MS,
    /** The most requests for the state of tasks in a second, by all processes together. */
    pollsPerSecond: value.GATEWAY_POLLS_PER_SECOND,
    /** Needed to read /metrics; undefined closes that route. */
    metricsToken: value.METRICS_TOKEN,
    catalog: value.CATALOG_FILE.models,
    gatewayWords: value.GATEWAY_WORDS_FILE,
    textModels: value.CATALOG_FILE.textModels,
    welcomeCredit: value.WELCOME_CREDIT,
    topUp: topUpOf(value, providers),
    limits: {
      dailySpend: value.DAILY_SPEND_CAP,
      concurrent: value.CONCURRENT_GENERATIONS,
      /** The zone whose days count. */
      timeZone: value.OPERATOR_TIME_ZONE,
    },
    /** After so many orders in a row whose results cannot be downloaded, their model is not sold for a while; 0 for never. */
    stopAfterLostResults: value.STOP_AFTER_LOST_RESULTS,
    referralBonus: value.REFERRAL_BONUS,
    referralPercent: value.REFERRAL_PERCENT,
    /** How many payments of an invited user bring these percents; undefined for all. */
    referralPayments: value.REFERRAL_PAYMENTS,
    invitedBonus: value.INVITED_BONUS,
    operator: operatorOf(value),
    textsDir: value.TEXTS_DIR,
  }
}

const topUpOf = (value: Values, providers: readonly ConfiguredProvider[]) => ({
  min: value.TOPUP_MIN,
  max: value.TOPUP_MAX,
  /** The VAT code of fiscal receipts (54-FZ); undefined sends no receipts. */
  vatCode: value.RECEIPT_VAT_CODE,
  bonusSteps: value.TOPUP_BONUS,
  providers,
  selfEmployed: selfEmployedIn(value),
})

const operatorOf = (value: Values) => ({
  /** Telegram ids of operators: they may do everything at the desk, and receive the alarms. */
  ids: value.ADMIN_IDS,
  /** Telegram ids of people who answer users: see bot/admin/rights.ts. */
  supportIds: value.SUPPORT_IDS,
  /** What each of them may refund in a calendar day. */
  supportRefundLimit: value.SUPPORT_REFUND_LIMIT,
  /** The id of the operators' group; undefined tells each of them in the private chat. */
  chat: value.ADMIN_CHAT,
  contact: value.SUPPORT_CONTACT,
  timeZone: value.OPERATOR_TIME_ZONE,
  /** The hour of the day from which the operators get the summary of yesterday; undefined sends none. */
  summaryHour: value.SUMMARY_HOUR,
  /** The version of the terms that users agree to before they pay; undefined asks nobody. */
  consentVersion: value.CONSENT_VERSION,
})

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
