// Asks for the name of a preset, and saves the settings of the draft under it.

import type { Context } from 'grammy'
import { z } from 'zod'
import { settingsIn } from '../../form/reuse.ts'
import { type Draft, findDraft } from '../../generations/drafts.ts'
import { mostPresets, savePreset } from '../../generations/presets.ts'
import type { Say } from '../../texts.ts'
import { shownName } from '../../users/name.ts'
import type { BotDeps, Ctx } from '../context.ts'
import { noteKind } from '../notes.ts'
import { closeQuestionOf } from '../open-question.ts'
import { type Asker, type BotConversation, putQuestion, waitForWords } from '../question.ts'
import { type Ending, endWithCard, sendEnding } from './card-below.ts'
import { nameRefusal } from './refusal-text.ts'

interface Args extends Asker {
  readonly draftId: string
}

export const presetNamingName = 'preset'

const presetQuestion = noteKind('preset-question', z.strictObject({ draftId: z.string() }))

/** In code points; the name is the text of a button. */
const maxName = 30

export function enterPresetNaming(ctx: Ctx, draft: Draft): Promise<void> {
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
    const first = await putQuestion(deps, conversation, ctx, asked, { html, say })
    const start = conversation.checkpoint()
    const reply = await waitForWords(deps, conversation, asked, say, first)
    const name = shownName(reply.words)
    const refusal = nameRefusal(say, name, maxName)
    if (refusal !== undefined) {
      await putQuestion(deps, conversation, reply.ctx, asked, { html: refusal, say })
      return conversation.rewind(start)
    }
    const saved = await conversation.external(() => save(deps, args, name, say))
    await sendEnding(deps, conversation, reply.ctx, draftId, saved)
  }
}

async function save(deps: BotDeps, { draftId, userId }: Args, name: string, say: Say): Promise<Ending> {
  const draft = await findDraft(deps.db, draftId, BigInt(userId))
  const model = deps.catalog.find(draft?.modelId ?? '')
  if (draft?.state !== 'open' || !model) return { html: say.html('card-closed') }
  const { userId: owner, modelId, answers } = draft
  const settings = settingsIn(model, answers)
  const isSaved = await savePreset(deps, { userId: owner, modelId, name, answers: settings })
  const told = isSaved
    ? say.html('preset-saved', { name })
    : say.html('preset-too-many', { most: mostPresets })
  return endWithCard(deps, draft, say, told)
}
