// A picture that talks or sings: a video of the picture that follows a sound, or words that a speech model says first.

import type { MediaField } from '../../catalog/field.ts'
import type { Model } from '../../catalog/model.ts'
import { attach, lengthOfSound, spoken } from '../../form/answer.ts'
import { type FollowUp, isFrame, speaks, talkWith } from '../../orders/deliver/result.ts'
import { taps } from '../../telegram/taps.ts'
import { readOnSale } from '../commands.ts'
import { alertStale, type BotDeps, type Ctx } from '../context.ts'
import { closeMenu } from '../notes.ts'
import type { Routes } from '../routes.ts'
import { askField } from './ask.ts'
import { sendCard, startDraft } from './cards.ts'
import { onOfferTap } from './models.ts'

export const talk = (deps: BotDeps): Routes => ({
  taps: [
    onOfferTap(deps, taps.talkFile, async (ctx, { file, words }) => {
      const next = file && talkWith(deps, (await readOnSale(deps)).models, file)
      return next ? beginTalking(deps, ctx, next, words) : alertStale(ctx)
    }),
  ],
})

const fieldOf = ({ fields }: Model, is: (field: MediaField) => boolean): MediaField | undefined =>
  fields.filter((field) => field.kind === 'media').find(is)

/** Asks for the sound or the words of the picture, or for the picture of the sound; then the card comes. */
export async function beginTalking(
  deps: BotDeps,
  ctx: Ctx,
  { model, answers: given }: FollowUp,
  words = '',
): Promise<void> {
  const [picture, sound] = [fieldOf(model, isFrame), fieldOf(model, speaks)]
  if (!picture || !sound) return
  const isSilent = words !== '' && given[sound.name] === undefined
  const said = isSilent ? attach(sound, undefined, spoken(deps.ids.next(), words)) : undefined
  const answers = said?.ok
    ? { [sound.name]: said.answer, ...lengthOfSound(model, sound, said.answer), ...given }
    : given
  const draft = await startDraft(deps, ctx, model, answers)
  if (!draft) return
  await closeMenu(deps, ctx)
  const missing = [picture, sound].find(({ name }) => draft.answers[name] === undefined)
  if (missing) await askField(deps, ctx, draft, missing.name)
  else await sendCard(deps, ctx.api, draft, ctx.say)
}
