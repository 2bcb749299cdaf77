// The text of the status message of a generation.

import { promptInRequest } from '../catalog/request.ts'
import { type Generation, isByWallet } from '../generations/generation.ts'
import { localTime } from '../telegram/local-time.ts'
import { escapeHtml, type Html, type Say } from '../texts.ts'
import { lastLookMs, submitDeadlineMs } from '../tracker/pace.ts'
import { deadlineOf } from '../tracker/run-limits.ts'
import type { Subject } from './job.ts'

/** Facts about a waiting order that are not in its row. */
export interface WaitingFacts {
  readonly outageSince?: Date | undefined
  /** The number of orders before it in the queue. */
  readonly ahead?: number
  /** How long orders of the model usually take. */
  readonly usualMs?: number | undefined
}

/** An ended order has its own message with the request and the price, so the status does not repeat them. */
export function statusText(subject: Subject, facts: WaitingFacts, now: Date): string {
  const { say, generation } = subject
  const state = stateText(say, generation, facts, now)
  return hasMessageOfItsOwn(generation)
    ? state
    : say.html('status', { title: titleOf(subject), state: { html: state } })
}

/** Whether the result, or the explanation of the failure, has come in a message of its own or is going to. */
function hasMessageOfItsOwn({ state, reason, delivery }: Generation): boolean {
  if (state === 'succeeded') return delivery === 'delivered'
  return state === 'failed' || (state === 'canceled' && reason !== 'withdrawn')
}

/** The dependencies of the texts about an order. */
type Named = Pick<Subject, 'say' | 'generation' | 'model'>

/** The name of the model with the prompt. @param limit cuts the prompt to this number of code points */
export function titleOf(subject: Named, limit?: number): Html {
  const name = escapeHtml(modelName(subject))
  const prompt = promptInRequest(subject.generation.request, limit)
  return {
    html: prompt ? `<b>${name}</b>\n<blockquote>${escapeHtml(prompt)}</blockquote>` : `<b>${name}</b>`,
  }
}

export const modelName = ({ say, model, generation }: Named): string =>
  model ? say.label(model.label) : generation.modelId

function stateText(say: Say, generation: Generation, facts: WaitingFacts, now: Date): string {
  const { state, amount, arrivedLateAt, reason } = generation
  switch (state) {
    case 'held':
    case 'submitting':
      return heldText(say, generation, facts, now)
    case 'running':
      return runningText(say, generation, facts, now)
    case 'unknown':
      return say.html(isByWallet(generation) ? 'status-unknown-wallet' : 'status-unknown', {
        amount: say.roubles(amount),
      })
    case 'succeeded':
      return succeededText(say, generation, now)
    case 'failed':
    case 'canceled':
      if (arrivedLateAt) return say.html('status-late')
      return reason === 'withdrawn' ? withdrawnText(say, generation) : failedText(say, generation)
  }
}

const failedText = (say: Say, generation: Generation): string =>
  say.html(isByWallet(generation) ? 'status-failed-wallet' : 'status-failed', {
    amount: say.roubles(generation.amount),
  })

const withdrawnText = (say: Say, generation: Generation): string =>
  say.html(isByWallet(generation) ? 'status-withdrawn-wallet' : 'status-withdrawn', {
    amount: say.roubles(generation.amount),
  })

function heldText(say: Say, generation: Generation, facts: WaitingFacts, now: Date): string {
  const { createdAt } = generation
  const amount = say.roubles(generation.amount)
  const { outageSince, ahead = 0 } = facts
  if (outageSince) {
    const until = new Date(createdAt.getTime() + submitDeadlineMs)
    return say.html('waiting-outage-held', { ...outage(say, generation, outageSince, until, now), amount })
  }
  const accepted = isByWallet(generation) ? 'status-accepted-wallet' : 'status-accepted'
  const place = ahead > 0 ? [say.html('waiting-place', { ahead })] : []
  return [say.html(accepted, { amount }), ...place, ...usualText(say, facts)].join('\n')
}

