// Asks once for the e-mail address of fiscal receipts: a short conversation that ends with the link to the payment page.

import type { Context } from 'grammy'
import type { Kopecks } from '../../money.ts'
import { readEmail, setEmail } from '../../users/user.ts'
import type { BotDeps, Ctx } from '../context.ts'
import { plainNote } from '../notes.ts'
import { type Asker, type BotConversation, putQuestion, waitForWords } from '../question.ts'
import { send } from '../responses.ts'
import { linkMessage, notePayMessage, type PayPlace } from './pay-link.ts'

interface Args extends Asker {
  readonly amount: string
  readonly providerId: string
  /** The message on which the payment provider was tapped. */
  readonly choiceId?: number
}

export const emailAskName = 'email'

const emailQuestion = plainNote('email-question')

export function enterEmailAsk(
  ctx: Ctx,
  amount: Kopecks,
  providerId: string,
  choice?: PayPlace,
): Promise<void> {
  const args: Args = {
    userId: String(ctx.user.id),
    amount: String(amount),
    providerId,
    locale: ctx.say.locale,
    ...(choice ? { choiceId: choice.message_id } : {}),
  }
  return ctx.conversation.enter(emailAskName, args)
}

export function createEmailAsk(deps: BotDeps) {
  return async function email(conversation: BotConversation, ctx: Context, args: Args): Promise<void> {
    const say = deps.texts(args.locale)
    const asked = { kind: emailQuestion, userId: BigInt(args.userId), about: {} }
    const put = (to: Context, html: string) => putQuestion(deps, conversation, to, asked, { html, say })
    const first = await put(ctx, say.html('email-ask'))
    const start = conversation.checkpoint()
    const reply = await waitForWords(deps, conversation, asked, say, first)
    const address = readEmail(reply.words)
    if (address === undefined) {
      await put(reply.ctx, say.html('email-bad'))
      return conversation.rewind(start)
    }
    const chatId = reply.message.chat.id
    const { html, buttons, topUpId } = await conversation.external(() => finish(deps, args, address, chatId))
    const sent = await send(reply.ctx, html, { inline_keyboard: buttons })
    if (topUpId === undefined) return
    const { choiceId } = args
    const choice = choiceId === undefined ? undefined : { chat: { id: chatId }, message_id: choiceId }
    const paid = { userId: asked.userId, topUpId }
    await conversation.external(({ api }) => notePayMessage(deps, api, sent, paid, choice))
  }
}

async function finish(deps: BotDeps, args: Args, email: string, chatId: number) {
  const userId = BigInt(args.userId)
  await setEmail(deps.db, userId, email)
  const request = { userId, chatId, amount: BigInt(args.amount), providerId: args.providerId, email }
  return linkMessage(deps, deps.texts(args.locale), request)
}
