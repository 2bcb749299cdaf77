// What all messages about a result have in common: the caption and the buttons.

import { InlineKeyboard } from 'grammy'
import type { Message } from 'grammy/types'
import { continuationField } from '../catalog/model.ts'
import { isAboutFile, isNotModified } from '../telegram/errors.ts'
import { sendInto } from '../telegram/send-into.ts'
import { taps } from '../telegram/taps.ts'
import type { DeliveryDeps, DeliveryJob, Subject } from './job.ts'
import { repeatableSeed } from './seeds.ts'
import { doneText, modelName, titleOf } from './status-text.ts'

export function againKeyboard({ say, generation: { id } }: Subject): InlineKeyboard {
  return new InlineKeyboard()
    .text(say.plain('button-again'), taps.orderAgain.data({ generationId: id }))
    .text(say.plain('button-change'), taps.orderChanged.data({ generationId: id }))
}

/** Sends a message about a generation without results, with the buttons to order it again. */
export const sendNotice = (
  { api }: Pick<DeliveryDeps, 'api'>,
  job: DeliveryJob,
  html: string,
): Promise<Message> =>
  sendInto(job.target, (into) =>
    api.sendMessage(job.target.chatId, html, {
      ...into,
      parse_mode: 'HTML',
      reply_markup: againKeyboard(job),
    }),
  )

/** The same in place of the status message. @returns false when that message cannot be edited */
export async function becomeNotice(
  { api }: Pick<DeliveryDeps, 'api'>,
  job: DeliveryJob,
  html: string,
): Promise<boolean> {
  if (job.becoming === undefined) return false
  const options = { parse_mode: 'HTML', reply_markup: againKeyboard(job) } as const
  try {
    await api.editMessageText(job.target.chatId, job.becoming, html, options)
    return true
  } catch (error) {
    if (isNotModified(error)) return true
    if (isAboutFile(error)) return false
    throw error
  }
}

export interface ResultMessage {
  readonly performer: string
  readonly caption: string
  readonly keyboard: InlineKeyboard
  /** Options of a message without a caption. */
  readonly plain: { readonly parse_mode: 'HTML'; readonly reply_markup?: InlineKeyboard }
  /** Options of a message with a caption. */
  readonly captioned: ResultMessage['plain'] & { readonly caption?: string }
}

function captionOf(job: DeliveryJob): string {
  const { say, generation, artifacts } = job
  const title = titleOf(job)
  const result = generation.arrivedLateAt
    ? say.html('result-caption-late', { title })
    : say.html('status', { title, state: { html: doneText(say, generation) } })
  const seeds = artifacts.flatMap(({ seed }) => seed ?? [])
  return seeds.length > 0 ? `${result}\n${say.html('result-seed', { seeds: seeds.join(', ') })}` : result
}

/** @param isLast the last of several results carries the caption and the buttons */
export function resultMessage(job: DeliveryJob, isLast: boolean): ResultMessage {
  const { generation, say, ordered, model, artifacts } = job
  const { id: generationId } = generation
  const caption = captionOf(job)
  const keyboard = againKeyboard(job)
  const canContinue = model && continuationField(model) && generation.taskId !== null
  if (canContinue)
    keyboard.row().text(say.plain('button-continue-video'), taps.continueVideo.data({ generationId }))
  if (repeatableSeed(model, generation, artifacts) !== undefined)
    keyboard.row().text(say.plain('button-again-exactly'), taps.orderExactly.data({ generationId }))
  // Photos are shown smaller than they were made.
  if (ordered?.kind === 'image') {
    const label = say.plain('button-originals')
    keyboard.row().text(label, taps.sendOriginals.data({ generationId }))
  }
  const parse_mode = 'HTML'
  return {
    performer: modelName(job),
    caption,
    keyboard,
    plain: isLast ? { parse_mode, reply_markup: keyboard } : { parse_mode },
    captioned: isLast ? { parse_mode, caption, reply_markup: keyboard } : { parse_mode },
  }
}
