// The parts that all messages about a result have in common: the caption and the buttons.

import type { InlineKeyboard } from 'grammy'
import type { Message } from 'grammy/types'
import { htmlWithoutPreview, sendInto } from '../telegram/send-into.ts'
import type { DeliveryDeps, DeliveryJob } from './job.ts'
import { againKeyboard, resultKeyboard } from './result-keyboard.ts'
import { doneText, modelName, titleOf } from './status-text.ts'

/** Sends a message about a generation without results, with the buttons to order it again. */
export const sendText = (
  { api }: Pick<DeliveryDeps, 'api'>,
  job: DeliveryJob,
  html: string,
): Promise<Message> =>
  sendInto(job.target, (into) =>
    api.sendMessage(job.target.chatId, html, {
      ...into,
      ...htmlWithoutPreview,
      reply_markup: againKeyboard(job),
    }),
  )

export interface ResultMessage {
  readonly performer: string
  readonly caption: string
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
  const { bare } = job
  const parse_mode = 'HTML'
  const caption = bare?.caption ?? captionOf(job)
  const buttons = bare ? {} : { reply_markup: resultKeyboard(job) }
  return {
    performer: modelName(job),
    caption,
    plain: isLast ? { parse_mode, ...buttons } : { parse_mode },
    captioned: isLast && caption !== '' ? { parse_mode, caption, ...buttons } : { parse_mode },
  }
}
