// The buttons that have a text model rewrite a text: one that does not fit is translated or shortened, and goes onto the card; any prompt can
// be improved, and becomes the lyrics of a song, which is suggested on the card.

import { answer, type SettledAnswer } from '../../chat/answer.ts'
import { beginRewriting } from '../../chat/rewriting.ts'
import { findTurn } from '../../chat/turns.ts'
import { promptField, promptOfDraft, type Rewriting, withLyrics } from '../../form/fit.ts'
import { claimRewriting, type Draft, findDraft } from '../../orders/drafts.ts'
import { readNote, releaseNote, takeNote } from '../../telegram/message-notes.ts'
import { taps } from '../../telegram/taps.ts'
import { isOperator } from '../admin/operator.ts'
import { askConsent, needsConsent } from '../basics/consent.ts'
import { answerTexts, conversationLocation } from '../chat/asking.ts'
import { explain } from '../chat/beginning.ts'
import { deliverAnswer, type Recipient } from '../chat/deliver.ts'
import { readOnSale } from '../commands.ts'
import { alert, answerTap, type BotDeps, type Ctx } from '../context.ts'
import { tappedNote } from '../notes.ts'
import { closeQuestionOf } from '../question.ts'
import { onTap, type Routes } from '../routes.ts'
import { droppedPlain } from './answer-text.ts'
import { answerDraft } from './answers.ts'
import { askName } from './ask.ts'
import type { FileOffer } from './attachment.ts'
import { alertStaleCard, onCardTap, render, sendCard, showPage, startDraft, withTappedCard } from './cards.ts'
import { describingOf } from './file-uses.ts'
import { onOfferTap } from './models.ts'
import { fieldQuestion, modelOf } from './switch-model.ts'
import { suggestedFor, suggestionOffers, typedOffer, unfitOf, unfitTyped } from './unfit.ts'

export const rewriting = (deps: BotDeps): Routes => ({
  taps: [
    onCardTap(deps, taps.rewritePrompt, (ctx, draft) => rewrite(deps, ctx, draft)),
    onTap(taps.rewriteTyped, (ctx, { messageId }) => rewriteTyped(deps, ctx, messageId)),
    onTap(taps.suggest, (ctx, { draftId, rewriting }) => suggest(deps, ctx, draftId, rewriting)),
    onOfferTap(deps, taps.likePicture, (ctx, offer) => describe(deps, ctx, offer)),
    onCardTap(deps, taps.suggested, (ctx, draft, { act }) =>
      act === 'show' ? showPage(deps, ctx, draft, { at: 'suggestion' }) : putSuggested(deps, ctx, draft, act),
    ),
  ],
})

async function rewrite(deps: BotDeps, ctx: Ctx, draft: Draft): Promise<void> {
  const { say } = ctx
  const unfit = await unfitOf(deps, draft)
  if (!unfit?.offer) return showPage(deps, ctx, draft, { at: 'main' })
  const id = deps.ids.next()
  if (!(await claim(deps, draft, id))) return answerTap(ctx, say.plain('rewrite-runs'))
  const { words, offer } = unfit
  const begun = await begin(deps, ctx, draft, { id, words, rewriting: offer.rewriting, messageId: null })
  if (begun) run(deps, ctx, draft, begun)
}

/** Rewrites a text that was typed for a field. The question for the field gives way to the card, which will show the new text. */
async function rewriteTyped(deps: BotDeps, ctx: Ctx, messageId: number): Promise<void> {
  const { say, user, api } = ctx
  const message = { chat: { id: ctx.chatId ?? 0 }, message_id: messageId }
  const typed = await readNote(deps, message, user.id, unfitTyped)
  const draft = typed && (await findDraft(deps.db, typed.draftId, user.id))
  if (!typed || draft?.state !== 'open') return alertStaleCard(ctx)
  const offer = await typedOffer(deps, draft, typed.fieldName, typed.words)
  if (!offer) return alertStaleCard(ctx)
  const id = deps.ids.next()
  const isFree = (await claim(deps, draft, id)) && (await takeNote(deps, message, ctx.update.update_id))
  if (!isFree) return answerTap(ctx, say.plain('rewrite-runs'))
  const { words } = typed
  const of = words === draft.unfitPrompt ? null : messageId
  const begun = await begin(deps, ctx, draft, { id, words, rewriting: offer.rewriting, messageId: of })
  if (!begun) return releaseNote(deps, message)
  await closeQuestionOf(deps, ctx, askName, draft.id)
  await sendCard(deps, api, draft, say)
  run(deps, ctx, draft, begun)
}

