// Applies settings from the last order or from a preset to a card; and /presets, the list of the user's presets.

import { type Context, InlineKeyboard } from 'grammy'
import { z } from 'zod'
import type { Answers } from '../../catalog/field.ts'
import { codePoints } from '../../catalog/fields.ts'
import type { Model } from '../../catalog/model.ts'
import type { Refusal } from '../../form/answer.ts'
import { settingsIn, settingsOf, textAskedBySettings, withSettings } from '../../form/fit.ts'
import {
  type Draft,
  deletePreset,
  findDraft,
  findPreset,
  lastAnswers,
  mostPresets,
  type Preset,
  presetsOf,
  savePreset,
} from '../../orders/drafts.ts'
import type { Note } from '../../telegram/message-notes.ts'
import { taps } from '../../telegram/taps.ts'
import { escapeHtml, type Say } from '../../texts.ts'
import { shownName } from '../../users/user.ts'
import { alert, alertStale, answerTap, type BotDeps, type Ctx, inPrivate, redraw, reply } from '../context.ts'
import { noteKind, openMenu, sendMenu } from '../notes.ts'
import { type Asker, actOutside, askForWords, type BotConversation, closeQuestionOf } from '../question.ts'
import { onTap, type Routes } from '../routes.ts'
import { answerText, refusalText } from './answer-text.ts'
import { takeSettings } from './answers.ts'
import { askField } from './ask.ts'
import { alertStaleCard, onCardTap, sendCard, showChanged, showPage, startDraft } from './cards.ts'
import { continueDraft } from './models.ts'
import { modelOf } from './switch-model.ts'

export const presets = (deps: BotDeps): Routes => ({
  commands: {
    presets: (ctx) => list(deps, ctx),
  },
  taps: [
    onCardTap(deps, taps.openPresets, (ctx, draft) => showPage(deps, ctx, draft, { at: 'presets' })),
    onCardTap(deps, taps.useLast, async (ctx, draft) =>
      takeOver(deps, ctx, draft, await lastAnswers(deps.db, draft.userId, draft.modelId)),
    ),
    onCardTap(deps, taps.usePreset, async (ctx, draft, { presetId }) => {
      const preset = await findPreset(deps.db, presetId, draft.userId)
      await takeOver(deps, ctx, draft, preset?.modelId === draft.modelId ? preset.answers : undefined)
    }),
    onCardTap(deps, taps.savePreset, async (ctx, draft) => {
      await answerTap(ctx)
      await enterPresetNaming(ctx, draft)
    }),
    onTap(
      taps.listPresets,
      inPrivate((ctx: Ctx) => list(deps, ctx)),
    ),
    onPresetTap(deps, taps.showPreset, showPreset),
    onPresetTap(deps, taps.startPreset, startPreset),
    onPresetTap(deps, taps.deletePreset, removePreset),
  ],
})

/**
 * If the settings need a text of the user (own lyrics), their switch stays off until the text is sent. Otherwise the description on the
 * card would be sent as the lyrics.
 * @param settings undefined when the order or the preset no longer exists
 */
async function takeOver(deps: BotDeps, ctx: Ctx, draft: Draft, settings: Answers | undefined): Promise<void> {
  if (!settings) return alert(ctx, ctx.say.plain('stale-option'))
  const model = modelOf(deps, draft)
  const asking = textAskedBySettings(model, draft, settings)
  const taken = asking ? { ...settings, [asking.toggle.name]: false } : settings
  const changed = await takeSettings(deps, draft, model, taken)
  if (!changed) return alertStaleCard(ctx)
  await stopNaming(deps, ctx, draft)
  await showChanged(deps, ctx, { draft: changed }, { at: 'main' }, ctx.say.plain('settings-taken'))
  if (asking) await askField(deps, ctx, changed, asking.text.name, asking.toggle.name)
}

/** Shows the list, after a tap in place of the tapped message. */
async function list(deps: BotDeps, ctx: Ctx): Promise<void> {
  const { say } = ctx
  const own = await presetsOf(deps.db, ctx.user.id)
  const keyboard = new InlineKeyboard()
  for (const { id: presetId, name, modelId } of own) {
    const model = deps.catalog.find(modelId)
    if (model) keyboard.text(`${name} · ${say.label(model.label)}`, taps.showPreset.data({ presetId })).row()
  }
  const html = own.length > 0 ? say.html('presets') : say.html('presets-none')
  const menu = { at: 'presets' } as const
  if (!ctx.callbackQuery) return void (await sendMenu(deps, ctx, menu, html, keyboard))
  await answerTap(ctx)
  await redraw(ctx, html, keyboard)
  await openMenu(deps, ctx, menu)
}

type PresetTap = (typeof taps)['showPreset' | 'startPreset' | 'deletePreset']
interface OwnPreset {
  readonly preset: Preset
  readonly model: Model
}

/** Handles a tap on a preset of the user who taps. */
function onPresetTap(
  deps: BotDeps,
  tap: PresetTap,
  handle: (deps: BotDeps, ctx: Ctx, own: OwnPreset) => Promise<void>,
) {
  const onOwn = async (ctx: Ctx, { presetId }: { presetId: string }) => {
    const preset = await findPreset(deps.db, presetId, ctx.user.id)
    const model = preset && deps.catalog.find(preset.modelId)
    if (!preset || !model) return alertStale(ctx)
    await handle(deps, ctx, { preset, model })
  }
  return onTap(tap, inPrivate(onOwn))
}

