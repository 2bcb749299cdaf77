// The cards of drafts: what they show, sending them below newer messages, and writing answers into the draft.

import type { Api, RawApi } from 'grammy'
import type { MaybeInaccessibleMessage, Message } from 'grammy/types'
import type { Attachment } from '../../catalog/attachment.ts'
import { type Answers, type Field, isUserField, type Option, sameInAll } from '../../catalog/field.ts'
import type { Model } from '../../catalog/model.ts'
import { promptInRequest } from '../../catalog/request.ts'
import {
  answersIn,
  type Read,
  type Refusal,
  readExact,
  readOption,
  readWithRoom,
  refuse,
  type ToggleChange,
} from '../../form/answer.ts'
import { attach } from '../../form/attach.ts'
import { cardOf } from '../../form/card.ts'
import { fitAnswers, keepPrompt, promptOfDraft, withPrompt } from '../../form/fit.ts'
import type { Page } from '../../form/page.ts'
import { withSettings } from '../../form/reuse.ts'
import type { Kopecks } from '../../money.ts'
import { changeDraft, createDraft, type Draft, findDraft, setCard } from '../../orders/drafts.ts'
import { videosOf } from '../../orders/history.ts'
import { lastAnswers, presetsOf } from '../../orders/presets.ts'
import { type Quoted, quoteDraft } from '../../orders/quotes.ts'
import { stylesOf } from '../../orders/styles.ts'
import { removeMessage, sendInto } from '../../telegram/send-into.ts'
import type { Say } from '../../texts.ts'
import { amountToOffer } from '../balance-text.ts'
import { type BotDeps, type Ctx, locationOf } from '../context.ts'
import { type CardFunds, cardFundsOf, groupPays, isOverGroup, setPayer } from '../groups/card-funds.ts'
import { attachmentIn, frameWordsIn, readTextFile } from './attachment.ts'
import { type CardView, viewCard } from './card-view.ts'
import { hintText } from './price-view.ts'
import { siblingsOf } from './switch-model.ts'
import { unfitOf } from './unfit.ts'

export async function viewDraft(
  deps: BotDeps,
  draft: Draft,
  say: Say,
  page: Page = { at: 'main' },
): Promise<CardView> {
  const model = deps.catalog.find(draft.modelId)
  if (!model) throw new Error(`draft ${draft.id} names a model that is not in the catalog: ${draft.modelId}`)
  const { quoted, funds, topUp } = await priced(deps, draft, page)
  const around = {
    siblings: page.at === 'main' || page.at === 'models' ? await siblingsOf(deps, model, draft) : [],
    offers: await offersFor(deps, draft, model),
    canLink: deps.media.link !== undefined,
    ...(await reusableFor(deps, draft, page)),
  }
  const card = cardOf(model, draft.answers, page, around)
  const hint = card.open ? hintText(deps, { model, answers: draft.answers }, card.open, say) : ''
  return viewCard(
    card,
    { draftId: draft.id, quoted, funds, topUp, unfit: await unfitOf(deps, model, draft), hint },
    say,
  )
}

async function reusableFor({ db }: BotDeps, { userId, modelId }: Draft, { at }: Page) {
  const isShown = at === 'main' || at === 'presets'
  return {
    last: isShown ? await lastAnswers(db, userId, modelId) : undefined,
    presets: at === 'presets' ? await presetsOf(db, userId, modelId) : [],
  }
}

/**
 * Starts a draft in the chat and topic of the update. When the update is handled again after a crash, its draft is returned.
 * @param unfitPrompt a prompt that the model does not accept, kept to be corrected
 * @returns undefined outside of chats
 */
export async function startDraft(
  deps: BotDeps,
  ctx: Ctx,
  model: Model,
  answers: Answers,
  unfitPrompt: string | null = null,
): Promise<Draft | undefined> {
  const { db, ids, clock } = deps
  const location = locationOf(ctx)
  if (!location) return undefined
  const byGroup = await groupPays(deps, location.chatId, ctx.user)
  const draft = {
    id: ids.next(),
    userId: ctx.user.id,
    modelId: model.id,
    answers,
    unfitPrompt,
    updateId: ctx.update.update_id,
    byGroup,
  }
  return createDraft(db, { ...draft, ...location }, clock.now())
}

