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
import { answerTap, type BotDeps, type Ctx } from '../context.ts'
import { tappedNote } from '../notes.ts'
import { closeQuestionOf } from '../question.ts'
import { onTap, type Routes } from '../routes.ts'
import { answerDraft } from './answers.ts'
import { askName, fieldQuestion } from './ask.ts'
import type { FileOffer } from './attachment.ts'
import {
  alertStaleCard,
  onCardTap,
  sendCard,
  showChanged,
  showPage,
  startDraft,
  withTappedCard,
} from './cards.ts'
import { describingOf } from './file-uses.ts'
import { onOfferTap } from './models.ts'
import { modelOf } from './switch-model.ts'
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
  const unfit = await unfitOf(deps, draft)
  if (!unfit?.offer) return showPage(deps, ctx, draft, { at: 'main' })
  const { words, offer } = unfit
  await begin(deps, ctx, draft, { words, rewriting: offer.rewriting, messageId: null })
}

/** Rewrites a text that was typed for a field. The question for the field gives way to the card, which will show the new text. */
async function rewriteTyped(deps: BotDeps, ctx: Ctx, messageId: number): Promise<void> {
  const { say, user, update } = ctx
  const message = { chat: { id: ctx.chatId ?? 0 }, message_id: messageId }
  const typed = await readNote(deps, message, user.id, unfitTyped)
  const draft = typed && (await findDraft(deps.db, typed.draftId, user.id))
  if (!typed || draft?.state !== 'open') return alertStaleCard(ctx)
  const offer = await typedOffer(deps, draft, typed.fieldName, typed.words)
  if (!offer) return alertStaleCard(ctx)
  if (!(await takeNote(deps, message, update.update_id))) return answerTap(ctx, say.plain('rewrite-runs'))
  const { words } = typed
  const of = words === draft.unfitPrompt ? null : messageId
  const asked = { words, rewriting: offer.rewriting, messageId: of }
  const isBegun = await begin(deps, ctx, draft, asked, () => giveWay(deps, ctx, draft))
  if (!isBegun) await releaseNote(deps, message)
}

/** The button is on the card, and below the question for lyrics, which then gives way to the card. */
async function suggest(deps: BotDeps, ctx: Ctx, draftId: string, to: Rewriting['to']): Promise<void> {
  const found = await findDraft(deps.db, draftId, ctx.user.id)
  const isAsked = (await tappedNote(deps, ctx, fieldQuestion))?.draftId === draftId
  const draft = isAsked ? found : await withTappedCard(deps, ctx, found)
  if (!draft) return
  const words = promptOfDraft(modelOf(deps, draft), draft)
  const offer = (await suggestionOffers(deps, draft)).find(({ rewriting }) => rewriting.to === to)
  if (draft.state !== 'open' || words === null || !offer) return alertStaleCard(ctx)
  const asked = { words, rewriting: offer.rewriting, messageId: null }
  await begin(deps, ctx, draft, asked, isAsked ? () => giveWay(deps, ctx, draft) : undefined)
}

async function giveWay(deps: BotDeps, ctx: Ctx, draft: Draft): Promise<void> {
  await closeQuestionOf(deps, ctx, askName, draft.id)
  await sendCard(deps, ctx.api, draft, ctx.say)
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
  await showChanged(deps, ctx, answered)
}

/** Opens the card of a picture like the one that was sent; its prompt comes when a text model has described the picture. */
async function describe(deps: BotDeps, ctx: Ctx, { file, words }: FileOffer): Promise<void> {
  const { say, api } = ctx
  const [model] = (await readOnSale(deps)).models('image')
  const offer = file && describingOf(deps.textModels, model, file, words, say)
  const draft = offer && model && (await startDraft(deps, ctx, model, {}))
  if (!draft) return
  await sendCard(deps, api, draft, say)
  await begin(deps, ctx, draft, { ...offer.asked, messageId: null })
}

type Rewritten = Parameters<typeof beginRewriting>[1]

/**
 * Holds the money and has the text written.
 * @param onBegun shows what waits for the text
 * @returns false when it was said why not
 */
async function begin(
  deps: BotDeps,
  ctx: Ctx,
  draft: Draft,
  asked: Pick<Rewritten, 'words' | 'rewriting' | 'picture' | 'messageId'>,
  onBegun?: () => Promise<void>,
): Promise<boolean> {
  const { say, api, user } = ctx
  const id = deps.ids.next()
  if (await isRefused(deps, ctx, draft, id)) return false
  const begun = await beginRewriting(deps, {
    ...asked,
    id,
    draftId: draft.id,
    userId: user.id,
    isOperator: isOperator(deps, ctx),
    where: conversationLocation(draft),
    updateId: ctx.update.update_id,
  })
  if (!begun.ok) {
    if (begun.reason !== 'insufficient') await answerTap(ctx)
    if (begun.reason !== 'asked-before') await explain(deps, ctx, begun)
    return false
  }
  if (!ctx.isTapAnswered) await answerTap(ctx, say.plain(`rewrite-${asked.rewriting.to}`))
  await onBegun?.()
  const recipient = { user, say, location: draft, isPrivate: draft.chatId > 0 }
  deps.running.start(begun.turn, async (stop) => {
    const answered = await answer(deps, begun.turn, begun.request, unseen, answerTexts(say), stop)
    await deliver(deps, api, answered, recipient)
  })
  return true
}

/** The rewritten text is not shown while the model writes it. */
const unseen = { show: () => undefined, close: async () => undefined }

async function deliver(deps: BotDeps, api: Ctx['api'], { turn }: SettledAnswer, recipient: Recipient) {
  if (!turn) return
  deps.metrics.answers.ended(turn)
  await deliverAnswer({ deps, api, isLate: false }, turn, recipient)
}

/** A second tap starts no other rewriting. @returns whether it was said why none is begun */
async function isRefused(deps: BotDeps, ctx: Ctx, draft: Draft, id: string): Promise<boolean> {
  const { rewritingId, userId } = draft
  const last = rewritingId === null ? undefined : await findTurn(deps.db, rewritingId, userId)
  const isRunning = last?.state === 'streaming' || last?.delivery === 'pending'
  if (isRunning || !(await claimRewriting(deps.db, draft, id))) {
    await answerTap(ctx, ctx.say.plain('rewrite-runs'))
    return true
  }
  if (!needsConsent(deps, ctx)) return false
  await answerTap(ctx)
  await askConsent(deps, ctx)
  return true
}
