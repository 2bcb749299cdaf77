// The settings of a conversation on one card: model, modes, persona, and its cost so far. In a group only the user who started the
// conversation and the administrators may change them.

import { InlineKeyboard } from 'grammy'
import {
  labelOf,
  type PersonaName,
  personaNames,
  ratesOf,
  type TextModel,
  usualAnswerPrice,
} from '../../catalog/text-models.ts'
import {
  type ChoiceName,
  choicesOf,
  fileKinds,
  type ModeName,
  type Modes,
  modeNames,
  modesOf,
  sentModes,
  takes,
  takesTools,
  withChoice,
  withMode,
} from '../../catalog/text-modes.ts'
import { conversationAt, modelOf } from '../../chat/begin.ts'
import { type Conversation, changeConversation, spentIn } from '../../chat/conversations.ts'
import { decimal, times } from '../../money.ts'
import { textModelsOnSale } from '../../sales/sales.ts'
import { noteAt } from '../../telegram/message-notes.ts'
import { type Tap, taps } from '../../telegram/taps.ts'
import { locales, type Say, type Texts } from '../../texts.ts'
import {
  alert,
  alertForeign,
  answerTap,
  type BotDeps,
  type Ctx,
  locationOf,
  redraw,
  reply,
  send,
} from '../context.ts'
import { standingIn } from '../groups/members.ts'
import { closeMenu, noteOwn, plainNote, sendMenu } from '../notes.ts'
import { closeQuestionOf } from '../question.ts'
import { onTap, type Routes } from '../routes.ts'
import { conversationLocation } from './asking.ts'

export async function showSettings(deps: BotDeps, ctx: Ctx): Promise<void> {
  const conversation = await conversationHere(deps, ctx)
  const view = conversation && (await viewOf(deps, ctx, conversation))
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
    onShownSettings(deps, taps.chatModels, (_, ctx, conversation) => show(deps, ctx, conversation, true)),
    onShownSettings(deps, taps.chatSettings, async (_, ctx, conversation) => {
      await closeQuestionOf(deps, ctx, ownPersonaName)
      await closeMenu(deps, ctx)
      await show(deps, ctx, conversation)
    }),
    onSettings(deps, taps.chatModel, switchModel),
    onSettings(deps, taps.chatChoice, choose),
    onSettings(deps, taps.chatMode, switchMode),
  ],
})

type OnSettings<Args> = (deps: BotDeps, ctx: Ctx, conversation: Conversation, args: Args) => Promise<void>

/** A tap on the settings that shows something, also to a user who has opened them and may not change the conversation. */
export const onShownSettings = <Args>(deps: BotDeps, tap: Tap<Args>, handle: OnSettings<Args>) =>
  onSettings(deps, tap, handle, true)

/** A tap on the settings by a user who may change the conversation. */
export function onSettings<Args>(deps: BotDeps, tap: Tap<Args>, handle: OnSettings<Args>, isShown = false) {
  return onTap(tap, async (ctx, args) => {
    const note = await noteAt(deps, ctx.callbackQuery?.message)
    if (note?.kind !== settingsMessage.name) return alertForeign(ctx)
    const conversation = await conversationHere(deps, ctx)
    if (!conversation) return answerTap(ctx, ctx.say.plain('stale-option'))
    const isOpener = note.userId === ctx.user.id
    const refused = isOpener && isShown ? undefined : await whyNotChange(ctx, conversation)
    if (refused && !isOpener && refused === 'chat-not-yours-to-change') return alertForeign(ctx)
    if (refused) return alert(ctx, ctx.say.plain(refused))
    await handle(deps, ctx, conversation, args)
  })
}

export async function conversationHere(deps: BotDeps, ctx: Ctx): Promise<Conversation | undefined> {
  const location = locationOf(ctx)
  return location && conversationAt(deps, ctx.user.id, conversationLocation(location))
}

const switchModel: OnSettings<{ modelId: string }> = async (deps, ctx, conversation, { modelId }) => {
  const model = (await textModelsOnSale(deps)).find(({ id }) => id === modelId)
  if (!model) return show(deps, ctx, conversation, false, ctx.say.plain('stale-option'))
  const sent = sentModes(model, conversation.modes)
  const unsent = modeNames.filter((mode) => conversation.modes[mode] && !sent[mode])
  await change(deps, ctx, conversation, { modelId }, ...lostText(ctx.say, unsent))
}

/** The text about lost modes; empty when no mode is lost. */
const lostText = (say: Say, modes: readonly ModeName[]): string[] =>
  modes.length > 0 ? [say.plain('chat-modes-lost', { modes: namesOf(say, modes) })] : []

/** Modes that were switched on with another model, and for which this model has no button. */
const missingModes = (model: TextModel, { modes }: Conversation): readonly ModeName[] =>
  modeNames.filter((mode) => modes[mode] && !modesOf(model).includes(mode))

const switchMode: OnSettings<{ mode: ModeName; to: 'on' | 'off' }> = async (
  deps,
  ctx,
  conversation,
  { mode, to },
) => {
  const model = modelOf(deps, conversation)
  if (!model || !modesOf(model).includes(mode)) return answerTap(ctx, ctx.say.plain('stale-option'))
  const { modes, excluded } = withMode(model, conversation.modes, mode, to === 'on')
  const names = { mode: namesOf(ctx.say, [mode]), off: namesOf(ctx.say, excluded) }
  const said = [
    ...(excluded.length > 0 ? [ctx.say.plain('chat-mode-excludes', names)] : []),
    ...lossesOf(ctx.say, model, conversation.modes, modes),
  ]
  await change(deps, ctx, conversation, { modes }, said.join(' ') || undefined)
}