/** Sends the card below all other messages and deletes its previous message. */
export async function sendCard(deps: BotDeps, api: Api<RawApi>, draft: Draft, say: Say): Promise<void> {
  const { html, keyboard } = await viewDraft(deps, draft, say)
  const sent = await sendInto(draft, (into) =>
    api.sendMessage(draft.chatId, html, { ...into, parse_mode: 'HTML', reply_markup: keyboard }),
  )
  await setCard(deps.db, draft.id, sent.message_id, deps.clock.now())
  if (draft.cardMessageId !== null) await removeMessage(api, draft.chatId, draft.cardMessageId)
}

/** Whether a message is the draft's present card. */
export const isCardOf = (
  { chatId, cardMessageId }: Pick<Draft, 'chatId' | 'cardMessageId'>,
  message: Pick<MaybeInaccessibleMessage, 'chat' | 'message_id'> | undefined,
): boolean => message?.chat.id === chatId && message.message_id === cardMessageId

/** An answer as the user gave it. */
export type Input =
  | { readonly typed: string }
  | { readonly tapped: string }
  | { readonly sent: Attachment; readonly caption: string }

/** @returns undefined when the message contains nothing that can answer this field */
export async function inputIn(
  { files }: BotDeps,
  field: Field,
  message: Message,
): Promise<Exclude<Input, { tapped: string }> | undefined> {
  if (field.kind === 'media') {
    const sent = await attachmentIn(files, message)
    return sent && { sent, caption: message.caption ?? '' }
  }
  const typed = message.text ?? (await readTextFile(files, message.document))
  return typed === undefined ? undefined : { typed }
}

type DraftAnswered =
  | {
      readonly ok: true
      readonly draft: Draft
      readonly dropped: readonly Field[]
      readonly room?: ToggleChange | undefined
    }
  | { readonly ok: false; readonly reason: 'closed' }
  | { readonly ok: false; readonly reason: 'refused'; readonly refusal: Refusal }

/**
 * Writes one answer into the draft. Other answers that no longer fit it are dropped or reduced.
 * @param also answers that are written with it
 */
export async function answerDraft(
  deps: BotDeps,
  draftId: string,
  userId: bigint,
  fieldName: string,
  input: Input,
  also: Answers = {},
): Promise<DraftAnswered> {
  const found = await findDraft(deps.db, draftId, userId)
  const draft = found && { ...found, answers: { ...found.answers, ...also } }
  const model = deps.catalog.find(draft?.modelId ?? '')
  const field = model?.fields.find((one) => one.name === fieldName && isUserField(one))
  if (!draft || !model || !field || draft.state !== 'open') return { ok: false, reason: 'closed' }
  const read = await readInput(deps, draft, model, field, input)
  if (read && !read.ok) return { ok: false, reason: 'refused', refusal: read.refusal }
  const answers = read ? { ...also, ...answersIn(field, read) } : also
  const written = await writeAnswer(deps, draft, model, field, answers)
  return written.ok ? { ...written, room: read?.room } : written
}

/** Parses an input. An undefined answer removes the present one. */
async function readInput(
  deps: BotDeps,
  draft: Draft,
  model: Model,
  field: Field,
  input: Input,
): Promise<(Read & { readonly room?: ToggleChange }) | undefined> {
  const current = draft.answers[field.name]
  if ('sent' in input) {
    if (field.kind === 'media') {
      return attach(field, current, input.sent, input.caption, frameWordsIn(deps.texts))
    }
    return { ok: false, refusal: { reason: 'empty' } }
  }
  if ('tapped' in input && field.kind === 'text') {
    return readOption(field, await optionsOf(deps, draft.userId, model, field), current, input.tapped)
  }
  // A typed task id could be that of another user's video.
  if (field.kind === 'text' && field.source === 'videos') return refuse({ reason: 'not-an-option' })
  const others = Object.fromEntries(Object.entries(draft.answers).filter(([name]) => name !== field.name))
  if ('typed' in input) return readWithRoom(model, field, others, input.typed)
  if (field.kind === 'number') return readExact(model, field, others, Number(input.tapped))
  return readWithRoom(model, field, others, input.tapped)
}

