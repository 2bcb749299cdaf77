// The values that must not appear in any line of the log.

import type { Config } from '../config.ts'

export function secretsOf(config: Config): string[] {
  const { botToken, gatewayKey, databaseUrl, telegramProxy, topUp, metricsToken } = config
  const passwords = [databaseUrl, telegramProxy].flatMap(passwordsIn)
  const ofProviders = topUp.providers.flatMap(({ secrets }) => secrets)
  return [botToken, gatewayKey, ...passwords, metricsToken, ...ofProviders].filter((one) => one !== undefined)
}

/** The password of an address, as it is written and as it is meant. */
function passwordsIn(address = ''): string[] {
  const password = URL.canParse(address) ? new URL(address).password : ''
  return [password, decodeURIComponent(password)]
}
