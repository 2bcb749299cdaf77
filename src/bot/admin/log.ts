// /admin log: the last actions of operators.

import { type LoggedAction, readLog } from '../../operator/actions.ts'
import { cutTo } from '../../runtime/cut-text.ts'
import { localTime } from '../../runtime/time-zone.ts'
import type { Say } from '../../texts.ts'
import { builtInReason, reasonText } from '../balance-text.ts'
import type { BotDeps, Ctx } from '../context.ts'
import { reply } from '../responses.ts'

const mostShown = 20
const longestMessage = 4000

export async function showLog(deps: BotDeps, ctx: Ctx): Promise<void> {
  const actions = await readLog(deps, mostShown)
  if (actions.length === 0) return reply(ctx, ctx.say.html('admin-log-empty'))
  const lines = actions.map((one) => lineOf(deps, ctx.say, one))
  while (lines.join('\n').length > longestMessage) lines.pop()
  await reply(ctx, lines.join('\n'))
}

function lineOf(deps: BotDeps, say: Say, logged: LoggedAction): string {
  const { createdAt, operatorId, action, subject, reason, details } = logged
  const { amount } = details
  return say.html('admin-log-line', {
    time: localTime(createdAt, deps.operator.timeZone),
    who: operatorId === null ? 'npm run admin' : String(operatorId),
    action,
    subject,
    amount: typeof amount === 'string' ? say.roubles(BigInt(amount)) : '',
    reason: cutTo(reasonOf(deps, say, reason ?? ''), 200),
  })
}

/** The stored text of a refund after a report addresses the user, so operators see another text. */
const reasonOf = (deps: BotDeps, say: Say, stored: string): string =>
  builtInReason(deps, stored) === 'refund-by-report'
    ? say.plain('admin-reason-report')
    : reasonText(deps, say, stored)