/** See `taps.chatChoice`. */
const choose: OnSettings<{ choice: string }> = async (deps, ctx, conversation, { choice: chosen }) => {
  const [to = '', name = 'depth'] = chosen.split('-').reverse()
  const model = modelOf(deps, conversation)
  const offered = model ? choicesOf(model, sentModes(model, conversation.modes)) : []
  const choice = offered.find((one) => one === name)
  if (!choice) return show(deps, ctx, conversation, false, ctx.say.plain('stale-option'))
  await change(deps, ctx, conversation, { modes: withChoice(conversation.modes, choice, to) })
}

/** A tap on the button of a choice goes on to the next value. */
const values = {
  depth: ['depth-usual', 'depth-short', 'depth-long'],
  creativity: ['creativity-usual', 'creativity-exact', 'creativity-free'],
  length: ['length-usual', 'length-short', 'length-long'],
  format: ['format-usual', 'format-json'],
} as const satisfies Readonly<Record<ChoiceName, readonly string[]>>

function choiceButton(modes: Modes, choice: ChoiceName) {
  const all: readonly (typeof values)[ChoiceName][number][] = values[choice]
  const at = all.findIndex((value) => value === `${choice}-${modes[choice] ?? 'usual'}`)
  const [shown, next] = [all[at] ?? values[choice][0], all[at + 1] ?? values[choice][0]]
  return { shown, next }
}

/** Says what the model accepts with the modes before, but not with the modes after. */
function lossesOf(say: Say, model: TextModel, before: Modes, after: Modes): string[] {
  const [was, is] = [sentModes(model, before), sentModes(model, after)]
  const lost = fileKinds.filter((kind) => takes(model, was, kind) && !takes(model, is, kind))
  const files = lost.map((kind) => say.plain(`files-${kind}`)).join(', ')
  return [
    ...(lost.length > 0 ? [say.plain('chat-mode-without', { files })] : []),
    ...(takesTools(model, was) && !takesTools(model, is) ? [say.plain('chat-mode-without-cards')] : []),
  ]
}

export const namesOf = (say: Say, modes: readonly ModeName[]): string =>
  modes.map((mode) => say.plain(`mode-${mode}`)).join(', ')

/** @param said the answer to the tap */
async function change(
  deps: BotDeps,
  ctx: Ctx,
  conversation: Conversation,
  what: Parameters<typeof changeConversation>[2],
  said?: string,
): Promise<void> {
  const changed = await changeConversation(deps.db, conversation.id, what)
  await show(deps, ctx, changed ?? conversation, false, said)
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
async function show(deps: BotDeps, ctx: Ctx, conversation: Conversation, models = false, said?: string) {
  await answerTap(ctx, said)
  const view = await viewOf(deps, ctx, conversation, models)
  if (view) await redraw(ctx, view.html, view.keyboard)
}

async function viewOf(deps: BotDeps, ctx: Ctx, conversation: Conversation, models = false) {
  const model = modelOf(deps, conversation)
  if (!model) return undefined
  const spent = await spentIn(deps.db, conversation.id)
  const ready = readyPersona(deps.texts, conversation.system)
  const settings = ctx.say.html('chat-settings', {
    model: labelOf(model),
    persona: ready ? personaLabel(ctx.say, ready) : (conversation.system ?? ctx.say.plain('persona-none')),
    spent: ctx.say.roubles(spent.captured),
    answers: spent.turns,
  })
  const lost = lostText(ctx.say, missingModes(model, conversation))
  return {
    html: [settings, ...pricesText(ctx.say, model), ...howToAsk(ctx), ...lost].join('\n\n'),
    keyboard: models ? await modelsKeyboard(deps, ctx, model) : modesKeyboard(ctx, conversation, model),
  }
}

const howToAsk = ({ say, chat, me }: Ctx): string[] =>
  chat?.type === 'private'
    ? [say.html('chat-how')]
    : [say.html('chat-settings-group'), say.html('chat-how-group', { bot: `@${me.username}` })]

/** What answers cost; nothing about a model without rates. */
function pricesText(say: Say, model: TextModel): string[] {
  const amount = usualAnswerPrice(model)
  const rates = ratesOf(model)
  if (amount === undefined || !rates) return []
  const perMillion = (roubles: string) => say.rate(times(decimal(roubles), decimal(rates.multiplier)))
  const [input, output] = [perMillion(rates.input), perMillion(rates.output)]
  return [say.html('chat-settings-price', { amount: say.roubles(amount), input, output })]
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
  for (const choice of choicesOf(model, on)) {
    const { shown, next } = choiceButton(on, choice)
    keyboard.text(ctx.say.plain(shown), taps.chatChoice.data({ choice: next })).row()
  }
  return keyboard.text(ctx.say.plain('button-personas'), taps.personas.data())
}

const modeText = (ctx: Ctx, mode: ModeName, isOn: boolean): string =>
  `${ctx.say.plain(`mode-${mode}`)}: ${ctx.say.plain(isOn ? 'answer-on' : 'answer-off')}`

async function modelsKeyboard(deps: BotDeps, ctx: Ctx, current: TextModel): Promise<InlineKeyboard> {
  const keyboard = new InlineKeyboard()
  for (const model of await textModelsOnSale(deps)) {
    const amount = usualAnswerPrice(model)
    const name = amount === undefined ? labelOf(model) : `${labelOf(model)} · ≈ ${ctx.say.roubles(amount)}`
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
