// A prompt that the model does not accept: the text on the card that says why, and the buttons that correct it.

import type { InlineKeyboard } from 'grammy'
import type { Model } from '../../catalog/model.ts'
import { rewriterFor } from '../../chat/rewriting.ts'
import type { Refusal } from '../../form/answer.ts'
import { type Rewriting, rewritingFor, whyUnfit } from '../../form/unfit.ts'
import type { Draft } from '../../generations/drafts.ts'
import type { Kopecks } from '../../money.ts'
import { taps } from '../../telegram/taps.ts'
import type { Say } from '../../texts.ts'
import type { BotDeps } from '../context.ts'
import { addCopy } from './copy-button.ts'

export interface Unfit {
  readonly words: string
  readonly refusal: Refusal
  /** How a text model would rewrite the prompt, with about its price; undefined when no model can. */
  readonly offer: { readonly rewriting: Rewriting; readonly amount: Kopecks } | undefined
  /** Whether the wallet of the group pays for the order; it does not pay for rewriting. */
  readonly byGroup: boolean
}

export function unfitOf(
  deps: Pick<BotDeps, 'textModels'>,
  model: Model,
  { answers, unfitPrompt: words, byGroup }: Draft,
): Unfit | undefined {
  const refusal = words === null ? undefined : whyUnfit(model, answers, words)
  if (words === null || !refusal) return undefined
  const rewriting = rewritingFor(refusal)
  const rewriter = rewriting && rewriterFor(deps, words, rewriting)
  return { words, refusal, offer: rewriter && { rewriting, amount: rewriter.amount }, byGroup }
}

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
  if (refusal.reason === 'too-many-speakers')
    return say.html('unfit-too-many-speakers', { names: refusal.names })
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
    const text = say.plain(`button-${offer.rewriting.to}`, { amount: say.roubles(offer.amount) })
    keyboard.text(text, taps.rewritePrompt.data({ draftId })).primary().row()
  }
  addCopy(keyboard, say, words)
}
