// What the messages about an order without a result say: its status or the explanation of its failure, with the buttons under them.

import { and, isNotNull, isNull, lt } from 'drizzle-orm'
import { InlineKeyboard } from 'grammy'
import { speechesIn } from '../../catalog/media.ts'
import { promptInRequest } from '../../catalog/request.ts'
import { generations } from '../../db/schema.ts'
import { doubledMs } from '../../runtime/clock.ts'
import { within } from '../../runtime/log.ts'
import { fitted } from '../../telegram/button-rows.ts'
import { localTime } from '../../telegram/local-time.ts'
import { htmlWithoutPreview, isRefusal, pauseAsked } from '../../telegram/send.ts'
import { taps } from '../../telegram/taps.ts'
import { escapeHtml, type Html, type Locale, type Say } from '../../texts.ts'
import { type Generation, type GenerationDeps, isByWallet, stateIs, unrefunded } from '../generation.ts'
import { deadlineOf, lastLookMs, submitDeadlineMs } from '../times.ts'
import { type DeliveryDeps, replacedStatusOf, type Subject, subjectOf } from './job.ts'

/** Facts about a waiting order that are not in its row. */
interface WaitingFacts {
  readonly outageSince?: Date | undefined
  /** The number of orders before it in the queue. */
  readonly ahead?: number
  readonly usualMs?: number | undefined
}

/** An ended order has its own message with the request and the price, so the status does not repeat them. */
export function statusText(subject: Subject, facts: WaitingFacts, now: Date): string {
  const { say, generation } = subject
  const state = stateText(subject, facts, now)
  return hasMessageOfItsOwn(generation)
    ? state
    : say.html('status', { title: titleOf(subject), state: { html: state } })
}

/** Whether the result, or the explanation of the failure, has come in a message of its own or is going to. */
const hasMessageOfItsOwn = (generation: Generation): boolean =>
  generation.state === 'succeeded' ? generation.delivery === 'delivered' : isFailure(generation)

/** The message about an order that failed: the reason, the words of the model, and the amount that was returned. */
export function failureText(subject: Subject): string {
  const { say, generation } = subject
  const { reason, said, amount } = generation
  const words = say.html(`failure-${reason ?? 'task-failed'}`)
  return say.html(byPayer(generation, 'failure'), {
    title: titleOf(subject),
    reason: { html: said ? `${words}\n${say.html('failure-said', { said })}` : words },
    amount: say.roubles(amount),
  })
}

type Named = Pick<Subject, 'say' | 'generation' | 'model'>

/**
 * The kind and the model, `🖼 Picture · Design`, with the prompt.
 * @param limit cuts the prompt to this number of code points
 * @param day stands after the model
 */
export function titleOf(subject: Named, limit?: number, day?: string): Html {
  const { say, model, generation } = subject
  const name = modelName(subject)
  const kind = model
    ? say.html('card-title', { command: model.commands[0], name })
    : `<b>${escapeHtml(name)}</b>`
  const title = day ? `${kind} · ${escapeHtml(day)}` : kind
  const prompt = promptInRequest(generation.request, limit)
  return { html: prompt ? `${title}\n<blockquote>${escapeHtml(prompt)}</blockquote>` : title }
}

export const modelName = ({ say, model, generation }: Named): string =>
  model ? say.label(model.label) : generation.modelId

/** The key of a text that has another form when the wallet of a group pays. */
export const byPayer = <Key extends string>(generation: Generation, key: Key): Key | `${Key}-wallet` =>
  isByWallet(generation) ? `${key}-wallet` : key

type OfAmount = 'accepted' | 'unknown' | 'withdrawn' | 'failed'

const withAmount = (say: Say, generation: Generation, status: OfAmount): string =>
  say.html(byPayer(generation, `status-${status}`), { amount: say.roubles(generation.amount) })

function stateText(subject: Subject, facts: WaitingFacts, now: Date): string {
  const { say, generation } = subject
  switch (generation.state) {
    case 'held':
    case 'submitting':
    case 'running':
      return waitingText(subject, facts, now)
    case 'unknown':
      return withAmount(say, generation, 'unknown')
    case 'succeeded':
      return succeededText(say, generation, now)
    case 'failed':
    case 'canceled':
      if (generation.arrivedLateAt) return say.html('status-late')
      return withAmount(say, generation, generation.reason === 'withdrawn' ? 'withdrawn' : 'failed')
  }
}

