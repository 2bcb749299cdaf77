// All checks that are made at the end of a run.

import { aSecondTapOrdersNothing, everyAgainIsAnswered } from './again.ts'
import { everyAnswerIsRight } from './answers.ts'
import { everyBalanceIsRight, everyOrderCostsWhatWasSeen, nobodySpendsMoreThanTheCap } from './balances.ts'
import { everyResultIsExplained } from './captions.ts'
import type { Check, Evidence, Violation } from './check.ts'
import {
  copiesHaveCauses,
  everyCopyHasItsCause,
  everyFailureIsExplained,
  everythingArrives,
  givenUpHasCauses,
} from './delivery.ts'
import {
  accountsAgree,
  lossesHaveCauses,
  namedTasksAreDelivered,
  oneTaskEach,
  ownTask,
  paidIfMade,
  paidWhatWasMade,
} from './gateway.ts'
import { everyBonusIsTold, promoLimitsAreKept } from './gifts.ts'
import { nothingIsGivenUpEarly } from './given-up.ts'
import { eachEndsOnce, nothingHeld, nothingTwice } from './money.ts'
import { everyOriginalComes } from './originals.ts'
import {
  creditedOnce,
  declinedIsTold,
  givenBackIsTold,
  onePageEach,
  payersAreTold,
  welcomedOnce,
} from './payments.ts'
import { everyPresetIsKept } from './presets.ts'
import { everyRewritingIsRight } from './rewriting.ts'
import { secretsAreKept } from './secrets.ts'
import { everythingComesAgain } from './sent-again.ts'
import { everyBroadcastArrives, everyDecisionIsTold, noBroadcastComesTwice } from './told.ts'
import { onlyQuestionsAreAnswered } from './unmeant.ts'
import {
  everyCommandIsAnswered,
  inOrder,
  noneIsMissing,
  nothingIsAnsweredTwice,
  nothingIsLeft,
} from './updates.ts'
import {
  everyRefusalByTheLimitIsRight,
  everyWalletIsRight,
  noMemberSpendsMoreThanTheLimit,
} from './wallets.ts'
import { everyWithdrawalIsKept } from './withdrawn.ts'

const checks: readonly Check[] = [
  eachEndsOnce,
  nothingTwice,
  nothingHeld,
  everythingArrives,
  everyResultIsExplained,
  givenUpHasCauses,
  everyFailureIsExplained,
  everythingComesAgain,
  everyOriginalComes,
  everyWithdrawalIsKept,
  everyPresetIsKept,
  everyAgainIsAnswered,
  aSecondTapOrdersNothing,
  everyAnswerIsRight,
  onlyQuestionsAreAnswered,
  everyRewritingIsRight,
  copiesHaveCauses,
  everyCopyHasItsCause,
  oneTaskEach,
  ownTask,
  lossesHaveCauses,
  paidIfMade,
  paidWhatWasMade,
  accountsAgree,
  namedTasksAreDelivered,
  nothingIsGivenUpEarly,
  creditedOnce,
  payersAreTold,
  givenBackIsTold,
  declinedIsTold,
  onePageEach,
  welcomedOnce,
  promoLimitsAreKept,
  everyBonusIsTold,
  everyOrderCostsWhatWasSeen,
  everyBalanceIsRight,
  nobodySpendsMoreThanTheCap,
  everyWalletIsRight,
  noMemberSpendsMoreThanTheLimit,
  everyRefusalByTheLimitIsRight,
  everyDecisionIsTold,
  everyBroadcastArrives,
  noBroadcastComesTwice,
  everyCommandIsAnswered,
  noneIsMissing,
  nothingIsAnsweredTwice,
  nothingIsLeft,
  inOrder,
  secretsAreKept,
]

export async function findViolations(evidence: Evidence): Promise<Violation[]> {
  const found = await Promise.all(
    checks.map(async ({ name, find }) => (await find(evidence)).map((one) => ({ check: name, ...one }))),
  )
  return found.flat()
}
