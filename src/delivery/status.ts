// The status message of a generation: the card is edited into it, and it shows the state of the order until the result takes its
// place or is sent below it.

import { InlineKeyboard } from 'grammy'
import type { Delivers } from '../catalog/model.ts'
import type { Generation } from '../generations/generation.ts'
import { aheadOf } from '../generations/waiting.ts'
import { warmUp } from '../media/decoders.ts'
import { isRefusal } from '../telegram/errors.ts'
import { htmlWithoutPreview } from '../telegram/send-into.ts'
import { taps } from '../telegram/taps.ts'
import type { StatusNews } from '../tracker/status-updates.ts'
import { failureText } from './failure-text.ts'
import { type DeliveryDeps, replacedStatusOf, type Subject, subjectOf } from './job.ts'
import { againKeyboard } from './result-keyboard.ts'
import { statusText, type WaitingFacts } from './status-text.ts'

/** Edits the status message. A failure is only logged. @returns false when another attempt may succeed */
export const updateStatus = (
  deps: DeliveryDeps,
  generation: Generation,
  { locale, outageSince }: StatusNews = {},
): Promise<boolean> =>
  logged(deps, generation, async () => {
    const subject = await subjectOf(deps, generation, locale)
    if (generation.state === 'running') startDecoderFor(subject.model?.delivers(generation.request).kind)
    await edit(deps, subject, outageSince)
  })

/** Edits the status message of a subject that was read before. */
export const showStatus = (deps: DeliveryDeps, subject: Subject): Promise<boolean> =>
  logged(deps, subject.generation, () => edit(deps, subject))

async function logged(
  { log }: DeliveryDeps,
  { id, statusMessageId }: Generation,
  work: () => Promise<unknown>,
): Promise<boolean> {
  if (statusMessageId === null) return true
  try {
    await work()
    return true
  } catch (error) {
    log.debug({ generation: id, error }, 'status message not edited')
    return isRefusal(error)
  }
}

async function edit(deps: DeliveryDeps, subject: Subject, outageSince?: Date): Promise<void> {
  const { api, shownStatuses } = deps
  const { chatId, statusMessageId: messageId } = subject.generation
  if (messageId === null) return
  const facts = await factsOf(deps, subject.generation, outageSince)
  const text = isReplacedByExplanation(subject)
    ? failureText(subject)
    : statusText(subject, facts, deps.clock.now())
  const keyboard = keyboardOf(subject)
  const content = text + JSON.stringify(keyboard)
  if (shownStatuses.isShown({ chatId, messageId }, content)) return
  const markup = keyboard ? { reply_markup: keyboard } : {}
  await shownStatuses.edit({ chatId, messageId }, content, () =>
    api.editMessageText(chatId, messageId, text, { ...htmlWithoutPreview, ...markup }),
  )
}

/** Starting a decoder takes long; the result comes soon. */
function startDecoderFor(kind: Delivers['kind'] | undefined): void {
  if (kind === 'model3d') warmUp('preview')
  else if (kind !== undefined) warmUp(kind === 'image' ? 'photo' : 'facts')
}

async function factsOf(
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

/** Whether the explanation has replaced the status. It is shown again in case a slower update has put an outdated status in its place. */
function isReplacedByExplanation({ generation }: Subject): boolean {
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
  return reason === 'withdrawn' || isReplacedByExplanation(subject) ? againKeyboard(subject) : undefined
}
