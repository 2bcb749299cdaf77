// Asks for the name of a preset, and saves the settings of the draft under it.

import type { Context } from 'grammy'
import { z } from 'zod'
import { codePoints } from '../../catalog/fields.ts'
import { settingsIn } from '../../form/reuse.ts'
import { type Draft, findDraft, setCard } from '../../generations/drafts.ts'
import { mostPresets, savePreset } from '../../generations/presets.ts'
import type { Locale, Say } from '../../texts.ts'
import type { BotDeps, Ctx } from '../context.ts'
import { noteKind } from '../notes.ts'
import { type BotConversation, putQuestion, waitForAnswer } from '../question.ts'
import { send } from '../responses.ts'
import { viewDraft } from './cards.ts'

/** Strings only: the conversations plugin stores them as JSON. */
interface Args {
  readonly draftId: string
  readonly userId: string
  readonly locale: Locale
}

export const presetNamingName = 'preset'

const presetQuestion = noteKind('preset-question', z.strictObject({ draftId: z.string() }))

/** Code points; the name is the text of a button. */
const maxName = 30

export function enterPresetNaming(ctx: Ctx, draft: Draft): Promise<void> {
  const { locale } = ctx.say
  const args: Args = { draftId: draft.id, userId: String(draft.userId), locale }
  return ctx.conversation.enter(presetNamingName, args)
}

export function createPresetNaming(deps: BotDeps) {
  return async function preset(conversation: BotConversation, ctx: Context, args: Args): Promise<void> {
    const say = deps.texts(args.locale)
    const { draftId, userId } = args
    const asked = { kind: presetQuestion, userId: BigInt(userId), about: { draftId } }
    const html = say.html('preset-name', { max: maxName })
    const first = await putQuestion(deps, conversation, ctx, asked, { html, say })
    const start = conversation.checkpoint()
    const reply = await waitForAnswer(deps, conversation, asked, first)
    const name = (reply.message.text ?? '').replaceAll(/\s+/g, ' ').trim()
    if (name === '' || codePoints(name) > maxName) {
      await putQuestion(deps, conversation, reply.ctx, asked, { html, say })
      return conversation.rewind(start)
    }
    const saved = await conversation.external(() => save(deps, args, name, say))
    const sent = await send(reply.ctx, saved.html, saved.card && { inline_keyboard: saved.card.keyboard })
    const { card } = saved
    if (!card) return
    await conversation.external(() => setCard(deps.db, draftId, sent.message_id))
    if (card.old !== null) await ctx.api.deleteMessage(sent.chat.id, card.old).catch(() => undefined)
  }
}

/** The new card replaces the one that was tapped. */
async function save(deps: BotDeps, { draftId, userId }: Args, name: string, say: Say) {
  const draft = await findDraft(deps.db, draftId, BigInt(userId))
  const model = deps.catalog.find(draft?.modelId ?? '')
  if (draft?.state !== 'open' || !model) return { html: say.html('card-closed') }
  const { userId: owner, modelId, answers } = draft
  const settings = settingsIn(model, answers)
  const isSaved = await savePreset(deps, { userId: owner, modelId, name, answers: settings })
  const { html, keyboard } = await viewDraft(deps, draft, say)
  const told = isSaved
    ? say.html('preset-saved', { name })
    : say.html('preset-too-many', { most: mostPresets })
  return {
    html: `${told}\n\n${html}`,
    card: { keyboard: keyboard.inline_keyboard, old: draft.cardMessageId },
  }
}
