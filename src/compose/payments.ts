// Creates the part that handles top-ups: the payment providers of the configuration, and the actions that follow a credited payment.

import type { Api, Bot } from 'grammy'
import { createStarAccount } from '../bot/account/checkout.ts'
import { createReferralReward } from '../bot/account/referral.ts'
import type { Ctx } from '../bot/context.ts'
import type { Config } from '../config.ts'
import type { Database } from '../db/client.ts'
import { createProviders } from '../payments/providers.ts'
import type { TopUpDeps } from '../payments/top-ups.ts'
import type { Runtime } from '../runtime/runtime.ts'

interface Common extends Runtime {
  readonly api: Api
  readonly db: Database
  readonly wakeNotices: () => void
}

export function createTopUps(config: Config, common: Common, bot: Bot<Ctx>): TopUpDeps {
  const { referralBonus: bonus, topUp, pollIntervalMs } = config
  const { min, max, vatCode } = topUp
  return {
    ...common,
    limits: { min, max },
    pollIntervalMs,
    providers: createProviders(topUp.providers, {
      clock: common.clock,
      vatCode,
      returnUrl: () => `https://t.me/${bot.botInfo.username}`,
      starAccount: createStarAccount(common.api),
    }),
    followUp: createReferralReward({ ...common, bonus }),
  }
}
