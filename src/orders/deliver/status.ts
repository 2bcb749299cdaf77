// The status message of a generation: the card is edited into it, and it shows the state of the order until the result takes its place or
// is sent below it. Its last edit is that of the delivery (deliver.ts).

import { InlineKeyboard } from 'grammy'
import type { InlineKeyboardMarkup, InputMedia } from 'grammy/types'
import type { Delivers } from '../../catalog/model.ts'
import { isAboutFile, isNotModified, isRefusal } from '../../telegram/errors.ts'
import { htmlWithoutPreview, sendInto } from '../../telegram/send-into.ts'
import { taps } from '../../telegram/taps.ts'
import type { Generation } from '../generation.ts'
import type { StatusNews } from '../status-updates.ts'
import { aheadOf } from '../waiting.ts'
import { type DeliveryDeps, type DeliveryJob, replacedStatusOf, type Subject, subjectOf } from './job.ts'
import { againKeyboard, failureText, statusText, type WaitingFacts } from './messages.ts'
import type { SentMessage } from './sent-artifacts.ts'

/** Edits the status message. A failure is only logged. @returns false when another attempt may succeed */
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
    await edit(deps, chatId, statusMessageId, text, keyboardOf(subject))
    return true
  } catch (error) {
    deps.log.debug({ generation: id, error }, 'status message not edited')
    return isRefusal(error)
  }
}

const maxShown = 2000
/** In place of the content of a status message that a result has replaced, and that is not edited any more. */
const isResult = 'result'
const keyOf = (chatId: number, messageId: number): string => `${chatId}:${messageId}`

async function edit(
  { api, shownStatuses }: DeliveryDeps,
  chatId: number,
  messageId: number,
  text: string,
  keyboard: InlineKeyboard | undefined,
): Promise<void> {
  const key = keyOf(chatId, messageId)
  const content = text + JSON.stringify(keyboard)
  const shown = shownStatuses.get(key)
  if (shown === content || shown === isResult) return
  // Deleted first, since an edit without an answer may have changed the message.
  shownStatuses.delete(key)
  const markup = keyboard ? { reply_markup: keyboard } : {}
  await api.editMessageText(chatId, messageId, text, { ...htmlWithoutPreview, ...markup })
  remember(shownStatuses, key, content)
}

function remember(shownStatuses: DeliveryDeps['shownStatuses'], key: string, content: string): void {
  shownStatuses.set(key, content)
  const [oldest] = shownStatuses.keys()
  if (shownStatuses.size > maxShown && oldest !== undefined) shownStatuses.delete(oldest)
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

/** Whether the explanation has replaced the status. It is shown again in case a slower update has put an outdated status in its place. */
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

/**
 * Edits the status message into a result. An attempt that is repeated after a crash edits it again, so that the result is in the chat only
 * once: Telegram's answer that nothing changes means that an earlier edit succeeded and its answer was lost.
 */
export async function replaceStatusByMedia(
  { api, shownStatuses }: DeliveryDeps,
  chatId: number,
  messageId: number,
  media: InputMedia,
  keyboard?: InlineKeyboardMarkup,
): Promise<SentMessage> {
  const options = keyboard ? { reply_markup: keyboard } : {}
  const edited = await api.editMessageMedia(chatId, messageId, media, options).catch((error: unknown) => {
    if (isNotModified(error)) return true as const
    throw error
  })
  remember(shownStatuses, keyOf(chatId, messageId), isResult)
  return { ...(edited === true ? {} : edited), message_id: messageId }
}

/** Edits the status message into a text like that of `sendText`. @returns false when it cannot be edited */
export async function replaceStatusByText(
  { api }: Pick<DeliveryDeps, 'api'>,
  job: DeliveryJob,
  messageId: number,
  html: string,
): Promise<boolean> {
  const options = { ...htmlWithoutPreview, reply_markup: againKeyboard(job) }
  try {
    await api.editMessageText(job.target.chatId, messageId, html, options)
    return true
  } catch (error) {
    if (isNotModified(error)) return true
    if (isAboutFile(error)) return false
    throw error
  }
}

/** Sends a message about a generation without results, with the buttons to order it again. */
export async function sendText(
  { api }: Pick<DeliveryDeps, 'api'>,
  job: DeliveryJob,
  html: string,
): Promise<void> {
  const options = { ...htmlWithoutPreview, reply_markup: againKeyboard(job) }
  await sendInto(job.target, (into) => api.sendMessage(job.target.chatId, html, { ...into, ...options }))
}

const slowMs = 1500
/** Telegram shows an action for five seconds. */
const actionMs = 4500

/**
 * Shows that a result is being sent, in the status message and as an upload in the chat, while this work takes long. Work on files that
 * are quickly available ends before either is shown.
 */
export async function showingProgress<T>(
  deps: DeliveryDeps,
  job: DeliveryJob,
  work: () => Promise<T>,
): Promise<T> {
  const ended = new AbortController()
  const shown = showWhenSlow(deps, job, ended.signal)
  try {
    return await work()
  } finally {
    ended.abort('ended')
    await shown
  }
}

async function showWhenSlow(deps: DeliveryDeps, job: DeliveryJob, ended: AbortSignal): Promise<void> {
  await deps.clock.wait(slowMs, ended)
  if (ended.aborted) return
  await updateStatus(deps, job.generation, { locale: job.say.locale })
  while (!ended.aborted) {
    await showUploadAction(deps, job)
    await deps.clock.wait(actionMs, ended)
  }
}

const actions: Readonly<
  Record<Delivers['kind'], 'upload_video' | 'upload_photo' | 'upload_voice' | 'upload_document'>
> = {
  video: 'upload_video',
  image: 'upload_photo',
  voice: 'upload_voice',
  audio: 'upload_voice',
  model3d: 'upload_document',
}

/** Shows an upload in the chat. It is optional: a failure is ignored. */
export async function showUploadAction(
  { api }: DeliveryDeps,
  { target: { chatId, topicId }, ordered }: DeliveryJob,
): Promise<void> {
  const action = actions[ordered?.kind ?? 'model3d']
  const sending = sendInto({ chatId, topicId }, (into) => api.sendChatAction(chatId, action, into))
  await sending.catch(() => undefined)
}
