// All checks that are made at the end of a run.

import { aSecondTapOrdersNothing, everyAgainIsAnswered } from './again.ts'
import {
  everyAnswerIsRight,
  everyPresetIsKept,
  everyRewritingIsRight,
  onlyQuestionsAreAnswered,
} from './answers.ts'
import type { Check, Evidence, Violation } from './check.ts'
import {
  copiesHaveCauses,
  everyBroadcastArrives,
  everyCopyHasItsCause,
  everyDecisionIsTold,
  everyFailureIsExplained,
  everyResultIsExplained,
  everythingArrives,
  givenUpHasCauses,
  noBroadcastComesTwice,
  nothingIsGivenUpEarly,
} from './delivery.ts'
import {
  creditedOnce,
  declinedIsTold,
  eachEndsOnce,
  everyBalanceIsRight,
  everyBonusIsTold,
  everyOrderCostsWhatWasSeen,
  everyRefusalByTheLimitIsRight,
  everyWalletIsRight,
  givenBackIsTold,
  nobodySpendsMoreThanTheCap,
  noMemberSpendsMoreThanTheLimit,
  nothingHeld,
  nothingTwice,
  onePageEach,
  payersAreTold,
  promoLimitsAreKept,
  welcomedOnce,
} from './money.ts'
import { everyOriginalComes } from './originals.ts'
import { secretsAreKept } from './secrets.ts'
import { everythingComesAgain } from './sent-again.ts'
import {
  accountsAgree,
  lossesHaveCauses,
  namedTasksAreDelivered,
  oneTaskEach,
  ownTask,
  paidIfMade,
  paidWhatWasMade,
} from './tasks.ts'
import {
  everyCommandIsAnswered,
  inOrder,
  noneIsMissing,
  nothingIsAnsweredTwice,
  nothingIsLeft,
} from './updates.ts'
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
