// The secrets of the configuration, which the log must not contain.

import type { Config } from '../config.ts'
import { withLiteralPercents } from '../db/address.ts'

export function secretsOf({ botToken, gatewayKey, databaseUrl, topUp, metricsToken }: Config): string[] {
  const password = URL.canParse(databaseUrl) ? new URL(databaseUrl).password : ''
  const { rubProviderToken, yookassa } = topUp
  const all = [botToken, gatewayKey, password, decodeURIComponent(withLiteralPercents(password))]
  return [...all, rubProviderToken, yookassa?.secretKey, metricsToken].filter((one) => one !== undefined)
}
