// Replaces the status message by a result or an explanation, by an edit. An attempt that is repeated after a crash edits the message again,
// so the result is in the chat only once.

import { type InputFile, InputMediaBuilder } from 'grammy'
import type { InlineKeyboardMarkup, InputMedia } from 'grammy/types'
import { isAboutFile, isNotModified } from '../telegram/errors.ts'
import { htmlWithoutPreview, sendInto } from '../telegram/send-into.ts'
import type { DeliveryDeps, DeliveryJob } from './job.ts'
import { againKeyboard } from './result-keyboard.ts'
import type { SentMessage } from './sent-artifacts.ts'

type Deps = Pick<DeliveryDeps, 'api'>

/**
 * Edits the status message into a result. Telegram's answer that nothing changes means that an earlier edit succeeded and its answer was
 * lost.
 */
export async function replaceStatusByMedia(
  { api }: Deps,
  chatId: number,
  messageId: number,
  media: InputMedia,
  keyboard?: InlineKeyboardMarkup,
): Promise<SentMessage> {
  try {
    const options = keyboard ? { reply_markup: keyboard } : {}
    const edited = await api.editMessageMedia(chatId, messageId, media, options)
    return { ...(edited === true ? {} : edited), message_id: messageId, replacesStatus: true }
  } catch (error) {
    if (isNotModified(error)) return { message_id: messageId, replacesStatus: true }
    throw error
  }
}

/** Puts a picture in place of the status message, else sends it. */
export async function replaceStatusByPhoto(
  deps: Deps,
  job: DeliveryJob,
  photo: InputFile,
): Promise<SentMessage> {
  const { chatId, topicId } = job.target
  const send = () => sendInto({ chatId, topicId }, (into) => deps.api.sendPhoto(chatId, photo, into))
  if (job.statusToReplace === undefined) return send()
  try {
    return await replaceStatusByMedia(deps, chatId, job.statusToReplace, InputMediaBuilder.photo(photo))
  } catch (error) {
    if (isAboutFile(error)) return send()
    throw error
  }
}

/** Edits the status message into a text like that of `sendText`. @returns false when there is none that can be edited */
export async function replaceStatusByText({ api }: Deps, job: DeliveryJob, html: string): Promise<boolean> {
  if (job.statusToReplace === undefined) return false
  const options = { ...htmlWithoutPreview, reply_markup: againKeyboard(job) }
  try {
    await api.editMessageText(job.target.chatId, job.statusToReplace, html, options)
    return true
  } catch (error) {
    if (isNotModified(error)) return true
    if (isAboutFile(error)) return false
    throw error
  }
}
