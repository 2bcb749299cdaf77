// A text that the model does not accept, and the offer to rewrite it: the prompt on the card, and texts that are typed for other fields; and
// what a text model can suggest for any prompt.

import { InlineKeyboard } from 'grammy'
import type { Message } from 'grammy/types'
import { z } from 'zod'
import type { Field } from '../../catalog/field.ts'
import { codePoints, visible } from '../../catalog/fields.ts'
import type { Model } from '../../catalog/model.ts'
import { separated } from '../../chat/format/thinking.ts'
import { rewriterFor, rewritingOf } from '../../chat/rewriting.ts'
import { findTurn } from '../../chat/turns.ts'
import { type Refusal, readWithRoom, refusalOfWords } from '../../form/answer.ts'
import { promptOfDraft, type Rewriting, rewritingFor, suggestionsFor, whyUnfit } from '../../form/fit.ts'
import type { Kopecks } from '../../money.ts'
import type { Draft } from '../../orders/drafts.ts'
import { textModelsOnSale } from '../../sales/sales.ts'
import { changeNote } from '../../telegram/message-notes.ts'
import { taps } from '../../telegram/taps.ts'
import type { Say } from '../../texts.ts'
import type { BotDeps } from '../context.ts'
import { noteKind } from '../notes.ts'
import { modelOf } from './switch-model.ts'

/** How a text model would rewrite a text, with about its price. */
export interface Offer {
  readonly rewriting: Rewriting
  readonly amount: Kopecks
}

export interface Unfit {
  readonly words: string
  readonly refusal: Refusal
  /** Undefined when no text model can rewrite the prompt. */
  readonly offer: Offer | undefined
  /** Whether the wallet of the group pays for the order; it does not pay for rewriting. */
  readonly byGroup: boolean
}

export async function unfitOf(
  deps: Pick<BotDeps, 'db' | 'textModels' | 'catalog'>,
  draft: Draft,
): Promise<Unfit | undefined> {
  const { answers, unfitPrompt: words, byGroup } = draft
  const refusal = words === null ? undefined : whyUnfit(modelOf(deps, draft), answers, words)
  if (words === null || !refusal) return undefined
  return { words, refusal, offer: await offerFor(deps, words, refusal), byGroup }
}

async function offerFor(
  deps: Pick<BotDeps, 'db' | 'textModels'>,
  words: string,
  refusal: Refusal,
): Promise<Offer | undefined> {
  const rewriting = rewritingFor(refusal)
  const textModels = rewriting ? await textModelsOnSale(deps) : []
  const rewriter = rewriting && rewriterFor({ textModels }, words, rewriting)
  return rewriter && { rewriting, amount: rewriter.amount }
}

/** The offer to rewrite a text that was typed for a field; undefined when the field takes the text, or not any words. */
export async function typedOffer(
  deps: Pick<BotDeps, 'db' | 'textModels' | 'catalog'>,
  draft: Draft,
  fieldName: string,
  words: string,
): Promise<Offer | undefined> {
  if (words === draft.unfitPrompt) return (await unfitOf(deps, draft))?.offer
  const model = modelOf(deps, draft)
  const field = model.fields.find(({ name }) => name === fieldName)
  const refusal = field && whyRefused(model, field, draft, words)
  return refusal && offerFor(deps, words, refusal)
}

/** Why a field that takes words does not take these. */
function whyRefused(model: Model, field: Field, draft: Draft, words: string): Refusal | undefined {
  if (field.kind === 'media' && field.speaks) return refusalOfWords(field, words)
  if (field.kind !== 'text' || field.source || !field.fits('words')) return undefined
  const { [field.name]: _, ...others } = draft.answers
  const read = readWithRoom(model, field, others, words)
  return read.ok ? undefined : read.refusal
}

/** The note that keeps a text that its user has typed and the field does not take. */
export const unfitTyped = noteKind(
  'unfit-typed',
  z.strictObject({ draftId: z.string(), fieldName: z.string(), words: z.string() }),
)

/**
 * Keeps a typed text that was refused.
 * @returns the rows of the button that rewrites it; none when no text model can, and in groups, where a question opens the reply field
 */
