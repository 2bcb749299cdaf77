// The summary of yesterday, which the operators get once a day, from the hour in the settings on.

import type { Config } from '../../config.ts'
import { readFigures } from '../../operator/figures.ts'
import { type Period, readPeriod } from '../../operator/periods.ts'
import { type Clock, hourMs, localTime, minuteMs } from '../../runtime/clock.ts'
import type { Ids } from '../../runtime/ids.ts'
import { createLoop, type Loop } from '../../runtime/loop.ts'
import { htmlWithoutPreview } from '../../telegram/send.ts'
import { takeLeaderLease } from '../../updates/polling.ts'
import { tellOperators } from './group.ts'
import type { Deps } from './outgoing.ts'
import { namesOf } from './texts.ts'

type SummaryDeps = Deps & { readonly clock: Clock; readonly ids: Ids }
type Settings = Pick<Config, 'operator' | 'topUp'>

/** @returns no loop without the setting */
export function createSummaries(deps: SummaryDeps, config: Settings): readonly Loop[] {
  const { timeZone, summaryHour } = config.operator
  if (summaryHour === undefined) return []
  const pass = async () => {
    const now = deps.clock.now()
    const yesterday = readPeriod('yesterday', now, timeZone)
    const today = readPeriod('today', now, timeZone)
    if (!yesterday || !today || Number(localTime(now, timeZone).slice(11, 13)) < summaryHour) return false
    // Whoever takes the lease sends the summary, and keeps the lease for the rest of the day. When that process ends before, or reaches
    // nobody, the lease ends after an hour, and another attempt follows.
    const holder = deps.ids.next()
    const keep = (ms: number) => takeLeaderLease(deps, 'summary', holder, ms)
    if ((await keep(hourMs)) && (await tellSummary(deps, config, yesterday)))
      await keep(today.until.getTime() - now.getTime())
    return false
  }
  return [createLoop(deps, { pass, idleMs: minuteMs, failed: 'the daily summary cannot be sent' })]
}

async function tellSummary(deps: Deps, { operator, topUp }: Settings, day: Period): Promise<boolean> {
  const { total, owed, revenue, refunds, margin } = await readFigures(deps.db, day, topUp.providers)
  const { came, ordered, paid, done, failed } = total
  return tellOperators({ ...deps, operator }, 'reports', ({ chatId, into, say }) => {
    const text = say.html('admin-summary', {
      ...namesOf(day),
      ...{ came, ordered, paid, failed, ended: done + failed },
      topUps: say.roubles(owed.topUps),
      revenue: say.roubles(revenue),
      refunds: say.roubles(refunds),
      margin: say.roubles(margin),
    })
    return deps.api.sendMessage(chatId, text, { ...htmlWithoutPreview, ...into })
  })
}
