// All mutants.

import { againMutants } from './again.ts'
import { answerMutants } from './answers.ts'
import { giftMutants } from './gifts.ts'
import { lossMutants } from './losses.ts'
import { moneyMutants } from './money.ts'
import type { Mutant } from './mutant.ts'
import { orderMutants } from './orders.ts'
import { paymentMutants } from './payments.ts'
import { presetMutants } from './presets.ts'
import { resultMutants } from './results.ts'
import { strangersMutants } from './strangers.ts'
import { telegramMutants } from './telegram.ts'
import { togetherMutants } from './together.ts'
import { walletMutants } from './wallets.ts'

export const mutants: readonly Mutant[] = [
  ...moneyMutants,
  ...orderMutants,
  ...telegramMutants,
  ...lossMutants,
  ...paymentMutants,
  ...resultMutants,
  ...againMutants,
  ...answerMutants,
  ...presetMutants,
  ...walletMutants,
  ...giftMutants,
  ...strangersMutants,
  ...togetherMutants,
]
