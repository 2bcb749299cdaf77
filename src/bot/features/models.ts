// /video and its siblings: a prompt opens a card; without one, the missing answer is asked first.

import { Composer } from 'grammy'
import type { Answers } from '../../catalog/field.ts'
import type { Modality, Model } from '../../catalog/model.ts'
import { readAnswer } from '../../form/answer.ts'
import { missingField } from '../../form/card.ts'
import type { Draft } from '../../generations/drafts.ts'
import type { AskArgs } from '../ask.ts'
import { askName } from '../ask.ts'
import { refusalText, sendCard, startDraft } from '../cards.ts'
import { modalityCommands } from '../commands.ts'
import type { BotDeps, Ctx } from '../context.ts'
import { placeOf } from '../place.ts'

export function models(deps: BotDeps): Composer<Ctx> {
  const composer = new Composer<Ctx>()
  for (const { command, modality } of modalityCommands(deps.catalog)) {
    composer.command(command, (ctx) => openModel(deps, ctx, modality, ctx.match))
  }
  return composer
}

async function openModel(deps: BotDeps, ctx: Ctx, modality: Modality, prompt: string): Promise<void> {
  const place = placeOf(ctx)
  const [model] = deps.catalog.offered(modality)
  if (!place || !model) return
  const answers = await readPrompt(ctx, model, prompt)
  const draft = await startDraft(deps, ctx.user, place, model, answers)
  await continueDraft(deps, ctx, draft, model)
}

/** A prompt that is refused is explained and asked again; the rest of the draft stands. */
async function readPrompt(ctx: Ctx, model: Model, prompt: string): Promise<Answers> {
  const field = missingField(model, {})
  if (!field || prompt.trim() === '') return {}
  const read = readAnswer(field, prompt)
  if (read.ok) return { [field.name]: read.answer }
  await ctx.reply(refusalText(ctx.say, read.refusal), { parse_mode: 'HTML' })
  return {}
}

/** Asks for what is missing, or shows the card. */
export async function continueDraft(deps: BotDeps, ctx: Ctx, draft: Draft, model: Model): Promise<void> {
  const missing = missingField(model, draft.answers)
  if (missing) return askField(ctx, draft, missing.name)
  await sendCard(deps, ctx.api, draft, ctx.say)
}

export function askField(ctx: Ctx, draft: Draft, fieldName: string): Promise<void> {
  const args: AskArgs = {
    draftId: draft.id,
    modelId: draft.modelId,
    fieldName,
    userId: String(draft.userId),
    locale: ctx.say.locale,
  }
  return ctx.conversation.enter(askName, args)
}
