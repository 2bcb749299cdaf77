// The settings of a conversation on one card: model, modes, persona, and its cost so far. In a group only the user who started the
// conversation and the administrators may change them.

import { InlineKeyboard } from 'grammy'
import { labelOf, type PersonaName, personaNames, type TextModel } from '../../catalog/text-models.ts'
import {
  type Depth,
  hasDepths,
  hears,
  type ModeName,
  type Modes,
  modeNames,
  modesOf,
  seesPictures,
  sentModes,
  takesTools,
  withMode,
} from '../../catalog/text-modes.ts'
import { conversationAt, modelOf } from '../../chat/begin.ts'
import { type Conversation, changeConversation, spentIn } from '../../chat/conversations.ts'
import { decimal, times } from '../../money.ts'
import { textModelsOnSale } from '../../sales/sales.ts'
import { noteAt } from '../../telegram/message-notes.ts'
import { type Tap, taps } from '../../telegram/taps.ts'
import { locales, type Say, type Texts } from '../../texts.ts'
import { alert, answerTap, type BotDeps, type Ctx, locationOf, redraw, reply, send } from '../context.ts'
import { standingIn } from '../groups/members.ts'
import { closeMenu, noteOwn, plainNote, sendMenu } from '../notes.ts'
import { closeQuestionOf } from '../question.ts'
import { onTap, type Routes } from '../routes.ts'
import { conversationLocation } from './asking.ts'

export async function showSettings(deps: BotDeps, ctx: Ctx): Promise<void> {
  const view = await viewOf(deps, ctx)
  if (!view) return reply(ctx, ctx.say.html('chat-off'))
  const sent = await sendMenu(deps, ctx, { at: 'chat' }, view.html, view.keyboard)
  await noteOwn(deps, ctx, sent, settingsMessage)
}

/** Offers another model in place of one that is switched off. */
export async function offerModels(deps: BotDeps, ctx: Ctx, off: TextModel): Promise<void> {
  const html = ctx.say.html('chat-model-off', { model: labelOf(off) })
  const sent = await send(ctx, html, await modelsKeyboard(deps, ctx, off))
  await noteOwn(deps, ctx, sent, settingsMessage)
}

/** Notes the message with the settings, also while it shows the screen of personas. */
export const settingsMessage = plainNote('chat-settings')

/** The conversation that asks for an own persona, on the screen of personas. It ends when the user leaves that screen. */
export const ownPersonaName = 'persona'

export const settingsTaps = (deps: BotDeps): Routes => ({
  taps: [
    onSettingsTap(deps, taps.chatModels, (ctx) => show(deps, ctx, true)),
    onSettingsTap(deps, taps.chatSettings, async (ctx) => {
      await closeQuestionOf(deps, ctx, ownPersonaName)
      await closeMenu(deps, ctx)
      await show(deps, ctx, false)
    }),
    onSettingsTap(deps, taps.chatModel, (ctx, { modelId }) => switchModel(deps, ctx, modelId)),
    onSettingsTap(deps, taps.chatDepth, (ctx, { depth }) => switchDepth(deps, ctx, depth)),
    onSettingsTap(deps, taps.chatMode, (ctx, { mode, to }) => switchMode(deps, ctx, mode, to === 'on')),
  ],
})

export function onSettingsTap<Args>(
  deps: BotDeps,
  tap: Tap<Args>,
  handle: (ctx: Ctx, args: Args) => Promise<void>,
) {
  return onTap(tap, async (ctx, args) => {
    const refused = await whyNotTap(deps, ctx)
    if (refused) return alert(ctx, ctx.say.plain(refused))
    await handle(ctx, args)
  })
}

/** @returns undefined when the user opened the tapped settings, or may change the conversation that they belong to */
async function whyNotTap(deps: BotDeps, ctx: Ctx) {
  const note = await noteAt(deps, ctx.callbackQuery?.message)
  if (note?.kind !== settingsMessage.name) return 'foreign-button'
  if (note.userId === ctx.user.id) return undefined
  const conversation = await conversationHere(deps, ctx)
  const refused = conversation ? await whyNotChange(ctx, conversation) : 'foreign-button'
  return refused === 'chat-not-yours-to-change' ? 'foreign-button' : refused
}

