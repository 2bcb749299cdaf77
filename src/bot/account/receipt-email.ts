// Asks for the address of fiscal receipts, once: a short conversation that ends in the page to pay on.

import type { Context } from 'grammy'
import type { Kopecks } from '../../money.ts'
import { readAddress, setEmail } from '../../payments/email.ts'
import type { Locale } from '../../texts.ts'
import type { BotDeps, Ctx } from '../context.ts'
import { plainNote } from '../notes.ts'
import { putQuestion, type Talk, waitForAnswer } from '../question.ts'
import { linkMessage } from './pay-link.ts'

/** Strings only: the plugin stores them as JSON. */
interface Args {
  readonly userId: string
  readonly amount: string
  readonly providerId: string
  readonly locale: Locale
}

export const emailAskName = 'email'

export const emailQuestion = plainNote('email-question')

export function enterEmailAsk(ctx: Ctx, amount: Kopecks, providerId: string): Promise<void> {
  const args: Args = {
    userId: String(ctx.user.id),
    amount: String(amount),
    providerId,
    locale: ctx.say.locale,
  }
  return ctx.conversation.enter(emailAskName, args)
}

export function createEmailAsk(deps: BotDeps) {
  return async function email(conversation: Talk, ctx: Context, args: Args): Promise<void> {
    const say = deps.texts(args.locale)
    const asked = { kind: emailQuestion, userId: BigInt(args.userId), about: {} }
    const put = (to: Context, html: string) => putQuestion(deps, conversation, to, asked, { html, say })
    await put(ctx, say.html('email-ask'))
    const start = conversation.checkpoint()
    const reply = await waitForAnswer(deps, conversation, asked)
    const address = readAddress(reply.message.text ?? '')
    if (address === undefined) {
      await put(reply.ctx, say.html('email-bad'))
      return conversation.rewind(start)
    }
    const chatId = reply.message.chat.id
    const { html, buttons } = await conversation.external(() => finish(deps, args, address, chatId))
    await reply.ctx.reply(html, { parse_mode: 'HTML', reply_markup: { inline_keyboard: buttons } })
  }
}

async function finish(deps: BotDeps, args: Args, email: string, chatId: number) {
  const userId = BigInt(args.userId)
  await setEmail(deps.db, userId, email)
  const request = { userId, chatId, amount: BigInt(args.amount), providerId: args.providerId, email }
  return linkMessage(deps, deps.texts(args.locale), request)
}
