// A conversation's settings on one card: model, modes, persona, what it has cost. In a group only who began the conversation, or
// an administrator, changes them.

import { Composer, InlineKeyboard } from 'grammy'
import {
  labelOf,
  type ModeName,
  modeNames,
  modesOf,
  offeredModels,
  type TextModel,
} from '../../catalog/text-models.ts'
import { modelOf, modesIn, threadAt } from '../../chat/begin.ts'
import { changeThread, spentIn, type Thread, toggled } from '../../chat/threads.ts'
import { decimal, times } from '../../money.ts'
import type { Say } from '../../texts.ts'
import type { BotDeps, Ctx } from '../context.ts'
import { noteAt, plainNote, refuseTap, writeNote } from '../notes.ts'
import { placeOf } from '../place.ts'
import { whereOf } from './asking.ts'

const maxSystem = 2000

export async function showSettings(deps: BotDeps, ctx: Ctx): Promise<void> {
  const view = await viewOf(deps, ctx)
  if (!view) return void (await ctx.reply(ctx.say.html('chat-off'), { parse_mode: 'HTML' }))
  const sent = await ctx.reply(view.html, { parse_mode: 'HTML', reply_markup: view.keyboard })
  await writeNote(deps, sent, { kind: settingsMessage, userId: ctx.user.id, about: {} })
}

const settingsMessage = plainNote('chat-settings')

export function settingsTaps(deps: BotDeps): Composer<Ctx> {
  const composer = new Composer<Ctx>()
  composer.callbackQuery(/^c[hmt]:/, async (ctx, next) => {
    if (await isOnTheirSettings(deps, ctx)) return next()
    await refuseTap(ctx)
  })
  composer.command('system', (ctx) => setSystem(deps, ctx, ctx.match.trim()))
  composer.callbackQuery('ch:models', (ctx) => redraw(deps, ctx, true))
  composer.callbackQuery('ch:back', (ctx) => redraw(deps, ctx, false))
  composer.callbackQuery('ch:persona', (ctx) => change(deps, ctx, { system: null }))
  composer.callbackQuery(/^cm:(.{1,60})$/s, async (ctx) => {
    const model = offeredModels(deps.textModels).find(({ id }) => id === ctx.match[1])
    if (!model) return void (await ctx.answerCallbackQuery(ctx.say.plain('stale-option')))
    await change(deps, ctx, { modelId: model.id })
  })
  composer.callbackQuery(/^ct:(\w+)$/, async (ctx) => {
    const mode = modeNames.find((name) => name === ctx.match[1])
    const thread = mode && (await threadHere(deps, ctx))
    if (!mode || !thread) return void (await ctx.answerCallbackQuery(ctx.say.plain('stale-option')))
    await change(deps, ctx, { modes: toggled(thread.modes, mode) })
  })
  return composer
}

/** The message of settings that they opened, or any for who may change the conversation. */
async function isOnTheirSettings(deps: BotDeps, ctx: Ctx): Promise<boolean> {
  const note = await noteAt(deps, ctx.callbackQuery?.message)
  if (note?.kind !== settingsMessage.name) return false
  if (note.userId === ctx.user.id) return true
  const thread = await threadHere(deps, ctx)
  return thread !== undefined && mayChange(ctx, thread)
}

async function threadHere(deps: BotDeps, ctx: Ctx): Promise<Thread | undefined> {
  const spot = placeOf(ctx)
  return spot && threadAt(deps, ctx.user.id, whereOf(spot))
}

async function change(deps: BotDeps, ctx: Ctx, what: Parameters<typeof changeThread>[2]): Promise<void> {
  const thread = await threadHere(deps, ctx)
  if (thread && !(await mayChange(ctx, thread))) {
    const text = ctx.say.plain('chat-not-yours-to-change')
    return void (await ctx.answerCallbackQuery({ text, show_alert: true }))
  }
  if (thread) await changeThread(deps.db, thread.id, what)
  await redraw(deps, ctx, false)
}

async function setSystem(deps: BotDeps, ctx: Ctx, text: string): Promise<void> {
  if (text === '' || [...text].length > maxSystem) {
    return void (await ctx.reply(ctx.say.html('chat-system-how', { max: maxSystem }), { parse_mode: 'HTML' }))
  }
  const thread = await threadHere(deps, ctx)
  if (thread && !(await mayChange(ctx, thread))) {
    return void (await ctx.reply(ctx.say.html('chat-not-yours-to-change'), { parse_mode: 'HTML' }))
  }
  if (thread) await changeThread(deps.db, thread.id, { system: text })
  await showSettings(deps, ctx)
}

/** In private chats everybody; in a group its administrators and the person whose message began the conversation. */
export async function mayChange(ctx: Ctx, { userId }: Thread): Promise<boolean> {
  if (ctx.chat?.type === 'private' || userId === ctx.user.id) return true
  const { status } = await ctx.getAuthor()
  return status === 'administrator' || status === 'creator'
}

async function redraw(deps: BotDeps, ctx: Ctx, models: boolean): Promise<void> {
  await ctx.answerCallbackQuery()
  const view = await viewOf(deps, ctx, models)
  if (view)
    await ctx
      .editMessageText(view.html, { parse_mode: 'HTML', reply_markup: view.keyboard })
      .catch(() => undefined)
}

async function viewOf(deps: BotDeps, ctx: Ctx, models = false) {
  const thread = await threadHere(deps, ctx)
  const model = thread && modelOf(deps, thread)
  if (!thread || !model) return undefined
  const spent = await spentIn(deps.db, thread.id)
  const html = ctx.say.html('chat-settings', {
    model: labelOf(model),
    ...pricesOf(ctx.say, model),
    persona: thread.system ?? '—',
    spent: ctx.say.roubles(spent.captured),
    answers: spent.turns,
  })
  return { html, keyboard: models ? modelsKeyboard(deps, ctx, model) : modesKeyboard(ctx, thread, model) }
}

function pricesOf(say: Say, { rates, multiplier }: TextModel) {
  const price = (roubles = '0') => say.rate(times(decimal(roubles), decimal(multiplier)))
  return { input: price(rates?.input), output: price(rates?.output) }
}

function modesKeyboard(ctx: Ctx, thread: Thread, model: TextModel): InlineKeyboard {
  const keyboard = new InlineKeyboard()
    .text(ctx.say.plain('button-models', { name: labelOf(model) }), 'ch:models')
    .row()
  const on = modesIn(thread, model)
  for (const mode of modesOf(model)) keyboard.text(modeText(ctx, mode, on[mode]), `ct:${mode}`).row()
  return thread.system === null ? keyboard : keyboard.text(ctx.say.plain('button-persona-off'), 'ch:persona')
}

const modeText = (ctx: Ctx, mode: ModeName, isOn: boolean): string =>
  `${ctx.say.plain(`mode-${mode}`)}: ${ctx.say.plain(isOn ? 'answer-on' : 'answer-off')}`

function modelsKeyboard(deps: BotDeps, ctx: Ctx, current: TextModel): InlineKeyboard {
  const keyboard = new InlineKeyboard()
  for (const model of offeredModels(deps.textModels)) {
    const { input, output } = pricesOf(ctx.say, model)
    const name = `${labelOf(model)} · ${input} / ${output} ₽`
    keyboard.text(model.id === current.id ? `● ${name}` : name, `cm:${model.id}`).row()
  }
  return keyboard.text(ctx.say.plain('button-back'), 'ch:back')
}