export async function conversationHere(deps: BotDeps, ctx: Ctx): Promise<Conversation | undefined> {
  const location = locationOf(ctx)
  return location && conversationAt(deps, ctx.user.id, conversationLocation(location))
}

async function switchModel(deps: BotDeps, ctx: Ctx, modelId: string): Promise<void> {
  const conversation = await conversationHere(deps, ctx)
  const model = (await textModelsOnSale(deps)).find(({ id }) => id === modelId)
  if (!conversation || !model) return show(deps, ctx, false, ctx.say.plain('stale-option'))
  const sent = sentModes(model, conversation.modes)
  const unsent = modeNames.filter((mode) => conversation.modes[mode] && !sent[mode])
  await change(deps, ctx, { modelId }, ...lostText(ctx.say, unsent))
}

/** The text about lost modes; empty when no mode is lost. */
const lostText = (say: Say, modes: readonly ModeName[]): string[] =>
  modes.length > 0 ? [say.plain('chat-modes-lost', { modes: namesOf(say, modes) })] : []

/** Modes that were switched on with another model, and for which this model has no button. */
const missingModes = (model: TextModel, { modes }: Conversation): readonly ModeName[] =>
  modeNames.filter((mode) => modes[mode] && !modesOf(model).includes(mode))

async function switchMode(deps: BotDeps, ctx: Ctx, mode: ModeName, isOn: boolean): Promise<void> {
  const conversation = await conversationHere(deps, ctx)
  const model = conversation && modelOf(deps, conversation)
  if (!model || !modesOf(model).includes(mode)) return show(deps, ctx, false, ctx.say.plain('stale-option'))
  const { modes, excluded } = withMode(model, conversation.modes, mode, isOn)
  const names = { mode: namesOf(ctx.say, [mode]), off: namesOf(ctx.say, excluded) }
  const said = [
    ...(excluded.length > 0 ? [ctx.say.plain('chat-mode-excludes', names)] : []),
    ...lossesOf(model, conversation.modes, modes).map((loss) => ctx.say.plain(`chat-mode-without-${loss}`)),
  ]
  await change(deps, ctx, { modes }, said.join(' ') || undefined)
}

async function switchDepth(deps: BotDeps, ctx: Ctx, depth: Depth | 'usual'): Promise<void> {
  const conversation = await conversationHere(deps, ctx)
  const model = conversation && modelOf(deps, conversation)
  if (!model || !hasDepths(model)) return show(deps, ctx, false, ctx.say.plain('stale-option'))
  const { depth: _, ...modes } = conversation.modes
  await change(deps, ctx, { modes: depth === 'usual' ? modes : { ...modes, depth } })
}

/** A tap on the button of the depth goes on to the next one. */
const nextDepth = { usual: 'short', short: 'long', long: 'usual' } as const

/** What the model accepts with the modes before, but not with the modes after. */
function lossesOf(
  model: TextModel,
  before: Modes,
  after: Modes,
): ('pictures' | 'sounds' | 'files' | 'cards')[] {
  const [was, is] = [sentModes(model, before), sentModes(model, after)]
  const isBlind = seesPictures(model, was) && !seesPictures(model, is)
  const isDeaf = hears(model, was) && !hears(model, is)
  const lost = isBlind && isDeaf ? 'files' : isBlind ? 'pictures' : 'sounds'
  return [
    ...(isBlind || isDeaf ? ([lost] as const) : []),
    ...(takesTools(model, was) && !takesTools(model, is) ? ['cards' as const] : []),
  ]
}

export const namesOf = (say: Say, modes: readonly ModeName[]): string =>
  modes.map((mode) => say.plain(`mode-${mode}`)).join(', ')

/** @param said the answer to the tap */
async function change(
  deps: BotDeps,
  ctx: Ctx,
  what: Parameters<typeof changeConversation>[2],
  said?: string,
): Promise<void> {
  const conversation = await conversationHere(deps, ctx)
  const refused = conversation && (await whyNotChange(ctx, conversation))
  if (refused) return alert(ctx, ctx.say.plain(refused))
  if (conversation) await changeConversation(deps.db, conversation.id, what)
  await show(deps, ctx, false, said)
}

/**
 * Why the user may not change the conversation; undefined when they may: in a private chat always; in a group an administrator, and the user
 * who started the conversation.
 */