/** The button is on the card, and below the question for lyrics, which then gives way to the card. */
async function suggest(deps: BotDeps, ctx: Ctx, draftId: string, to: Rewriting['to']): Promise<void> {
  const { say, user, api } = ctx
  const found = await findDraft(deps.db, draftId, user.id)
  const isAsked = (await tappedNote(deps, ctx, fieldQuestion))?.draftId === draftId
  const draft = isAsked ? found : await withTappedCard(deps, ctx, found)
  if (!draft) return
  const words = promptOfDraft(modelOf(deps, draft), draft)
  const offer = (await suggestionOffers(deps, draft)).find(({ rewriting }) => rewriting.to === to)
  if (draft.state !== 'open' || words === null || !offer) return alertStaleCard(ctx)
  const id = deps.ids.next()
  if (!(await claim(deps, draft, id))) return answerTap(ctx, say.plain('rewrite-runs'))
  const begun = await begin(deps, ctx, draft, { id, words, rewriting: offer.rewriting, messageId: null })
  if (!begun) return
  if (isAsked) {
    await closeQuestionOf(deps, ctx, askName, draft.id)
    await sendCard(deps, api, draft, say)
  }
  run(deps, ctx, draft, begun)
}

/** Puts the suggested text onto the card, or the user's own words again. */
async function putSuggested(deps: BotDeps, ctx: Ctx, draft: Draft, act: 'take' | 'own'): Promise<void> {
  const model = modelOf(deps, draft)
  const field = promptField(model)
  const suggested = await suggestedFor(deps, draft)
  if (!suggested || !field) return alertStaleCard(ctx)
  const typed = act === 'take' ? suggested.text : suggested.own
  const also = suggested.to === 'lyrics' ? withLyrics(model, {}, act === 'take') : {}
  const answered = await answerDraft(deps, draft.id, draft.userId, field.name, { typed }, also)
  if (!answered.ok) return alert(ctx, ctx.say.plain('stale-option'))
  await answerTap(ctx, droppedPlain(ctx.say, answered.dropped))
  await render(deps, ctx, answered.draft, { at: 'main' })
}

/** Opens the card of a picture like the one that was sent; its prompt comes when a text model has described the picture. */
async function describe(deps: BotDeps, ctx: Ctx, { file, words }: FileOffer): Promise<void> {
  const { say, api } = ctx
  const [model] = (await readOnSale(deps)).models('image')
  const offer = file && describingOf(deps.textModels, model, file, words, say)
  const draft = offer && model && (await startDraft(deps, ctx, model, {}))
  if (!draft) return
  const id = deps.ids.next()
  await sendCard(deps, api, draft, say)
  if (!(await claim(deps, draft, id))) return
  const begun = await begin(deps, ctx, draft, { id, ...offer.asked, messageId: null })
  if (begun) run(deps, ctx, (await findDraft(deps.db, draft.id, draft.userId)) ?? draft, begun)
}

type Begun = Extract<Awaited<ReturnType<typeof beginRewriting>>, { ok: true }>

/** Holds the money. @returns undefined when it was explained why not */
async function begin(
  deps: BotDeps,
  ctx: Ctx,
  draft: Draft,
  asked: Pick<Parameters<typeof beginRewriting>[1], 'id' | 'words' | 'rewriting' | 'picture' | 'messageId'>,
): Promise<Begun | undefined> {
  if (needsConsent(deps, ctx)) {
    await answerTap(ctx)
    return void (await askConsent(deps, ctx))
  }
  const begun = await beginRewriting(deps, {
    ...asked,
    draftId: draft.id,
    userId: ctx.user.id,
    isOperator: isOperator(deps, ctx),
    where: conversationLocation(draft),
    updateId: ctx.update.update_id,
  })
  if (!begun.ok) return void (await refuse(deps, ctx, begun))
  if (!ctx.isTapAnswered) await answerTap(ctx, ctx.say.plain(`rewrite-${asked.rewriting.to}`))
  return begun
}

function run(deps: BotDeps, { user, say, api }: Ctx, draft: Draft, { turn, request }: Begun): void {
  const recipient = { user, say, location: draft, isPrivate: draft.chatId > 0 }
  deps.running.start(turn, async (stop) => {
    const answered = await answer(deps, turn, request, unseen, answerTexts(say), stop)
    await deliver(deps, api, answered, recipient)
  })
}

/** The rewritten text is not shown while the model writes it. */
const unseen = { show: () => undefined, close: async () => undefined }

async function deliver(deps: BotDeps, api: Ctx['api'], { turn }: SettledAnswer, recipient: Recipient) {
  if (!turn) return
  deps.metrics.answers.ended(turn)
  await deliverAnswer({ deps, api, isLate: false }, turn, recipient)
}

/** @returns false when a rewriting is under way: a second tap starts no other */
async function claim({ db }: BotDeps, draft: Draft, id: string): Promise<boolean> {
  const { rewritingId, userId } = draft
  const last = rewritingId === null ? undefined : await findTurn(db, rewritingId, userId)
  const isRunning = last?.state === 'streaming' || last?.delivery === 'pending'
  return !isRunning && claimRewriting(db, draft, id)
}

async function refuse(
  deps: BotDeps,
  ctx: Ctx,
  refused: Extract<Awaited<ReturnType<typeof beginRewriting>>, { ok: false }>,
): Promise<void> {
  if (refused.reason === 'asked-before') return answerTap(ctx)
  if (refused.reason !== 'insufficient') await answerTap(ctx)
  await explain(deps, ctx, refused)
}
