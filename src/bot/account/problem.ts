// A reported problem as operators see it: what the user says, and the result itself.

import type { DeliveryDeps } from '../../delivery/job.ts'
import { resend } from '../../delivery/resend.ts'
import type { Generation } from '../../generations/generation.ts'
import type { Receipt } from '../../generations/history.ts'
import type { Report } from '../../operator/reports.ts'
import type { Say } from '../../texts.ts'
import type { BotDeps } from '../context.ts'
import { receiptText } from './receipt.ts'

const problemText = (say: Say, { reason, said }: Pick<Report, 'reason' | 'said'>): string =>
  reason ? say.plain(`problem-${reason}`) : said

/** The problem and the receipt of the order, with more of its prompt than the user's own receipt shows. */
export function reportText(
  deps: Pick<BotDeps, 'catalog'>,
  say: Say,
  user: string,
  report: Report,
  receipt: Receipt,
): string {
  const problem = say.html('report-to-operator', { user, said: problemText(say, report) })
  return `${problem}\n\n${receiptText(deps, say, receipt, { prompt: mostOfPrompt })}`
}

/** Code points of a prompt, which fit into one message beside the words of the user. */
const mostOfPrompt = 1500

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
