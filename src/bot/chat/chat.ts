// Talking to a text model: plain text in private chats, /chat anywhere, a mention or a reply in groups; and the taps and
// commands around a conversation.

import { Composer, type Context } from 'grammy'
import type { Message } from 'grammy/types'
import { threadAt } from '../../chat/begin.ts'
import { findThread, spentIn, startOver, type Turn } from '../../chat/threads.ts'
import { findTurn, lastTurnOf } from '../../chat/turns.ts'
import { offerTopUp } from '../cards/card.ts'
import type { BotDeps, Ctx } from '../context.ts'
import { placeOf } from '../place.ts'
import { type Asked, ask, draftKey, mayNotAsk, type Refused, whereOf } from './asking.ts'
import { mayChange, settingsTaps, showSettings } from './settings.ts'
import { wordsOf } from './words.ts'

/** Telegram's own Stop button: its update comes from nobody, so it goes before people are recognised. */
export function chatStops({ running }: BotDeps): Composer<Context> {
  const composer = new Composer<Context>()
  composer.use(async (ctx, next) => {
    const stopped = ctx.update.stopped_message_generation
    if (!stopped) return next()
    running.stop(draftKey(stopped.chat.id, stopped.draft_id))
  })
  return composer
}

export function chat(deps: BotDeps): Composer<Ctx> {
  const composer = new Composer<Ctx>()
  composer.command('chat', async (ctx) => {
    if (ctx.match.trim() === '') return showSettings(deps, ctx)
    await askHere(deps, ctx, ctx.msg, ctx.match)
  })
  composer.command('new', (ctx) => beginAnew(deps, ctx))
  composer.command('retry', (ctx) => retryLast(deps, ctx))
  composer.command(['model', 'thinking', 'search'], (ctx) => showSettings(deps, ctx))
  composer.use(settingsTaps(deps))
  composer.callbackQuery(/^cs:([a-z0-9]{10})$/, async (ctx) => {
    const own = await findTurn(deps.db, String(ctx.match[1]), ctx.user.id)
    const stopped = own?.state === 'streaming'
    if (stopped) deps.running.stop(own.id)
    await ctx.answerCallbackQuery(ctx.say.plain(stopped ? 'chat-stopping' : 'chat-not-yours'))
  })
  composer.callbackQuery(/^cc:([a-z0-9]{10})$/, (ctx) => explainCost(deps, ctx, String(ctx.match[1])))
  composer.callbackQuery(/^cr:([a-z0-9]{10})$/, (ctx) => askAgain(deps, ctx, String(ctx.match[1])))
  composer
    .chatType('private')
    .on(['message:text', 'message:caption', 'message:document'], async (ctx, next) => {
      const words = ctx.msg.text ?? ctx.msg.caption ?? ''
      if (words.startsWith('/')) return next()
      await askHere(deps, ctx, ctx.msg, words)
    })
  composer.chatType('private').on('edited_message:text', (ctx) => askEdited(deps, ctx))
  composer.chatType(['group', 'supergroup']).on(['message:text', 'message:caption'], async (ctx, next) => {
    const words = addressed(ctx, ctx.msg)
    if (words === undefined) return next()
    await askHere(deps, ctx, ctx.msg, words)
  })
  return composer
}

/** What is said to the bot in a group: by a mention, or in reply to it; undefined when it is not meant. */
function addressed(ctx: Ctx, message: Message): string | undefined {
  const words = message.text ?? message.caption ?? ''
  const name = `@${ctx.me.username}`
  const isMentioned = words.toLowerCase().includes(name.toLowerCase())
  const isReply = message.reply_to_message?.from?.id === ctx.me.id
  if (words.startsWith('/') || (!isMentioned && !isReply)) return undefined
  return words.replaceAll(new RegExp(name, 'gi'), '').trim() || undefined
}

async function askHere(deps: BotDeps, ctx: Ctx, message: Message, words: string): Promise<void> {
  const place = placeOf(ctx)
  if (!place) return
  const refused = message.document && (await mayNotAsk(deps, ctx.user, place))
  if (refused) return explain(deps, ctx, refused)
  const read = await wordsOf(deps, message, words, ctx.me.id)
  if (!read) return void (await ctx.reply(ctx.say.html('chat-unreadable'), { parse_mode: 'HTML' }))
  await begin(deps, ctx, { ...read, messageId: message.message_id })
}