export async function offerTyped(
  deps: BotDeps,
  draft: Draft,
  fieldName: string,
  message: Message,
  typed: string,
  say: Say,
): Promise<InlineKeyboard['inline_keyboard']> {
  const { id: draftId, userId } = draft
  const words = visible(typed.replaceAll('\0', ''))
  const offer = message.chat.type === 'private' ? await typedOffer(deps, draft, fieldName, words) : undefined
  if (!offer) return []
  await changeNote(deps, message, { kind: unfitTyped, userId, about: { draftId, fieldName, words } })
  const { message_id: messageId } = message
  const keyboard = new InlineKeyboard()
  return keyboard.text(offerText(offer, say), taps.rewriteTyped.data({ draftId, messageId })).primary()
    .inline_keyboard
}

/** What can be suggested for the prompt of the draft, each with about its price. */
export async function suggestionOffers(
  deps: Pick<BotDeps, 'db' | 'textModels' | 'catalog'>,
  draft: Draft,
): Promise<Offer[]> {
  // The wallet of a group does not pay for rewriting.
  if (draft.byGroup) return []
  const model = modelOf(deps, draft)
  const words = promptOfDraft(model, draft)
  const textModels = await textModelsOnSale(deps)
  return suggestionsFor(model, draft.answers).flatMap((rewriting) => {
    const rewriter = words === null ? undefined : rewriterFor({ textModels }, words, rewriting)
    return rewriter ? [{ rewriting, amount: rewriter.amount }] : []
  })
}

/** A text that was suggested for the prompt of a draft and paid for. */
export interface Suggested {
  readonly to: 'improve' | 'lyrics'
  readonly text: string
  /** The user's own words, for which it was suggested. */
  readonly own: string
  readonly isTaken: boolean
}

/** The last suggestion, as long as the prompt is the suggested text or the text that it is for. */
export async function suggestedFor(
  deps: Pick<BotDeps, 'db' | 'catalog'>,
  draft: Draft,
): Promise<Suggested | undefined> {
  const { rewritingId, userId } = draft
  const turn = rewritingId === null ? undefined : await findTurn(deps.db, rewritingId, userId)
  const to = turn?.state === 'done' ? await rewritingOf(deps, turn) : undefined
  if (!turn || (to !== 'improve' && to !== 'lyrics')) return undefined
  const text = visible(separated({ text: turn.answer, thinking: turn.thinking }).answer)
  const prompt = promptOfDraft(modelOf(deps, draft), draft)
  const [isTaken, isOwn] = [prompt === text, prompt === turn.question]
  return isTaken || isOwn ? { to, text, own: turn.question, isTaken } : undefined
}

export const offerText = ({ rewriting, amount }: Offer, say: Say): string =>
  say.plain(`button-${rewriting.to}`, { amount: say.roubles(amount) })

export function unfitText(model: Model, unfit: Unfit, say: Say): string {
  const why = whyText(model, unfit, say)
  return unfit.offer && unfit.byGroup ? `${why} ${say.html('rewrite-own')}` : why
}

function whyText({ label }: Model, { refusal, offer }: Unfit, say: Say): string {
  const name = say.label(label)
  if (refusal.reason === 'too-long') {
    const lengths = { length: refusal.length, max: refusal.max }
    return say.html(offer ? 'rewrite-too-long' : 'unfit-too-long', lengths)
  }
  if (refusal.reason === 'too-many-tokens') {
    const { tokens, max } = refusal
    return say.html('unfit-too-many-tokens', { tokens, max, offer: offer ? 'yes' : 'no' })
  }
  if (refusal.reason === 'too-many-speakers')
    return say.html('unfit-too-many-speakers', { names: refusal.names })
  if (refusal.reason === 'too-many-turns')
    return say.html('unfit-too-many-turns', { length: refusal.length, max: refusal.max })
  if (refusal.reason !== 'needs-english') return say.html('unfit-other', { name })
  return say.html(offer ? 'rewrite-needs-english' : 'unfit-needs-english', { name })
}

export function addUnfitButtons(
  keyboard: InlineKeyboard,
  draftId: string,
  { words, offer }: Unfit,
  say: Say,
): void {
  if (offer) {
    keyboard.text(offerText(offer, say), taps.rewritePrompt.data({ draftId })).primary().row()
  }
  addCopy(keyboard, say, words)
}

// The button that puts a text into the clipboard, above the other buttons.

/** Telegram's limit for such a text. */
const longest = 256

export function addCopy(keyboard: InlineKeyboard, say: Say, text = ''): void {
  const length = codePoints(text)
  if (length > 0 && length <= longest) keyboard.copyText(say.plain('button-copy-text'), text).row()
}
