// Top-ups: the payment providers of the configuration, and what a credited payment triggers.

import type { Api, Bot } from 'grammy'
import { createReferralReward } from '../bot/account/referral.ts'
import { createStarAccount } from '../bot/account/star-account.ts'
import type { Ctx } from '../bot/context.ts'
import type { Config } from '../config.ts'
import type { Database } from '../db/client.ts'
import type { Provider } from '../payments/provider.ts'
import { createStars } from '../payments/stars.ts'
import { createTelegramRub } from '../payments/telegram-rub.ts'
import type { TopUpDeps } from '../payments/top-ups.ts'
import { createYookassa } from '../payments/yookassa.ts'
import type { Surroundings } from '../runtime/runtime.ts'

interface Common extends Surroundings {
  readonly api: Api
  readonly db: Database
  readonly noticed: () => void
}

export function createTopUps(config: Config, common: Common, bot: Bot<Ctx>): TopUpDeps {
  const { referralBonus: bonus, topUp: limits, pollIntervalMs } = config
  return {
    ...common,
    limits,
    pollIntervalMs,
    providers: providersOf(config, common, () => `https://t.me/${bot.botInfo.username}`),
    onCredited: createReferralReward({ ...common, bonus }),
  }
}

/** Stars come first: Telegram allows no other payment for digital goods. */
function providersOf({ topUp }: Config, { api, clock }: Common, returnUrl: () => string): Provider[] {
  const { roublesPerStar, rubProviderToken, yookassa: settings, vatCode } = topUp
  return [
    ...(roublesPerStar ? [createStars(roublesPerStar, createStarAccount(api))] : []),
    ...(rubProviderToken ? [createTelegramRub(rubProviderToken, vatCode)] : []),
    ...(settings ? [createYookassa({ settings, vatCode, clock, returnUrl })] : []),
  ]
}
