// What follows when a provider says about a payment that it was refunded, which may have happened in its cabinet.

import { noteRefund } from './refunds.ts'
import type { TopUpDeps } from './top-ups.ts'

interface Returned {
  readonly provider: string
  readonly chargeId: string
  readonly topUpId: string
  readonly charge: bigint
  readonly refunded: bigint
}

/** Notes a full refund. A part that was refunded elsewhere is only logged: the bot cannot know what it was for. */
export async function noteReturned(deps: TopUpDeps, returned: Returned): Promise<void> {
  const { provider, chargeId, topUpId: topUp, charge, refunded } = returned
  if (refunded >= charge) await noteRefund(deps, provider, chargeId)
  else if (refunded > 0n) deps.log.error({ topUp, chargeId }, 'payment partly refunded elsewhere')
}