/** Much longer than usual: twice the usual time and a minute more, or this long where it is not known. */
const slowMs = 10 * 60_000

function waitingText({ say, generation, model }: Subject, facts: WaitingFacts, now: Date): string {
  const { outageSince, usualMs } = facts
  const { createdAt, state, progress } = generation
  const isRunning = state === 'running'
  const payer = say.plain(isByWallet(generation) ? 'payer-wallet' : 'payer-own')
  const paid = { payer, amount: say.roubles(generation.amount) }
  if (outageSince) {
    const heldUntil = new Date(createdAt.getTime() + submitDeadlineMs)
    const until = isRunning ? new Date(deadlineOf(generation).getTime() + lastLookMs) : heldUntil
    const elapsed = minutesAndSeconds(now.getTime() - outageSince.getTime())
    const times = { since: localTime(say, outageSince), until: localTime(say, until), elapsed }
    return say.html(isRunning ? 'waiting-outage-running' : 'waiting-outage-held', { ...paid, ...times })
  }
  const usual = usualMs === undefined ? [] : [usualText(say, usualMs)]
  if (!isRunning) return acceptedText(say, generation, usual, facts)
  const stage =
    progress === 'processing' ? say.html(`status-${model?.modality ?? 'other'}`) : say.html('status-queued')
  const isSlow =
    now.getTime() - createdAt.getTime() >= (usualMs === undefined ? slowMs : usualMs * 2 + 60_000)
  // The line says when the wait ends at the latest.
  const slow = isSlow
    ? [say.html('waiting-slow', { ...paid, until: localTime(say, deadlineOf(generation)) })]
    : []
  return [[stage, ...usual, elapsedOf(generation, now)].join(' · '), ...slow].join('\n')
}

function acceptedText(say: Say, generation: Generation, usual: readonly string[], { ahead }: WaitingFacts) {
  const accepted = withAmount(say, generation, 'accepted')
  const [speech] = speechesIn(generation.request)
  const voice = speech ? [say.html('waiting-voice')] : []
  const place = ahead ? [say.html('waiting-place', { ahead })] : []
  return [[accepted, ...usual].join(' · '), ...voice, ...place].join('\n')
}

const halfMinuteMs = 30_000

const usualText = (say: Say, ms: number): string =>
  ms <= halfMinuteMs
    ? say.html('waiting-soon')
    : say.html('waiting-usual', { minutes: Math.ceil(ms / 60_000) })

