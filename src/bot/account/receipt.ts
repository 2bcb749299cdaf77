// The receipt of one order: the request, the parts of the price, and where the money went.

import { InlineKeyboard } from 'grammy'
import { readParts } from '../../catalog/price.ts'
import type { Report } from '../../operator/reports.ts'
import type { DeliveryDeps } from '../../orders/deliver/job.ts'
import { titleOf } from '../../orders/deliver/messages.ts'
import { resend } from '../../orders/deliver/resend.ts'
import { type Generation, isByWallet } from '../../orders/generation.ts'
import { type Receipt, shownStateOf } from '../../orders/history.ts'
import { cutTo } from '../../runtime/text.ts'
import { fitted } from '../../telegram/button-rows.ts'
import { localMinute, plainDay } from '../../telegram/local-time.ts'
import type { ChatLocation } from '../../telegram/send.ts'
import { taps } from '../../telegram/taps.ts'
import type { Say } from '../../texts.ts'
import { partsText } from '../cards/answer-text.ts'
import type { BotDeps } from '../context.ts'

export function receiptText(
  { catalog }: Pick<BotDeps, 'catalog'>,
  say: Say,
  receipt: Receipt,
  { report, prompt }: { readonly report?: Report | undefined; readonly prompt?: number } = {},
): string {
  const { generation } = receipt
  const model = catalog.find(generation.modelId)
  const details = [...timesText(receipt, say), ...idsText(receipt, say)].join('\n')
  return [
    titleOf({ say, generation, model }, prompt, plainDay(say, generation.createdAt)).html,
    [say.html(`history-${shownStateOf(generation)}`), ...reasonText(receipt, say)].join('\n'),
    moneyText(receipt, say).join('\n'),
    say.html('receipt-details', { lines: { html: details } }),
    ...(report ? [say.html(`receipt-report-${report.state}`)] : []),
  ].join('\n\n')
}

function reasonText({ generation: { reason, said } }: Receipt, say: Say): string[] {
  return [
    ...(reason ? [say.html(`failure-${reason}`)] : []),
    ...(said ? [say.html('failure-said', { said })] : []),
  ]
}

function moneyText({ generation, quote, charged, returned }: Receipt, say: Say): string[] {
  const amount = say.roubles(generation.amount)
  const parts = partsText(readParts(quote.parts), quote.amount, say)
  const { refunded } = generation
  // What was charged in full is named once.
  const isWhole = returned === 0n
  const [price, priceOf] = isWhole
    ? (['receipt-charged', 'receipt-charged-of'] as const)
    : (['card-price', 'card-price-of'] as const)
  return [
    say.html(parts ? priceOf : price, { amount, parts }),
    ...(isByWallet(generation) ? [say.html('receipt-wallet')] : []),
    ...(returned === undefined || isWhole
      ? []
      : [say.html('receipt-charged', { amount: say.roubles(charged) })]),
    ...(returned ? [say.html('receipt-returned', { amount: say.roubles(returned) })] : []),
    ...(refunded ? [say.html('receipt-refunded', { amount: say.roubles(refunded) })] : []),
  ]
}

function timesText({ generation }: Receipt, say: Say): string[] {
  const { createdAt, settledAt, arrivedLateAt, deliveredAt, state } = generation
  const at = (time: Date) => localMinute(say, time)
  const isDone = state === 'succeeded'
  const isLater = deliveredAt && settledAt && minuteOf(deliveredAt) > minuteOf(settledAt)
  return [
    say.html('receipt-ordered', { time: at(createdAt) }),
    ...(settledAt ? [say.html(isDone ? 'receipt-made' : 'receipt-ended', { time: at(settledAt) })] : []),
    ...(isLater && (isDone || arrivedLateAt)
      ? [say.html('receipt-delivered', { time: at(deliveredAt) })]
      : []),
  ]
}

const idsText = ({ generation: { id, taskId }, seeds }: Receipt, say: Say): string[] => [
  say.html('receipt-id', { id }),
  ...(taskId ? [say.html('receipt-task', { task: taskId })] : []),
  ...(seeds.length > 0 ? [say.html('receipt-seed', { seeds: seeds.join(', ') })] : []),
]

const minuteOf = (time: Date): number => Math.floor(time.getTime() / 60_000)

// A reported problem as operators see it: what the user says, and the result itself.

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

export const reportKeyboard = (
  say: Say,
  user: string,
  { id: reportId, userId }: Report,
  { charged }: Receipt,
): InlineKeyboard =>
  fitted(
    new InlineKeyboard()
      .text(
        say.plain('button-refund', { amount: say.roubles(charged) }),
        taps.refundReport.data({ reportId }),
      )
      .text(say.plain('button-decline'), taps.declineReport.data({ reportId }))
      .row()
      .text(say.plain('button-answer-report'), taps.answerReport.data({ reportId }))
      .text(cutTo(user, 40), taps.showUser.data({ userId })),
  )

/** Code points of a prompt, which fit into one message beside the words of the user. */
const mostOfPrompt = 1500

/** Sends the result to an operator. A failure is only logged: the report is shown without the result. */
export async function showResult(
  deps: DeliveryDeps,
  generation: Generation,
  location: ChatLocation,
  say: Say,
): Promise<void> {
  await resend(deps, generation, location, say, { caption: '' }).catch((error: unknown) => {
    deps.log.warn({ generation: generation.id, error }, 'an operator is not shown a result')
  })
}
