// Keyboards of messages: their shapes and Telegram's checks.

import type { InlineKeyboardButton, InlineKeyboardMarkup } from 'grammy/types'
import { z } from 'zod'
import { checkedLink } from './entities.ts'
import type { ReplyKeyboard } from './events.ts'
import { json } from './params.ts'
import { refuse } from './refusal.ts'

const maxButtons = 100

/** Only the fields that the chat page uses are checked; newer fields of a button pass through. */
const inlineShape = z.looseObject({
  inline_keyboard: z.array(
    z.array(
      z.looseObject({
        text: z.string().min(1),
        callback_data: z.string().optional(),
        url: z.string().optional(),
        pay: z.boolean().optional(),
        copy_text: z.looseObject({ text: z.string() }).optional(),
        web_app: z.looseObject({ url: z.string() }).optional(),
        login_url: z.looseObject({ url: z.string() }).optional(),
        style: z.enum(['danger', 'success', 'primary']).optional(),
      }),
    ),
  ),
})
const replyButton = z.union([z.string(), z.looseObject({ text: z.string() })])
const replyShape = z.union([
  z.looseObject({ keyboard: z.array(z.array(replyButton)) }),
  z.looseObject({ remove_keyboard: z.literal(true) }),
  z.looseObject({ force_reply: z.literal(true) }),
])

const inline = z.custom<InlineKeyboardMarkup>(
  (value) => inlineShape.safeParse(value).success,
  'not an inline keyboard',
)
const reply = z.custom<ReplyKeyboard>((value) => replyShape.safeParse(value).success, 'not a keyboard')

export const inlineMarkup = json(inline)
export const anyMarkup = json(z.union([inline, reply]))
export type AnyMarkup = InlineKeyboardMarkup | ReplyKeyboard

const cannotParse = (text: string): never => refuse(`can't parse inline keyboard button: ${text}`)

/** The fields that give a button its action. Like Telegram, it treats an empty string as a missing field. */
const actionsOf = (button: InlineKeyboardButton): string[] =>
  Object.entries(button)
    .filter(([key, value]) => !['text', 'style', 'icon_custom_emoji_id'].includes(key) && value !== '')
    .map(([key]) => key)

function checkButton(button: InlineKeyboardButton, isFirst: boolean, isInvoice: boolean): void {
  if (actionsOf(button).length === 0) cannotParse('Text buttons are unallowed in the inline keyboard')
  if ('callback_data' in button && Buffer.byteLength(button.callback_data) > 64) refuse('BUTTON_DATA_INVALID')
  if ('url' in button && checkedLink(button.url) === undefined) {
    refuse(`inline keyboard button URL '${button.url}' is invalid: Wrong HTTP URL`)
  }
  if ('web_app' in button && !/^https:\/\//i.test(button.web_app.url)) {
    refuse(
      `inline keyboard button Web App URL '${button.web_app.url}' is invalid: Only HTTPS links are allowed`,
    )
  }
  if ('copy_text' in button && (button.copy_text.text === '' || [...button.copy_text.text].length > 256)) {
    refuse('BUTTON_COPY_TEXT_INVALID')
  }
  if ('pay' in button && !(isFirst && isInvoice)) refuse('BUTTON_TYPE_INVALID')
}

export function checkInline(markup: InlineKeyboardMarkup | undefined, isInvoice = false): void {
  const buttons = markup?.inline_keyboard.flat() ?? []
  if (buttons.length > maxButtons) refuse('reply markup is too long')
  for (const [index, button] of buttons.entries()) checkButton(button, index === 0, isInvoice)
  const first = buttons[0]
  if (isInvoice && first && !('pay' in first)) refuse('REPLY_MARKUP_BUY_EMPTY')
}

/** The keyboard that becomes part of the message; undefined for a keyboard without buttons. */
export function inlineOf(markup: AnyMarkup | undefined): InlineKeyboardMarkup | undefined {
  if (!markup || !('inline_keyboard' in markup)) return undefined
  const inline_keyboard = markup.inline_keyboard.filter((row) => row.length > 0)
  return inline_keyboard.length > 0 ? { inline_keyboard } : undefined
}

export const replyKeyboardOf = (markup: AnyMarkup | undefined): ReplyKeyboard | undefined =>
  markup && !('inline_keyboard' in markup) ? markup : undefined
