// Commands that answer with a text: /help, /support, /paysupport, /terms, /privacy; and /cancel.

import { InlineKeyboard } from 'grammy'
import { promptInRequest } from '../../catalog/request.ts'
import { type AnswerUnderWay, answersBeingWritten } from '../../chat/turns.ts'
import { settingAt } from '../../form/fit.ts'
import { type Draft, dropDraft, findDraft, newestOpenDraft } from '../../orders/drafts.ts'
import type { Generation } from '../../orders/generation.ts'
import { ordersUnderWay } from '../../orders/history.ts'
import { deadlineOf } from '../../orders/times.ts'
import { localTime } from '../../telegram/local-time.ts'
import { htmlWithoutPreview, removeMessage } from '../../telegram/send.ts'
import { taps } from '../../telegram/taps.ts'
import type { Html, Say } from '../../texts.ts'
import { contactOf, takeSupport, takesSupport } from '../account/support.ts'
import { groupPays } from '../balance.ts'
import { labelOf } from '../cards/answer-text.ts'
import { fieldQuestion } from '../cards/ask.ts'
import { stepIn } from '../cards/guide-steps.ts'
import { canTopUp, offersChat, readOnSale } from '../commands.ts'
import { type BotDeps, type Ctx, privateChatButton, reply } from '../context.ts'
import { noteOwn, supportNote } from '../notes.ts'
import { closeQuestion, openQuestion } from '../question.ts'
import { onTap, type Routes } from '../routes.ts'
import { stopAsking } from './fallback.ts'

export const basics = (deps: BotDeps): Routes => ({
  commands: {
    help: (ctx) => (ctx.chat.type === 'private' ? help(deps, ctx) : helpGroup(deps, ctx)),
    cancel: (ctx) => cancel(deps, ctx),
    async support(ctx) {
      if (!(await takeSupport(deps, ctx))) await showLegal(deps, ctx, 'support')
    },
    paysupport: (ctx) => showLegal(deps, ctx, 'paysupport'),
    terms: (ctx) => showLegal(deps, ctx, 'terms'),
    privacy: (ctx) => showLegal(deps, ctx, 'privacy'),
  },
  taps: [onTap(taps.stopAsking, (ctx) => stopAsking(deps, ctx))],
})

async function help(deps: BotDeps, ctx: Ctx): Promise<void> {
  const { say } = ctx
  const money = [say.html('help-balance'), ...(canTopUp(deps) ? [say.html('help-topup')] : [])]
  const commands = await commandList(deps, say, say.html('help-chat'))
  await reply(ctx, say.html('help', { commands, money: linesOf(money) }))
}

/** Help in a group: what works there, how to ask, and who pays. */
async function helpGroup(deps: BotDeps, ctx: Ctx): Promise<void> {
  const { say, user, chatId = 0 } = ctx
  const chat = say.html('help-chat-group', { bot: `@${ctx.me.username}` })
  const byWallet = await groupPays(deps, chatId, user)
  const payers = [
    say.html(byWallet ? 'payer-orders-wallet' : 'payer-orders-own'),
    ...(offersChat(deps) ? [say.html('payer-answers')] : []),
  ]
  const commands = await commandList(deps, say, chat)
  const html = say.html('help-group', { commands, payers: linesOf(payers) })
  await reply(ctx, html, privateChatButton(ctx))
}

/** @param chat the line that says how to ask a text model */
async function commandList(deps: BotDeps, say: Say, chat: string): Promise<Html> {
  const talk = offersChat(deps) ? [chat, say.html('help-persona')] : []
  const { commands } = await readOnSale(deps)
  return linesOf([...talk, ...commands.map((command) => say.html(`help-${command}`)), say.html('help-ideas')])
}

const linesOf = (lines: readonly string[]): Html => ({ html: lines.join('\n') })

/** Texts that the operator can replace (TEXTS_DIR). */
async function showLegal(
  deps: BotDeps,
  ctx: Ctx,
  page: 'support' | 'paysupport' | 'terms' | 'privacy',
): Promise<void> {
  const html = ctx.say.html(`legal-${page}`, { contact: contactOf(deps, ctx.say) })
  const { consentVersion: version } = ctx.user
  const agreed = page === 'privacy' && version !== null ? [ctx.say.html('consent-known', { version })] : []
  if (page !== 'support' || !takesSupport(deps, ctx)) return reply(ctx, [html, ...agreed].join('\n\n'))
  const options = { ...htmlWithoutPreview, reply_markup: { force_reply: true } } as const
  const sent = await ctx.reply(`${html}\n\n${ctx.say.html('support-here')}`, options)
  await noteOwn(deps, ctx, sent, supportNote)
}

// /cancel: closes the open question, or else the newest card, and names it. It also lists the orders and answers that go on, with the
// amounts held for them: in a private chat all of the user's, in a group those of that group.

