// The values that must not appear in any line of the log.

import type { Config } from '../config.ts'

export function secretsOf({ botToken, gatewayKey, databaseUrl, topUp, metricsToken }: Config): string[] {
  const password = URL.canParse(databaseUrl) ? new URL(databaseUrl).password : ''
  const all = [botToken, gatewayKey, password, decodeURIComponent(password), metricsToken]
  const ofProviders = topUp.providers.flatMap(({ secrets }) => secrets)
  return [...all, ...ofProviders].filter((one) => one !== undefined)
}
