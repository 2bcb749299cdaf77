// Cards in the chat: shown, brought up to date, and sent anew below what was said since.

import type { Api, RawApi } from 'grammy'
import type { Answers } from '../catalog/field.ts'
import { isUserField, type Model } from '../catalog/model.ts'
import { sendInto } from '../delivery/place.ts'
import { type Refusal, readAnswer } from '../form/answer.ts'
import { cardOf, type Page, type Sibling } from '../form/card.ts'
import { carryAnswers } from '../form/switch.ts'
import {
  changeDraft,
  createDraft,
  type Draft,
  findDraft,
  type Place,
  setCard,
} from '../generations/drafts.ts'
import { quoteDraft } from '../generations/quotes.ts'
import { readBalance } from '../ledger/ledger.ts'
import type { User } from '../ledger/user.ts'
import type { Say } from '../texts.ts'
import { type CardView, viewCard } from './card-view.ts'
import type { BotDeps } from './context.ts'

export async function viewDraft(
  deps: BotDeps,
  draft: Draft,
  say: Say,
  page: Page = { at: 'main' },
): Promise<CardView> {
  const model = deps.catalog.find(draft.modelId)
  if (!model) throw new Error(`draft ${draft.id} names a model that is gone: ${draft.modelId}`)
  const quoted = await quoteDraft(deps, draft)
  const { available } = await readBalance(deps.db, draft.userId)
  return viewCard(
    cardOf(model, draft.answers, page, siblingsOf(deps, model, draft)),
    draft.id,
    quoted,
    available,
    say,
  )
}

/** What the same answers would cost with each model they can be carried to. */
function siblingsOf({ catalog }: BotDeps, from: Model, { answers }: Draft): Sibling[] {
  return catalog.offered(from.modality).map((model) => {
    const own = model.id === from.id ? answers : carryAnswers(from, model, answers)
    const request = catalog.request(model, own)
    return { model, amount: request && catalog.price(model, request)?.amount }
  })
}

export function startDraft(
  { db, ids, clock }: BotDeps,
  user: User,
  place: Place,
  model: Model,
  answers: Answers,
): Promise<Draft> {
  const draft = { id: ids.next(), userId: user.id, modelId: model.id, answers, ...place }
  return createDraft(db, draft, clock.now())
}

/** Sends the card below everything else; the message it had before is taken away. */
export async function sendCard(deps: BotDeps, api: Api<RawApi>, draft: Draft, say: Say): Promise<void> {
  const { html, keyboard } = await viewDraft(deps, draft, say)
  const sent = await sendInto(draft, (into) =>
    api.sendMessage(draft.chatId, html, { ...into, parse_mode: 'HTML', reply_markup: keyboard }),
  )
  await setCard(deps.db, draft.id, sent.message_id)
  if (draft.cardMessageId !== null)
    await api.deleteMessage(draft.chatId, draft.cardMessageId).catch(() => undefined)
}

export type DraftAnswered =
  | { readonly ok: true; readonly draft: Draft }
  | { readonly ok: false; readonly reason: 'closed' }
  | { readonly ok: false; readonly reason: 'refused'; readonly refusal: Refusal }

/** Puts one typed or tapped answer into the draft. */
export async function answerDraft(
  { db, catalog, clock }: BotDeps,
  draftId: string,
  userId: bigint,
  fieldName: string,
  input: string,
): Promise<DraftAnswered> {
  const draft = await findDraft(db, draftId, userId)
  const field = catalog
    .find(draft?.modelId ?? '')
    ?.fields.find((one) => one.name === fieldName && isUserField(one))
  if (!draft || !field || draft.state !== 'open') return { ok: false, reason: 'closed' }
  const read = readAnswer(field, input)
  if (!read.ok) return { ok: false, reason: 'refused', refusal: read.refusal }
  const changed = await changeDraft(
    db,
    draft.id,
    { answers: { ...draft.answers, [fieldName]: read.answer } },
    clock.now(),
  )
  return changed ? { ok: true, draft: changed } : { ok: false, reason: 'closed' }
}

/** Moves the draft to another model of its modality that is on offer; undefined when that can not be. */
export async function switchModel(
  { db, catalog, clock }: BotDeps,
  draft: Draft,
  modelId: string,
): Promise<Draft | undefined> {
  const from = catalog.find(draft.modelId)
  const to = catalog.offered(from?.modality).find((model) => model.id === modelId)
  if (!from || !to) return undefined
  const answers = carryAnswers(from, to, draft.answers)
  return changeDraft(db, draft.id, { modelId: to.id, answers }, clock.now())
}

export function refusalText(say: Say, refusal: Refusal): string {
  const { reason, ...facts } = refusal
  return say.html(`refusal-${reason}`, facts)
}