async function cancel(deps: BotDeps, ctx: Ctx): Promise<void> {
  const { say, user } = ctx
  const closed = (await closeAsked(deps, ctx)) ?? (await closeCard(deps, ctx))
  const chatId = ctx.chat?.type === 'private' ? undefined : ctx.chatId
  const orders = await ordersUnderWay(deps, user.id, chatId)
  const answers = await answersBeingWritten(deps.db, user.id, chatId)
  if (orders.length + answers.length === 0) return reply(ctx, closed ?? say.html('cancel-nothing'))
  const going = goingOn(deps, say, orders, answers)
  const html = closed ?? say.html('cancel-none-open')
  await reply(
    ctx,
    say.html('cancel-under-way', { closed: { html }, going: { html: going.html } }),
    going.keyboard,
  )
}

/** Closes the open question; a draft without a card is dropped with it. @returns undefined when no question was open */
async function closeAsked(deps: BotDeps, ctx: Ctx): Promise<string | undefined> {
  const { say } = ctx
  const asked = await openQuestion(deps, ctx, fieldQuestion)
  const draft = asked ? await findDraft(deps.db, asked.draftId, ctx.user.id) : await newestOf(deps, ctx)
  if (!(await closeQuestion(deps, ctx))) return undefined
  const isDropped = draft?.cardMessageId === null && (await dropDraft(deps.db, draft.id, deps.clock.now()))
  const what = asked && draft && fieldName(deps, say, draft, asked.fieldName)
  const closed = say.html(what ? 'cancel-question' : 'cancel-question-unnamed', { what: what ?? '' })
  if (draft?.state !== 'open' || isDropped) return closed
  return `${closed} ${say.html('cancel-card-stays', { title: draftTitle(deps, say, draft) })}`
}

/** Drops the newest card. @returns undefined when there is none */
async function closeCard(deps: BotDeps, ctx: Ctx): Promise<string | undefined> {
  const draft = await newestOf(deps, ctx)
  if (!draft || !(await dropDraft(deps.db, draft.id, deps.clock.now()))) return undefined
  if (draft.cardMessageId !== null) await removeMessage(ctx.api, draft.chatId, draft.cardMessageId)
  const title = draftTitle(deps, ctx.say, draft)
  return ctx.say.html(stepIn(draft.openPage) === undefined ? 'cancel-done' : 'cancel-guide', { title })
}

const newestOf = async ({ db }: BotDeps, { user, chatId }: Ctx): Promise<Draft | undefined> =>
  chatId === undefined ? undefined : newestOpenDraft(db, user.id, chatId)

function fieldName({ catalog }: BotDeps, say: Say, draft: Draft, name: string): string | undefined {
  const model = catalog.find(draft.modelId)
  const setting = model && settingAt(model, model.complete(draft.answers), name)
  return setting && labelOf(setting.field, say)
}

function draftTitle({ catalog }: BotDeps, say: Say, { modelId, answers }: Draft): string {
  return titleOf(catalog, say, modelId, catalog.find(modelId)?.write(answers) ?? {})
}

/** Code points of a shown prompt: enough to recognise an order. */
const shownPrompt = 40

/** `Reel: a cat surfing` */
function titleOf(
  catalog: BotDeps['catalog'],
  say: Say,
  modelId: string,
  request: Record<string, unknown>,
): string {
  const model = catalog.find(modelId)
  const name = model ? say.label(model.label) : modelId
  const prompt = promptInRequest(request, shownPrompt)?.replaceAll(/\s+/g, ' ')
  return prompt === undefined ? name : say.plain('label-whose', { name, label: prompt })
}

/** A numbered line for each order and answer, and the buttons that stop those that can be stopped. */
function goingOn(
  { catalog }: BotDeps,
  say: Say,
  orders: readonly Generation[],
  answers: readonly AnswerUnderWay[],
): { html: string; keyboard: InlineKeyboard } {
  const keyboard = new InlineKeyboard()
  const isOne = orders.length + answers.length === 1
  const label = (text: string, number: number) => (isOne ? text : `${text} ${number}`)
  const lines = orders.map((order, at) => {
    const number = at + 1
    const title = titleOf(catalog, say, order.modelId, order.request)
    const values = {
      number,
      title,
      amount: say.roubles(order.amount),
      until: localTime(say, deadlineOf(order)),
    }
    if (order.state !== 'held') return say.html('under-way-running', values)
    const text = label(say.plain('button-cancel-order'), number)
    keyboard.text(text, taps.cancelOrder.data({ generationId: order.id })).row()
    return say.html('under-way-held', values)
  })
  const written = answers.map(({ id, amount }, at) => {
    const number = orders.length + at + 1
    const text = label(say.plain('button-chat-stop'), number)
    keyboard.text(text, taps.stopAnswer.data({ turnId: id })).row()
    return say.html('under-way-answer', { number, amount: say.roubles(amount) })
  })
  return { html: [...lines, ...written].join('\n'), keyboard }
}