/** @param answers the answer and those that are written with it; without the answer the field has its default */
export async function writeAnswer(
  { db, clock }: BotDeps,
  draft: Draft,
  model: Model,
  field: Field,
  answers: Answers,
): Promise<DraftAnswered> {
  const wantedIn = ({ answers: { [field.name]: _, ...others } }: Draft): Answers => ({
    ...others,
    ...answers,
  })
  const fit = (current: Draft) => fitAnswers(model, wantedIn(current), field.name)
  const changeOf = (current: Draft) =>
    field.audience === 'asked'
      ? { ...withPrompt(model, fit(current), null), writtenPrompt: null }
      : keepPrompt(model, fit(current), promptOfDraft(model, current), current.writtenPrompt)
  const changed = await changeDraft(db, draft, changeOf, clock.now())
  if (!changed) return { ok: false, reason: 'closed' }
  const [wanted, fitted] = [wantedIn(draft), fit(draft)]
  const isKept = ({ audience }: Field) => audience === 'asked' && changed.unfitPrompt !== null
  const dropped = model.fields.filter((one) => wanted[one.name] !== fitted[one.name] && !isKept(one))
  return { ok: true, draft: changed, dropped }
}

/** Replaces all settings; the prompt and the files stay. */
export function takeSettings(
  { db, clock }: BotDeps,
  draft: Draft,
  model: Model,
  settings: Answers,
): Promise<Draft | undefined> {
  const changeOf = (current: Draft) => {
    const answers = withSettings(model, current.answers, settings)
    return keepPrompt(model, answers, promptOfDraft(model, current), current.writtenPrompt)
  }
  return changeDraft(db, draft, changeOf, clock.now())
}

// The price of a card, its payer, and the amount to top up for it.

interface Priced {
  readonly quoted: Quoted
  readonly funds: CardFunds
  readonly topUp: Kopecks | undefined
}

async function priced(deps: BotDeps, draft: Draft, page: Page): Promise<Priced> {
  const { quoted, funds } = await paid(deps, draft, page)
  return { quoted, funds, topUp: quoted.ok ? topUpFor(deps, funds, quoted.quote.amount) : undefined }
}

/** When the wallet of the group cannot pay the price of an order, the user becomes the payer, and the card says why. */
async function paid(deps: BotDeps, draft: Draft, { at }: Page): Promise<Omit<Priced, 'topUp'>> {
  const quoted = await quoteDraft(deps, draft)
  const funds = await cardFundsOf(deps, draft, quoted.ok ? quoted.quote.amount : undefined)
  const changed = at === 'main' && isOverGroup(funds) && (await setPayer(deps, draft, 'own'))
  if (!changed || funds.at !== 'group') return { quoted, funds }
  return { quoted: await quoteDraft(deps, changed), funds: { ...funds, payer: 'own' } }
}

/** The amount to top up for this price; undefined when the balance is enough, in a group, and while nothing can be topped up. */
function topUpFor({ topUps }: BotDeps, funds: CardFunds, price: Kopecks): Kopecks | undefined {
  if (funds.at === 'group' || topUps.providers.length === 0 || funds.available >= price) return undefined
  return amountToOffer(topUps, price - funds.available)
}

// The options of text fields that come from outside the catalog: the operator's voices, the user's styles and videos, and the
// concepts that the gateway lists.

type Deps = Pick<BotDeps, 'db' | 'catalog' | 'concepts'>
type TextField = Extract<Field, { kind: 'text' }>

const mostStyles = 20
const mostVideos = 8
/** A keyboard has at most 100 buttons. The other concepts can be typed. */
const mostConcepts = 60

export async function offersFor(
  deps: Deps,
  { userId }: Draft,
  model: Model,
): Promise<Record<string, readonly Option[]>> {
  const texts = model.fields.filter(
    (field): field is TextField => field.kind === 'text' && field.source !== undefined,
  )
  const offers = texts.map(
    async (field) => [field.name, await optionsOf(deps, userId, model, field)] as const,
  )
  return Object.fromEntries(await Promise.all(offers))
}

export async function optionsOf(
  deps: Deps,
  userId: bigint,
  model: Model,
  { source }: TextField,
): Promise<readonly Option[]> {
  if (source === undefined) return []
  switch (source) {
    case 'voices':
      return deps.catalog.voices(model)
    case 'styles':
      return (await stylesOf(deps.db, userId, mostStyles)).map(({ id, name }) => named(id, name))
    case 'concepts':
      return (await deps.concepts()).slice(0, mostConcepts).map(({ key, name = key }) => named(key, name))
    case 'videos':
      return videoOptions(deps, userId, model)
  }
}

const named = (value: string, name: string): Option => ({ value, label: sameInAll(name), set: {} })

/** The videos that the gateway made for this user with this model, the newest first. */
async function videoOptions({ db }: Deps, userId: bigint, model: Model): Promise<Option[]> {
  const videos = await videosOf(db, userId, model.id, mostVideos)
  return videos.map(({ taskId, id, request }) => named(taskId ?? id, promptInRequest(request, 24) ?? id))
}
