// The status message of a generation shows the state of the order until the result takes its place or is sent below it. It is edited beside
// the steps, so that a slow Telegram delays no step: one edit of a generation at a time, from the newest row that was queued. The delivery
// queues the last row (deliver.ts).

import { InlineKeyboard } from 'grammy'
import { doubledMs } from '../../runtime/clock.ts'
import { within } from '../../runtime/log.ts'
import { isRefusal, pauseAsked } from '../../telegram/errors.ts'
import { htmlWithoutPreview } from '../../telegram/send-into.ts'
import { taps } from '../../telegram/taps.ts'
import type { Locale } from '../../texts.ts'
import type { Generation, GenerationDeps } from '../generation.ts'
import { aheadOf } from '../times.ts'
import { type DeliveryDeps, replacedStatusOf, type Subject, subjectOf } from './job.ts'
import { againKeyboard, failureText, statusText, type WaitingFacts } from './messages.ts'

/** Facts about an order that are not in its row. */
export interface StatusNews {
  /** The language of its user. */
  readonly locale?: Locale | undefined
  /** Since when the gateway has not accepted its request, or any request. */
  readonly outageSince?: Date | undefined
}

/** Edits the status message of a generation; a failure is only logged. @returns false when another attempt may succeed soon */
export type UpdateStatus = (generation: Generation, news?: StatusNews) => Promise<boolean>

export interface StatusUpdates {
  /** Queues an edit; dropped when too many are waiting, since the next poll queues another. */
  queue(generation: Generation, news?: StatusNews): void
  /** Removes the generation's waiting edit. @returns the end of the one under way */
  cancel(id: string): Promise<void> | undefined
  /** Resolves when no edit is under way. */
  idle(): Promise<void>
}

/** How often the last edit of an order is repeated: no later step would make it. */
const maxRepeats = 4
const pauseAtEndMs = 1000
const maxAtOnce = 8
const maxWaiting = 1000

export function createStatusUpdates(
  { clock, log }: Pick<GenerationDeps, 'clock' | 'log'>,
  updateStatus: UpdateStatus,
): StatusUpdates {
  const waiting = new Map<string, { readonly row: Generation; readonly news: StatusNews }>()
  const running = new Map<string, Promise<void>>()

  const show = async (id: string) => {
    for (let repeats = 0; ; ) {
      const next = waiting.get(id)
      if (!next) return
      waiting.delete(id)
      const isDone = await updateStatus(next.row, next.news)
      const isLast = next.row.settledAt !== null && next.row.delivery !== 'pending'
      if (isDone || !isLast || repeats >= maxRepeats) continue
      await clock.wait(doubledMs(pauseAtEndMs, repeats++))
      if (!waiting.has(id)) waiting.set(id, next)
    }
  }

  const startNext = () => {
    for (const [id, { row }] of waiting) {
      if (running.size >= maxAtOnce) return
      if (running.has(id)) continue
      // The end of one edit starts the next one, which belongs to another generation: the trace has to be set here.
      const showing = within({ generation: id }, () => show(id), { user: row.userId.toString() })
        .catch((error: unknown) => log.warn({ generation: id, error }, 'status message not shown'))
        .finally(() => {
          running.delete(id)
          startNext()
        })
      running.set(id, showing)
    }
  }

  return {
    queue(row, news = {}) {
      if (waiting.size >= maxWaiting && !waiting.has(row.id)) return
      waiting.set(row.id, { row, news })
      startNext()
    },
    cancel(id) {
      waiting.delete(id)
      return running.get(id)
    },
    async idle() {
      while (running.size > 0) await Promise.all(running.values())
    },
  }
}

export async function updateStatus(
  deps: DeliveryDeps,
  generation: Generation,
  { locale, outageSince }: StatusNews = {},
): Promise<boolean> {
  const { chatId, statusMessageId, id } = generation
  if (statusMessageId === null) return true
  try {
    const subject = await subjectOf(deps, generation, locale)
    const facts = await waitingFacts(deps, generation, outageSince)
    const text = isReplacedByExplanation(generation)
      ? failureText(subject)
      : statusText(subject, facts, deps.clock.now())
    const keyboard = keyboardOf(subject)
    const markup = keyboard ? { reply_markup: keyboard } : {}
    await deps.api.editMessageText(chatId, statusMessageId, text, { ...htmlWithoutPreview, ...markup })
    return true
  } catch (error) {
    deps.log.debug({ generation: id, error }, 'status message not edited')
    // A chat that asks for a longer pause than the client waits for gets no edit.
    return isRefusal(error) || pauseAsked(error) > 0
  }
}

async function waitingFacts(
  deps: DeliveryDeps,
  generation: Generation,
  outageSince: Date | undefined,
): Promise<WaitingFacts> {
  const { state, lease, modelId } = generation
  const isWaiting = state === 'held' || state === 'submitting' || state === 'running'
  if (!isWaiting || outageSince) return { outageSince }
  // A claimed row is submitted at once.
  const ahead = state === 'held' && lease === null ? await aheadOf(deps, generation) : 0
  return { ahead, usualMs: await deps.usualTimes.of(modelId) }
}

/** Whether the explanation has replaced the status. It is shown again in case a slower edit has put an outdated status in its place. */
function isReplacedByExplanation(generation: Generation): boolean {
  const { state, reason, delivery } = generation
  const isFailure = (state === 'failed' || state === 'canceled') && reason !== 'withdrawn'
  return isFailure && delivery === 'delivered' && replacedStatusOf(generation) !== undefined
}

function keyboardOf(subject: Subject): InlineKeyboard | undefined {
  const { say, generation } = subject
  const { id: generationId, state, reason } = generation
  if (state === 'held') {
    return new InlineKeyboard().text(
      say.plain('button-cancel-order'),
      taps.cancelOrder.data({ generationId }),
    )
  }
  return reason === 'withdrawn' || isReplacedByExplanation(generation) ? againKeyboard(subject) : undefined
}
