// What goes on for the operators by itself, in every process: broadcasts and alarms.

import { createAlarms } from '../../operator/alarms.ts'
import { createBroadcaster } from '../../operator/broadcaster.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { Ids } from '../../runtime/ids.ts'
import { copy, tellAlarm, tellEnd } from './outbox.ts'
import type { TellDeps } from './tell.ts'

interface LoopDeps extends TellDeps {
  readonly clock: Clock
  readonly ids: Ids
}

export function createOperatorLoops(deps: LoopDeps, operatorIds: readonly number[]) {
  const broadcaster = createBroadcaster({
    ...deps,
    copy: (broadcast, to) => copy(deps.api, broadcast, to),
    ended: (broadcast) => tellEnd(deps, broadcast),
  })
  const alarms = createAlarms({ ...deps, tell: (news) => tellAlarm(deps, operatorIds, news) })
  return { broadcaster, alarms }
}