async function begin(
  deps: BotDeps,
  ctx: Ctx,
  question: Pick<Asked, 'text' | 'files' | 'messageId'>,
): Promise<void> {
  const spot = placeOf(ctx)
  if (!spot) return
  const { api, user, say } = ctx
  const isPrivate = ctx.chat?.type === 'private'
  const updateId = ctx.update.update_id
  const refused = await ask(deps, { ...question, updateId, api, user, say, spot, isPrivate })
  if (refused) await explain(deps, ctx, refused)
}

async function explain(deps: BotDeps, ctx: Ctx, refused: Refused): Promise<void> {
  if (refused.reason === 'insufficient') {
    const html = ctx.say.html('chat-not-enough', { missing: ctx.say.roubles(refused.missing) })
    return offerTopUp(deps, ctx, refused.missing, html)
  }
  if (refused.reason === 'daily-cap') {
    const [most, spent] = [ctx.say.roubles(refused.most), ctx.say.roubles(refused.spent)]
    return void (await ctx.reply(ctx.say.html('chat-daily-cap', { most, spent }), { parse_mode: 'HTML' }))
  }
  await ctx.reply(ctx.say.html(`chat-${refused.reason}`), { parse_mode: 'HTML' })
}

async function beginAnew(deps: BotDeps, ctx: Ctx): Promise<void> {
  const place = placeOf(ctx)
  if (!place) return
  const thread = await findThread(deps.db, whereOf(place))
  if (thread && !(await mayChange(ctx, thread))) {
    return void (await ctx.reply(ctx.say.html('chat-not-yours-to-change'), { parse_mode: 'HTML' }))
  }
  if (thread) await startOver(deps.db, thread, deps.ids.next(), deps.clock.now())
  await ctx.reply(ctx.say.html('chat-new'), { parse_mode: 'HTML' })
}

async function retryLast(deps: BotDeps, ctx: Ctx): Promise<void> {
  const place = placeOf(ctx)
  const thread = place && (await threadAt(deps, ctx.user.id, whereOf(place)))
  const last = thread && (await lastTurnOf(deps.db, thread.id, ctx.user.id))
  if (!last) return void (await ctx.reply(ctx.say.html('chat-nothing-to-retry'), { parse_mode: 'HTML' }))
  await begin(deps, ctx, asked(last, ctx))
}

async function askAgain(deps: BotDeps, ctx: Ctx, turnId: string): Promise<void> {
  const turn = await findTurn(deps.db, turnId, ctx.user.id)
  if (!turn || turn.state === 'streaming') {
    return void (await ctx.answerCallbackQuery({ text: ctx.say.plain('chat-not-yours'), show_alert: true }))
  }
  await ctx.answerCallbackQuery()
  await begin(deps, ctx, asked(turn, ctx))
}

const asked = ({ question, files, questionMessageId }: Turn, ctx: Ctx) => ({
  text: question,
  files,
  messageId: questionMessageId ?? ctx.msgId ?? 1,
})

/** An edit of the last question asks it anew; what is being answered is stopped first. */
async function askEdited(deps: BotDeps, ctx: Ctx): Promise<void> {
  const message = ctx.editedMessage
  const place = placeOf(ctx)
  if (!message?.text || message.text.startsWith('/') || !place) return
  const thread = await threadAt(deps, ctx.user.id, whereOf(place))
  const last = thread && (await lastTurnOf(deps.db, thread.id, ctx.user.id))
  if (last?.questionMessageId !== message.message_id) return
  deps.running.stop(last.id)
  await askHere(deps, ctx, message, message.text)
}

async function explainCost(deps: BotDeps, ctx: Ctx, turnId: string): Promise<void> {
  const turn = await findTurn(deps.db, turnId, ctx.user.id)
  if (!turn)
    return void (await ctx.answerCallbackQuery({ text: ctx.say.plain('chat-not-yours'), show_alert: true }))
  const spent = await spentIn(deps.db, turn.threadId)
  const text = ctx.say.plain(turn.isEstimate ? 'chat-cost-estimate' : 'chat-cost', {
    amount: ctx.say.roubles(turn.captured ?? 0n),
    input: turn.inputTokens ?? 0,
    output: turn.outputTokens ?? 0,
    total: ctx.say.roubles(spent.captured),
    answers: spent.turns,
  })
  await ctx.answerCallbackQuery({ text, show_alert: true })
}