export async function whyNotChange(ctx: Ctx, { userId }: Conversation) {
  if (!ctx.chat || ctx.chat.type === 'private' || userId === ctx.user.id) return undefined
  const standing = await standingIn(ctx.chat.id, ctx)
  if (standing === 'administrator') return undefined
  return standing === 'hidden' ? 'administrators-hidden' : 'chat-not-yours-to-change'
}

/** @param models shows the choice of models in place of the modes */
async function show(deps: BotDeps, ctx: Ctx, models: boolean, said?: string): Promise<void> {
  await answerTap(ctx, said)
  const view = await viewOf(deps, ctx, models)
  if (view) await redraw(ctx, view.html, view.keyboard)
}

async function viewOf(deps: BotDeps, ctx: Ctx, models = false) {
  const conversation = await conversationHere(deps, ctx)
  const model = conversation && modelOf(deps, conversation)
  if (!conversation || !model) return undefined
  const spent = await spentIn(deps.db, conversation.id)
  const ready = readyPersona(deps.texts, conversation.system)
  const settings = ctx.say.html('chat-settings', {
    model: labelOf(model),
    ...pricesOf(ctx.say, model),
    persona: ready ? personaLabel(ctx.say, ready) : (conversation.system ?? ctx.say.plain('persona-none')),
    spent: ctx.say.roubles(spent.captured),
    answers: spent.turns,
  })
  const html = [settings, ...howToAsk(ctx), ...lostText(ctx.say, missingModes(model, conversation))].join(
    '\n\n',
  )
  return {
    html,
    keyboard: models ? await modelsKeyboard(deps, ctx, model) : modesKeyboard(ctx, conversation, model),
  }
}

const howToAsk = ({ say, chat, me }: Ctx): string[] =>
  chat?.type === 'private'
    ? [say.html('chat-how')]
    : [say.html('chat-settings-group'), say.html('chat-how-group', { bot: `@${me.username}` })]

function pricesOf(say: Say, { rates, multiplier }: TextModel) {
  const price = (roubles = '0') => say.rate(times(decimal(roubles), decimal(multiplier)))
  return { input: price(rates?.input), output: price(rates?.output) }
}

function modesKeyboard(ctx: Ctx, conversation: Conversation, model: TextModel): InlineKeyboard {
  const keyboard = new InlineKeyboard()
    .text(ctx.say.plain('button-models', { name: labelOf(model) }), taps.chatModels.data())
    .row()
  const on = sentModes(model, conversation.modes)
  for (const mode of modesOf(model)) {
    const to = on[mode] ? 'off' : 'on'
    keyboard.text(modeText(ctx, mode, on[mode]), taps.chatMode.data({ mode, to })).row()
  }
  if (on.thinking && hasDepths(model)) {
    const { depth = 'usual' } = on
    keyboard.text(ctx.say.plain(`depth-${depth}`), taps.chatDepth.data({ depth: nextDepth[depth] })).row()
  }
  return keyboard.text(ctx.say.plain('button-personas'), taps.personas.data())
}

const modeText = (ctx: Ctx, mode: ModeName, isOn: boolean): string =>
  `${ctx.say.plain(`mode-${mode}`)}: ${ctx.say.plain(isOn ? 'answer-on' : 'answer-off')}`

async function modelsKeyboard(deps: BotDeps, ctx: Ctx, current: TextModel): Promise<InlineKeyboard> {
  const keyboard = new InlineKeyboard()
  for (const model of await textModelsOnSale(deps)) {
    const { input, output } = pricesOf(ctx.say, model)
    const name = `${labelOf(model)} · ${input} / ${output}`
    const text = model.id === current.id ? `● ${name}` : name
    keyboard.text(text, taps.chatModel.data({ modelId: model.id })).row()
  }
  return keyboard.text(ctx.say.plain('button-back'), taps.chatSettings.data())
}

// Ready-made personas. A conversation stores only the text of its persona: a ready-made one is recognised by its text, in any language.

export const personaText = (say: Say, name: PersonaName): string => say.plain(`persona-text-${name}`)
export const personaLabel = (say: Say, name: PersonaName): string => say.plain(`persona-name-${name}`)

/** @returns undefined for a text of a user, and for a ready-made one that has changed since it was stored */
export const readyPersona = (texts: Texts, system: string | null): PersonaName | undefined =>
  personaNames.find((name) => locales.some((locale) => personaText(texts(locale), name) === system))