function runningText(say: Say, generation: Generation, facts: WaitingFacts, now: Date): string {
  const { outageSince } = facts
  if (outageSince) {
    const until = new Date(deadlineOf(generation).getTime() + lastLookMs)
    const amount = say.roubles(generation.amount)
    return say.html('waiting-outage-running', { ...outage(say, generation, outageSince, until, now), amount })
  }
  const stage = generation.progress === 'processing' ? 'status-processing' : 'status-queued'
  const elapsed = elapsedOf(generation, now)
  return [
    say.html(stage, { elapsed }),
    ...usualText(say, facts),
    ...slowText(say, generation, facts, now),
  ].join('\n')
}

/** Much longer than usual: twice the usual time and a minute more, or this long where it is not known. */
const slowMs = 10 * 60_000
const slowAfterMs = ({ usualMs }: WaitingFacts): number =>
  usualMs === undefined ? slowMs : usualMs * 2 + 60_000

/** A line, for an order that takes much longer than usual, that says when the wait ends at the latest. */
function slowText(say: Say, generation: Generation, facts: WaitingFacts, now: Date): string[] {
  if (now.getTime() - generation.createdAt.getTime() < slowAfterMs(facts)) return []
  const payer = payerOf(say, generation)
  const until = localTime(say, deadlineOf(generation))
  return [say.html('waiting-slow', { until, payer, amount: say.roubles(generation.amount) })]
}

const payerOf = (say: Say, generation: Generation): string =>
  say.plain(isByWallet(generation) ? 'payer-wallet' : 'payer-own')

const outage = (say: Say, generation: Generation, since: Date, until: Date, now: Date) => ({
  payer: payerOf(say, generation),
  since: localTime(say, since),
  until: localTime(say, until),
  elapsed: minutesAndSeconds(now.getTime() - since.getTime()),
})

function usualText(say: Say, { usualMs }: WaitingFacts): string[] {
  return usualMs === undefined ? [] : [say.html('waiting-usual', { time: roundTime(say, usualMs) })]
}

/** An approximate time: in steps of five seconds under a minute, else in minutes. */
function roundTime(say: Say, ms: number): string {
  const seconds = Math.max(5, Math.round(ms / 5000) * 5)
  if (seconds < 60) return say.plain('about-seconds', { seconds })
  return say.plain('about-minutes', { minutes: Math.round(ms / 60_000) })
}

function succeededText(say: Say, generation: Generation, now: Date): string {
  const { delivery, captured, refunded } = generation
  if (delivery === 'pending' && isRetried(generation)) return say.html('status-sending-again')
  if (delivery === 'pending') return say.html('status-sending', { elapsed: elapsedOf(generation, now) })
  const charged = (captured ?? 0n) - (refunded ?? 0n)
  if (charged === 0n) return failedText(say, generation)
  if (delivery === 'undeliverable') return say.html('status-undelivered', { charged: say.roubles(charged) })
  // The message of the result quotes this one, and says how long it took and what was captured.
  return refunded ? doneText(say, generation) : say.html('status-ready')
}

/** Whether an attempt to deliver has failed. The result then comes later than its task ended, so that the time of the task says nothing. */
const isRetried = ({ delivery, attempts }: Generation): boolean => attempts > (delivery === 'pending' ? 0 : 1)

/** A line with the time that the order took and the amount that was charged. */
export function doneText(say: Say, generation: Generation): string {
  const { captured, refunded, amount, createdAt } = generation
  const charged = (captured ?? amount) - (refunded ?? 0n)
  return say.html(charged < amount ? 'status-done-partly' : 'status-done', {
    elapsed: isRetried(generation) ? 'none' : elapsedOf(generation, createdAt),
    charged: say.roubles(charged),
    back: say.roubles(amount - charged),
  })
}

/** `0:42`: the time from the confirmation to the end, or until now. */
const elapsedOf = ({ createdAt, settledAt }: Generation, now: Date): string =>
  minutesAndSeconds((settledAt ?? now).getTime() - createdAt.getTime())

function minutesAndSeconds(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000))
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}