async function showPreset(deps: BotDeps, ctx: Ctx, { preset, model }: OwnPreset): Promise<void> {
  const { say } = ctx
  const { id: presetId, name } = preset
  const title = say.html('preset-title', { name, model: say.label(model.label) })
  const lines = linesOf(model, preset.answers, say)
  const keyboard = new InlineKeyboard()
    .text(say.plain('button-use-preset'), taps.startPreset.data({ presetId }))
    .primary()
    .row()
    .text(say.plain('button-delete-preset'), taps.deletePreset.data({ presetId }))
    .text(say.plain('button-back'), taps.listPresets.data())
  await answerTap(ctx)
  await redraw(ctx, [title, ...lines].join('\n'), keyboard)
  await openMenu(deps, ctx, { at: 'presets' })
}

/** The settings that differ from the defaults. */
function linesOf(model: Model, answers: Answers, say: Say): string[] {
  const complete = model.complete(answers)
  const set = settingsOf(model, complete).filter(
    ({ field }) => answers[field.name] !== undefined && complete[field.name] !== undefined,
  )
  if (set.length === 0) return [say.html('preset-defaults')]
  return set.map(({ field }) => {
    const value = answerText(field, complete[field.name], say)
    return `${escapeHtml(say.label(field.label))}: <b>${escapeHtml(value)}</b>`
  })
}

async function startPreset(deps: BotDeps, ctx: Ctx, { preset, model }: OwnPreset): Promise<void> {
  if (!deps.catalog.isOffered(model)) return alert(ctx, ctx.say.plain('card-not-offered-now'))
  await answerTap(ctx)
  const draft = await startDraft(deps, ctx, model, withSettings(model, {}, preset.answers))
  if (draft) await continueDraft(deps, ctx, draft)
}

async function removePreset(deps: BotDeps, ctx: Ctx, { preset }: OwnPreset): Promise<void> {
  await deletePreset(deps.db, preset.id, ctx.user.id)
  await list(deps, ctx)
}

// Asks for the name of a preset, and saves the settings of the draft under it.

interface Args extends Asker {
  readonly draftId: string
}

export const presetNamingName = 'preset'

const presetQuestion = noteKind('preset-question', z.strictObject({ draftId: z.string() }))

/** In code points; the name is the text of a button. */
const maxName = 30

function enterPresetNaming(ctx: Ctx, draft: Draft): Promise<void> {
  const { locale } = ctx.say
  const args: Args = { draftId: draft.id, userId: String(draft.userId), locale }
  return ctx.conversation.enter(presetNamingName, args)
}

/** Closes the question for a name when the user leaves the page of presets. */
export const stopNaming = (deps: BotDeps, ctx: Ctx, { id }: Draft): Promise<void> =>
  closeQuestionOf(deps, ctx, presetNamingName, id)

export function createPresetNaming(deps: BotDeps) {
  return async function preset(conversation: BotConversation, ctx: Context, args: Args): Promise<void> {
    const say = deps.texts(args.locale)
    const { draftId, userId } = args
    const asked = { kind: presetQuestion, userId: BigInt(userId), about: { draftId } }
    const html = say.html('preset-name', { max: maxName })
    const { name } = await askForName(deps, conversation, ctx, asked, { html, say, max: maxName })
    await actOutside(conversation, (now) => save(deps, now, args, name))
  }
}

interface NameQuestion {
  readonly html: string
  readonly say: Say
  /** In code points. */
  readonly max: number
}

/** Asks for a name until it is neither empty nor too long. */
export async function askForName<T>(
  deps: BotDeps,
  conversation: BotConversation,
  ctx: Context,
  asked: Note<T>,
  { html, say, max }: NameQuestion,
): Promise<{ readonly name: string; readonly ctx: Context }> {
  const refusalOf = (name: string): Refusal | undefined => {
    const length = codePoints(name)
    if (length === 0) return { reason: 'empty' }
    return length > max ? { reason: 'too-long', max, length } : undefined
  }
  const reply = await askForWords(deps, conversation, ctx, asked, { html, say }, ({ words }) => {
    const refusal = refusalOf(shownName(words))
    return refusal && refusalText(say, refusal, undefined)
  })
  return { name: shownName(reply.words), ctx: reply.ctx }
}

async function save(deps: BotDeps, ctx: Ctx, { draftId, userId }: Args, name: string): Promise<void> {
  const { say } = ctx
  const draft = await findDraft(deps.db, draftId, BigInt(userId))
  if (draft?.state !== 'open') return reply(ctx, say.html('card-closed'))
  const { userId: owner, modelId } = draft
  const settings = settingsIn(modelOf(deps, draft), draft.answers)
  const isSaved = await savePreset(deps, { userId: owner, modelId, name, answers: settings })
  const told = isSaved
    ? say.html('preset-saved', { name })
    : say.html('preset-too-many', { most: mostPresets })
  await sendCard(deps, ctx.api, draft, say, { at: 'main' }, [told])
}