function succeededText(say: Say, generation: Generation, now: Date): string {
  const { delivery, refunded } = generation
  if (delivery === 'pending' && isRetried(generation)) return say.html('status-sending-again')
  if (delivery === 'pending') return say.html('status-sending', { elapsed: elapsedOf(generation, now) })
  const charged = unrefunded(generation)
  if (charged === 0n) return withAmount(say, generation, 'failed')
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

type Ordered = Pick<Subject, 'say' | 'generation' | 'priceNow'>

/** The buttons below a message about an order without a result. */
export function againKeyboard(ordered: Ordered): InlineKeyboard {
  const { say, generation } = ordered
  const keyboard = againButton(ordered)
  keyboard.text(say.plain('button-change'), taps.orderChanged.data({ generationId: generation.id }))
  return fitted(keyboard)
}

/** A button with a price orders at once. Without a price the button opens a card, which says why the order cannot be repeated. */
export function againButton({ say, generation: { id: generationId }, priceNow }: Ordered): InlineKeyboard {
  const price = priceNow()
  if (price === undefined) {
    return new InlineKeyboard().text(say.plain('button-again'), taps.orderAgain.data({ generationId }))
  }
  const label = say.plain('button-again-for', { amount: say.roubles(price) })
  return new InlineKeyboard().text(label, taps.orderAtOnce.data({ generationId, amount: price }))
}

// The status message of a generation shows the state of the order until the result takes its place, or is sent below it: then it is
// deleted. It is edited beside the steps, so that a slow Telegram delays no step: one edit of a generation at a time, from the newest row
// that was queued. The delivery queues the last row (deliver.ts).

/** Facts about an order that are not in its row. */
export interface StatusNews {
  /** The language of its user. */
  readonly locale?: Locale | undefined
  /** Since when the gateway has not accepted its request, or any request. */
  readonly outageSince?: Date | undefined
}

/** Edits the status message of a generation; a failure is only logged. @returns false when another attempt may succeed soon */
export type UpdateStatus = (generation: Generation, news?: StatusNews) => Promise<boolean>

/** How often the last edit of an order is repeated: no later step would make it. */
const maxRepeats = 4
const pauseAtEndMs = 1000

export type StatusUpdates = ReturnType<typeof createStatusUpdates>

export function createStatusUpdates(
  { clock, log }: Pick<GenerationDeps, 'clock' | 'log'>,
  updateStatus: UpdateStatus,
) {
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

  const start = ({ id, userId }: Generation) => {
    const showing = within({ generation: id }, () => show(id), { user: userId.toString() })
      .catch((error: unknown) => log.warn({ generation: id, error }, 'status message not shown'))
      .finally(() => {
        running.delete(id)
        const next = waiting.get(id)
        if (next) start(next.row)
      })
    running.set(id, showing)
  }

  return {
    /** Edits the message now, or after the edit that is under way, in place of one that waits. */
    queue(row: Generation, news: StatusNews = {}) {
      waiting.set(row.id, { row, news })
      if (!running.has(row.id)) start(row)
    },
    /** Removes the generation's waiting edit. @returns the end of the one under way */
    cancel(id: string) {
      waiting.delete(id)
      return running.get(id)
    },
    /** Resolves when no edit is under way. */
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
    if (isOver(generation) && (await isDeleted(deps, chatId, statusMessageId))) return true
    const subject = await subjectOf(deps, generation, locale)
    const facts = await waitingFacts(deps, subject, outageSince)
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
    return isRefusal(error) || Boolean(pauseAsked(error))
  }
}

/** Whether the result, or the explanation of the failure, has been sent as a message of its own, so that the status only takes up room. */
function isOver(generation: Generation): boolean {
  const { state, delivery, refunded, arrivedLateAt } = generation
  if (delivery !== 'delivered' || arrivedLateAt !== null) return false
  return state === 'succeeded'
    ? !refunded
    : replacedStatusOf(generation) === undefined && isFailure(generation)
}

/** @returns false when Telegram refuses: the message is older than two days, or gone */
const isDeleted = ({ api }: DeliveryDeps, chatId: number, messageId: number): Promise<boolean> =>
  api.deleteMessage(chatId, messageId).catch((error: unknown) => {
    if (isRefusal(error)) return false
    throw error
  })

async function waitingFacts(
  deps: DeliveryDeps,
  { generation, model }: Subject,
  outageSince: Date | undefined,
): Promise<WaitingFacts> {
  const { state, lease } = generation
  const isWaiting = state === 'held' || state === 'submitting' || state === 'running'
  if (!isWaiting || outageSince) return { outageSince }
  // A claimed row is submitted at once.
  const ahead = state === 'held' && lease === null ? await aheadOf(deps, generation) : 0
  return { ahead, usualMs: model && (await deps.times.usualMs(model)) }
}

/** The number of older orders that also wait for their submit. The condition on `next_check_at` lets the partial index be used. */
export const aheadOf = (
  { db }: Pick<DeliveryDeps, 'db'>,
  { createdAt }: Pick<Generation, 'createdAt'>,
): Promise<number> => {
  const isDue = and(stateIs('held'), isNotNull(generations.nextCheckAt), isNull(generations.lease))
  return db.$count(generations, and(isDue, lt(generations.createdAt, createdAt)))
}

/** Whether the explanation has replaced the status. It is shown again in case a slower edit has put an outdated status in its place. */
function isReplacedByExplanation(generation: Generation): boolean {
  const isExplained = isFailure(generation) && generation.delivery === 'delivered'
  return isExplained && replacedStatusOf(generation) !== undefined
}

const isFailure = ({ state, reason }: Generation): boolean =>
  (state === 'failed' || state === 'canceled') && reason !== 'withdrawn'

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
