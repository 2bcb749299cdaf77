// Asks for the address of fiscal receipts, once: a short conversation that ends in the page to pay on.

import type { Conversation } from '@grammyjs/conversations'
import type { Context } from 'grammy'
import type { Locale } from '../../catalog/field.ts'
import type { Kopecks } from '../../money.ts'
import { readAddress, setEmail } from '../../payments/email.ts'
import type { BotDeps, Ctx } from '../context.ts'
import { linkMessage } from '../pay-link.ts'

/** Strings only: the plugin stores them as JSON. */
interface Args {
  readonly userId: string
  readonly amount: string
  readonly providerId: string
  readonly locale: Locale
}

export const emailAskName = 'email'

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
  return async function email(
    conversation: Conversation<Ctx, Context>,
    ctx: Context,
    args: Args,
  ): Promise<void> {
    const say = deps.texts(args.locale)
    await ctx.reply(say.html('email-ask'), { parse_mode: 'HTML' })
    const asked = conversation.checkpoint()
    const reply = await conversation.wait()
    if (!reply.message) return conversation.skip({ next: true })
    const address = readAddress(reply.message.text ?? '')
    if (address === undefined) {
      await reply.reply(say.html('email-bad'), { parse_mode: 'HTML' })
      return conversation.rewind(asked)
    }
    const chatId = reply.chat?.id
    const { html, buttons } = await conversation.external(() => finish(deps, args, address, chatId))
    await reply.reply(html, { parse_mode: 'HTML', reply_markup: { inline_keyboard: buttons } })
  }
}

async function finish(deps: BotDeps, args: Args, email: string, chatId: number | undefined) {
  const userId = BigInt(args.userId)
  await setEmail(deps.db, userId, email)
  const request = { userId, chatId, amount: BigInt(args.amount), providerId: args.providerId, email }
  return linkMessage(deps, deps.texts(args.locale), request)
}
