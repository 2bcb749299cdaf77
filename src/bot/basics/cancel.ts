// /cancel: closes the open question, or else drops the newest card. When there is neither, it says which orders are under way, and whether
// they can still be cancelled, or that an answer is being written.

import { InlineKeyboard } from 'grammy'
import { promptInRequest } from '../../catalog/prompt.ts'
import { answerBeingWritten } from '../../chat/turns.ts'
import { dropDraft, newestOpenDraft } from '../../generations/drafts.ts'
import type { Generation } from '../../generations/generation.ts'
import { ordersUnderWay } from '../../generations/waiting.ts'
import { localTime } from '../../telegram/local-time.ts'
import { removeMessage } from '../../telegram/remove-message.ts'
import { taps } from '../../telegram/taps.ts'
import { deadlineOf } from '../../tracker/run-limits.ts'
import type { BotDeps, Ctx } from '../context.ts'
import { closeQuestion } from '../open-question.ts'
import { reply } from '../responses.ts'

/** A draft without a card is dropped together with its open question. */
export async function cancel(deps: BotDeps, ctx: Ctx): Promise<void> {
  const draft = ctx.chatId === undefined ? undefined : await newestOpenDraft(deps.db, ctx.user.id, ctx.chatId)
  if (await closeQuestion(deps, ctx)) {
    if (draft?.cardMessageId === null) await dropDraft(deps.db, draft.id, deps.clock.now())
    return reply(ctx, ctx.say.html('question-cancelled'))
  }
  if (!draft || !(await dropDraft(deps.db, draft.id, deps.clock.now()))) return tellOrders(deps, ctx)
  if (draft.cardMessageId !== null) await removeMessage(ctx.api, draft.chatId, draft.cardMessageId)
  await reply(ctx, ctx.say.html('cancel-done'))
}

async function tellOrders(deps: BotDeps, ctx: Ctx): Promise<void> {
  const orders = ctx.chatId === undefined ? [] : await ordersUnderWay(deps, ctx.user.id, ctx.chatId)
  if (orders.length === 0) return tellAnswer(deps, ctx)
  const lines = orders.map((order, at) => orderText(deps, ctx, order, at + 1)).join('\n')
  const keyboard = new InlineKeyboard()
  for (const [at, { id: generationId, state }] of orders.entries()) {
    if (state !== 'held') continue
    const number = orders.length > 1 ? ` ${at + 1}` : ''
    keyboard
      .text(ctx.say.plain('button-cancel-order') + number, taps.cancelOrder.data({ generationId }))
      .row()
  }
  await reply(ctx, ctx.say.html('cancel-under-way', { orders: { html: lines } }), keyboard)
}

/** The message stands where a draft would, and has a Stop button. */
async function tellAnswer({ db }: BotDeps, ctx: Ctx): Promise<void> {
  const turnId = await answerBeingWritten(db, ctx.user.id)
  if (turnId === undefined) return reply(ctx, ctx.say.html('cancel-nothing'))
  const keyboard = new InlineKeyboard()
  keyboard.text(ctx.say.plain('button-chat-stop'), taps.stopAnswer.data({ turnId }))
  await reply(ctx, ctx.say.html('cancel-answer'), keyboard)
}

/** Code points of a shown prompt: enough to recognise an order. */
const shownPrompt = 40

function orderText({ catalog }: BotDeps, { say }: Ctx, order: Generation, number: number): string {
  const model = catalog.find(order.modelId)
  return say.html(order.state === 'held' ? 'under-way-held' : 'under-way-running', {
    number,
    name: model ? say.label(model.label) : order.modelId,
    prompt: promptInRequest(order.request, shownPrompt)?.replaceAll(/\s+/g, ' ') ?? '—',
    until: localTime(say, deadlineOf(order)),
  })
}
