// All checks that are made at the end of a run.

import { everyAnswerArrives } from './answers.ts'
import type { Check, Evidence, Violation } from './check.ts'
import { copiesHaveCauses, everyFailureIsExplained, everythingArrives } from './delivery.ts'
import {
  accountsAgree,
  lossesHaveCauses,
  oneTaskEach,
  ownTask,
  paidIfMade,
  paidWhatWasMade,
} from './gateway.ts'
import { eachEndsOnce, nothingHeld, nothingTwice } from './money.ts'
import { creditedOnce, payersAreTold, welcomedOnce } from './payments.ts'
import { secretsAreKept } from './secrets.ts'
import { everyCommandIsAnswered, inOrder, nothingIsLeft } from './updates.ts'

const checks: readonly Check[] = [
  eachEndsOnce,
  nothingTwice,
  nothingHeld,
  everythingArrives,
  everyFailureIsExplained,
  everyAnswerArrives,
  copiesHaveCauses,
  oneTaskEach,
  ownTask,
  lossesHaveCauses,
  paidIfMade,
  paidWhatWasMade,
  accountsAgree,
  creditedOnce,
  payersAreTold,
  welcomedOnce,
  everyCommandIsAnswered,
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
