// A reported problem as operators see it: what the user says, and the result itself.

import type { DeliveryDeps } from '../../delivery/job.ts'
import { resend } from '../../delivery/resend.ts'
import type { Generation } from '../../generations/generation.ts'
import type { Report } from '../../operator/reports.ts'
import type { Say } from '../../texts.ts'

export const problemText = (say: Say, { reason, said }: Pick<Report, 'reason' | 'said'>): string =>
  reason ? say.plain(`problem-${reason}`) : said

/** Sends the result to an operator. A failure is only logged: the report is shown without the result. */
export async function showResult(
  deps: DeliveryDeps,
  generation: Generation,
  operatorId: number,
  say: Say,
): Promise<void> {
  const location = { chatId: operatorId, topicId: null }
  await resend(deps, generation, location, say, { caption: '' }).catch((error: unknown) => {
    deps.log.warn({ generation: generation.id, error }, 'an operator is not shown a result')
  })
}
