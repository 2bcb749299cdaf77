// Words that are typed while something of the bot's waits for its user: they answer what waits, or the user is told what it takes and is
// offered, with the price, to ask a text model.

import type { MiddlewareFn } from 'grammy'
import type { InlineKeyboardMarkup, Message } from 'grammy/types'
import { z } from 'zod'
import type { Field, Option, TextField } from '../catalog/field.ts'
import { visible } from '../catalog/fields.ts'
import { listOf, takesWords } from '../form/answer.ts'
import { missingField, promptField, promptOfDraft, settingAt } from '../form/fit.ts'
import { parseRoubles } from '../money.ts'
import { type Draft, draftForWords, draftOfCard, findDraft, modelsPage } from '../orders/drafts.ts'
import { newestNote, readNote, writeNote } from '../telegram/message-notes.ts'
import { wordsIn } from '../telegram/words.ts'
import { promoAskName } from './account/promo.ts'
import { reportInWords } from './account/report.ts'
import { noAmountText, takeAmount } from './account/top-up.ts'
import { droppedHtml, refusalText } from './cards/answer-text.ts'
import {
  answerByMessage,
  answerDraft,
  type Input,
  inputIn,
  optionsOf,
  remarksOn,
  roomFor,
} from './cards/answers.ts'
import { readTextFile } from './cards/attachment.ts'
import { alertStaleCard, pageOf, type Shown, sendCard } from './cards/cards.ts'
import { claimAlbum, tellAlbum } from './cards/file-uses.ts'
import { afterStep } from './cards/guide.ts'
import { stepIn } from './cards/guide-steps.ts'
import { exactFor, meantKey, meantModel, withValues } from './cards/match.ts'
import { offerUses } from './cards/models.ts'
import { modelOf, siblingsOf, switchModel } from './cards/switch-model.ts'
import { unfitTyped } from './cards/unfit.ts'
import { answerOffer, offerChoice } from './chat/chooser.ts'
import { asksByVoice, markedWords, unreadText, wordsOf } from './chat/words.ts'
import { answerTap, type BotDeps, type Ctx, deleteTapped, locationOf, reply } from './context.ts'
import { setCap } from './groups/wallet.ts'
import {
  commandQuestionName,
  isMentioned,
  isRecent,
  leaveMenu,
  type Menu,
  menuFor,
  noteKind,
  type OpenMenu,
  questionSuffix,
  repliedTo,
  tappedNote,
} from './notes.ts'
import { closeQuestionOf, hasOpenQuestion } from './question.ts'

type SomethingWaiting = Exclude<Waiting, { for: 'nothing' }>

/** Words that answer what waits for them. */
export const awaitedWords =
  (deps: BotDeps): MiddlewareFn<Ctx> =>
  async (ctx, next) => {
    if (!ctx.has(['message:text', 'message:caption'])) return next()
    const typed = { ...ctx.msg, text: wordsIn(ctx.msg) }
    if (typed.text.startsWith('/') || (ctx.chat.type !== 'private' && isMentioned(ctx, typed))) return next()
    const waiting = await waitingFor(deps, ctx, typed)
    if (waiting.for === 'nothing') return (await wasTaken(deps, ctx, typed)) ? undefined : next()
    if (!(await takeWords(deps, ctx, waiting, typed))) await offerWords(deps, ctx, waiting, typed)
  }

/**
 * Takes a file as the value of the open page; on a page of a text, a text file. A file with a caption is taken only at a step of the guide. A
 * voice message that is not the value is offered as a question, with its price.
 */
export const awaitedFiles =
  (deps: BotDeps): MiddlewareFn<Ctx> =>
  async (ctx, next) => {
    if (!ctx.has('message:file')) return next()
    const typed = { ...ctx.msg, text: wordsIn(ctx.msg) }
    const waiting = typed.text.startsWith('/') ? nothing : await waitingFor(deps, ctx, typed)
    const draft = waiting.for === 'card' ? waiting.draft : undefined
    if (draft && (await isFileMeant(deps, ctx, draft, typed)) && (await takeText(deps, ctx, draft, typed)))
      return
    const isOpen = waiting.for === 'other-person' || (draft && draft.openPage !== null)
    if (waiting.for === 'nothing' || !isOpen || !asksByVoice(ctx.msg)) return next()
    await offerWords(deps, ctx, waiting, typed)
  }

async function isFileMeant(deps: BotDeps, ctx: Ctx, draft: Draft, typed: Typed): Promise<boolean> {
  const { openPage } = draft
  if (await wasTaken(deps, ctx, typed, openPage)) return true
  const isMeant = typed.text === '' || stepIn(openPage) !== undefined
  const kind = shownField(deps, draft)?.kind
  return isMeant && openPage !== null && (kind === 'media' || kind === 'text')
}

/** Installed before the conversations: what was shown after a question takes the words, not the question. A command closes the menu. */
export const wordsBeforeQuestions =
  (deps: BotDeps): MiddlewareFn<Ctx> =>
  async (ctx, next) => {
    if (ctx.chat?.type !== 'private' || !ctx.has('message:text')) return next()
    if (ctx.msg.text.startsWith('/')) await leaveMenu(deps, ctx)
    else if (await isForLater(deps, ctx, ctx.msg)) return
    await next()
  }

async function isForLater(deps: BotDeps, ctx: Ctx, typed: Typed): Promise<boolean> {
  if (!hasOpenQuestion(ctx)) return false
  const waiting = await waitingFor(deps, ctx, typed)
  if (waiting.for === 'nothing') return false
  if (!repliedTo(typed) && (await isAskedSince(deps, ctx, waiting.since))) return false
  // Any word can be a code: it is not asked for any more once something else was opened.
  await closeQuestionOf(deps, ctx, promoAskName)
  const isLater = waiting.for === 'menu' || (waiting.for === 'card' && waiting.draft.openPage !== null)
  return isLater && takeWords(deps, ctx, waiting, typed)
}

/** Whether the open question was asked, or asked again, since then. */
async function isAskedSince(deps: BotDeps, ctx: Ctx, since: Date): Promise<boolean> {
  const question = await newestNote(deps, ctx.chatId ?? 0, ctx.user.id, questionSuffix, commandQuestionName)
  return question !== undefined && question.createdAt >= since
}

/** @returns false when the words are no answer to what waits */
async function takeWords(deps: BotDeps, ctx: Ctx, waiting: SomethingWaiting, typed: Typed): Promise<boolean> {
  switch (waiting.for) {
    case 'card':
      return takeText(deps, ctx, waiting.draft, typed)
    case 'other-person':
      await reply(ctx, ctx.say.html('typed-on-foreign-card'))
      return true
    case 'menu':
      return answerMenu(deps, ctx, waiting, typed)
  }
}

async function answerMenu(deps: BotDeps, ctx: Ctx, open: WaitingMenu, { text }: Typed): Promise<boolean> {
  const { menu, message } = open
  if (menu.at === 'reasons') {
    await reportInWords(deps, ctx, menu, message, text)
    return true
  }
  const roubles = parseRoubles(text)
  if (roubles === undefined || (menu.at !== 'amounts' && menu.at !== 'caps')) return false
  if (menu.at === 'caps') return setCap(deps, ctx, BigInt(menu.walletId), roubles, message)
  await takeAmount(deps, ctx, roubles)
  return true
}

/** Keeps the words, says what is expected, and offers what can be done with them. In groups an open page comes again instead. */
async function offerWords(deps: BotDeps, ctx: Ctx, waiting: SomethingWaiting, typed: Typed): Promise<void> {
  const why = expected(deps, ctx, waiting, typed)
  if (ctx.chat?.type !== 'private' && waiting.for === 'card' && waiting.draft.openPage !== null)
    return refuse(deps, ctx, waiting.draft, { html: why, offer: [] })
  const offer = () => offerQuestion(deps, ctx, waiting, typed, why)
  // Below a file words may be its prompt as well as a question.
  const isBesideCard = waiting.for === 'card' && waiting.draft.openPage === null
  if (!isBesideCard || ctx.chat?.type !== 'private' || !ctx.has('message:file')) return offer()
  if (await claimAlbum(deps, ctx.user.id, typed)) await offerUses(deps, ctx, typed, offer, offer)
}

async function offerQuestion(deps: BotDeps, ctx: Ctx, waiting: SomethingWaiting, typed: Typed, why: string) {
  const read = await wordsOf(deps, ctx, typed, markedWords(typed))
  if (!read.ok) return reply(ctx, unreadText(ctx.say, read.missing))
  await tellAlbum(deps, ctx, typed, 'album-in-question')
  const { text, files } = read
  const { message_id: messageId, caption } = typed
  const question = { text, files: [...files], messageId, updateId: ctx.update.update_id }
  const draft = waiting.for === 'card' ? waiting.draft : undefined
  const words = caption === undefined ? visible(typed.text) : ''
  const isPrompt = draft && words !== '' && promptOf(deps, draft)
  const about = isPrompt ? { draftId: draft.id } : words === '' ? {} : { words }
  await offerChoice(deps, ctx, { ...question, ...about }, why)
}

/** Says what is expected, and that nothing was done with the words. */
function expected(deps: BotDeps, { say }: Ctx, waiting: SomethingWaiting, { caption }: Typed): string {
  if (waiting.for === 'card') {
    const { draft } = waiting
    const field = draft.openPage !== null || caption === undefined ? shownField(deps, draft) : undefined
    if (field?.kind === 'number') return refusalText(say, { reason: 'not-a-number' }, field)
    return say.html(field || draft.openPage !== null ? 'typed-no-value' : 'words-beside-card')
  }
  if (waiting.for === 'other-person') return say.html('typed-on-foreign-card')
  const { at } = waiting.menu
  if (at === 'amounts') return noAmountText(deps, say)
  return at === 'reasons' ? say.html('problem-ask') : say.html(`words-beside-${at}`)
}

/** The field of the prompt, and the present prompt. */
function promptOf(deps: BotDeps, draft: Draft) {
  const model = modelOf(deps, draft)
  const field = promptField(model)
  return field && { field, was: promptOfDraft(model, draft) }
}

/** Puts the offered words into the prompt of the card beside which they were typed. */
export async function changePrompt(deps: BotDeps, ctx: Ctx, change: 'replace' | 'add'): Promise<void> {
  const offer = await tappedNote(deps, ctx, answerOffer)
  const draft = offer?.draftId ? await findDraft(deps.db, offer.draftId, ctx.user.id) : undefined
  const prompt = draft?.state === 'open' ? promptOf(deps, draft) : undefined
  if (!offer || !draft || !prompt) return alertStaleCard(ctx)
  const { field, was } = prompt
  const typed = change === 'add' && was !== null ? `${was}\n${offer.text}` : offer.text
  const answered = await answerDraft(deps, draft.id, draft.userId, field.name, { typed })
  if (!answered.ok && answered.reason === 'closed') return alertStaleCard(ctx)
  await answerTap(ctx)
  if (!answered.ok) return reply(ctx, refusalText(ctx.say, answered.refusal, field))
  await deleteTapped(ctx)
  await sendCard(deps, ctx.api, answered.draft, ctx.say, { at: 'main' }, remarksOn(ctx.say, answered))
}

// Decides what of the bot's waits for the words of a user. While something waits, words are never sent to a text model, which charges for
// its answers, without a tap on a button with the price.

type Waiting =
  | { readonly for: 'nothing' }
  /** A card: the setting or the step that it shows, or what it lacks. */
  | { readonly for: 'card'; readonly draft: Draft; readonly since: Date }
  /** The page of a setting on the card of another person, in a group. */
  | { readonly for: 'other-person'; readonly since: Date }
  | WaitingMenu

/** Beside /start and the settings of /chat, words are what they are without them. */
interface WaitingMenu extends OpenMenu {
  readonly for: 'menu'
  readonly menu: Exclude<Menu, { at: 'start' | 'chat' }>
}

const nothing: Waiting = { for: 'nothing' }

/** What was shown last counts. A reply is for what it replies to, in groups only a reply is. */
async function waitingFor(deps: BotDeps, ctx: Ctx, message: Message): Promise<Waiting> {
  if (message.external_reply) return nothing
  const menu = await menuFor(deps, ctx, message)
  const card = await waitingCard(deps, ctx, message)
  if (!menu || (card && card.since >= menu.since)) return card ?? nothing
  const { menu: shown } = menu
  return shown.at === 'start' || shown.at === 'chat' ? nothing : { for: 'menu', ...menu, menu: shown }
}

/** A page waits as long as it is open, a card as long as a price that it shows counts. */
async function waitingCard(deps: BotDeps, ctx: Ctx, message: Message) {
  const replied = repliedTo(message)
  const draft = await draftFor(deps, ctx, message)
  if (!draft) return undefined
  const since = draft.updatedAt
  if (draft.userId !== ctx.user.id)
    return draft.openPage === null ? undefined : ({ for: 'other-person', since } as const)
  if (draft.openPage === null && !replied && !isRecent(message, since)) return undefined
  return { for: 'card', draft, since } as const
}

async function draftFor({ db }: BotDeps, ctx: Ctx, message: Message): Promise<Draft | undefined> {
  const replied = repliedTo(message)
  const location = locationOf(ctx)
  if (replied) return draftOfCard(db, message.chat.id, replied.message_id, ctx.user.id)
  const isPrivate = message.chat.type === 'private'
  return isPrivate && location ? draftForWords(db, ctx.user.id, location) : undefined
}

// A value that is typed in place of a tap: while the card shows the page of its setting (`10`, `16:9`, the name of a model on the page of
// models) or a step, or while the card lacks an answer.

/** The note of a user's message that was taken as a value, with the page that was open. */
const taken = noteKind('typed-value', z.strictObject({ page: z.string().nullable().exactOptional() }))

type Typed = Message & { text: string }

/**
 * Whether an earlier attempt at this update has stored the message as a value. The note is written before the value: while the card is still
 * on the page of the note, the value may be missing, and the message is handled again.
 */
async function wasTaken(deps: BotDeps, ctx: Ctx, message: Typed, openPage: string | null = null) {
  const note = await readNote(deps, message, ctx.user.id, taken)
  if (note) return openPage === null || note.page !== openPage
  // A text that was refused, and is offered to be rewritten, has the note of this offer.
  const unfit = await readNote(deps, message, ctx.user.id, unfitTyped)
  return unfit !== undefined && (openPage === null || unfit.fieldName !== (stepIn(openPage) ?? openPage))
}

const noteTaken = (deps: BotDeps, ctx: Ctx, message: Typed, { openPage: page }: Draft): Promise<void> =>
  writeNote(deps, message, { kind: taken, userId: ctx.user.id, about: { page } })

/** @returns false when the text is no value of the setting that the card asks for */
async function takeText(deps: BotDeps, ctx: Ctx, draft: Draft, message: Typed): Promise<boolean> {
  if (await wasTaken(deps, ctx, message, draft.openPage)) {
    await sendCard(deps, ctx.api, draft, ctx.say, pageOf(draft))
    return true
  }
  if (draft.openPage === modelsPage) return takeModel(deps, ctx, draft, message)
  const field = shownField(deps, draft)
  return field !== undefined && takeValue(deps, ctx, draft, field, message)
}

/** Takes the name of a model. @returns false when the text is no such name */
async function takeModel(deps: BotDeps, ctx: Ctx, draft: Draft, message: Typed): Promise<boolean> {
  const chosen = meantModel(deps.texts, await siblingsOf(deps, draft), message.text)
  if (!chosen) return false
  await noteTaken(deps, ctx, message, draft)
  const switched = await switchModel(deps, draft, chosen)
  if (!switched) return false
  const dropped = droppedHtml(ctx.say, switched.dropped)
  await sendCard(deps, ctx.api, switched.draft, ctx.say, { at: 'main' }, dropped === '' ? [] : [dropped])
  return true
}

/** The setting whose page is open, or else the first answer that the card lacks, if it can be written, or a prompt that is still empty. */
function shownField(deps: Pick<BotDeps, 'catalog'>, draft: Draft): Field | undefined {
  const model = modelOf(deps, draft)
  const { answers, openPage } = draft
  if (openPage !== null) return settingAt(model, model.complete(answers), stepIn(openPage) ?? openPage)?.field
  const missing = missingField(model, answers)
  if (missing) return takesWords(missing) ? missing : undefined
  return promptOfDraft(model, draft) === null ? promptField(model) : undefined
}

/** @returns false when the message is no value of the setting */
async function takeValue(
  deps: BotDeps,
  ctx: Ctx,
  draft: Draft,
  field: Field,
  message: Typed,
): Promise<boolean> {
  const { say } = ctx
  const hasFile = ctx.has('message:file')
  const input = await inputOf(deps, draft, field, message, hasFile)
  const exact = input ? undefined : exactFor(modelOf(deps, draft), field, message.text)
  if (exact) return takeValue(deps, ctx, draft, exact, message)
  // A file that is no text is kept for its own setting, or words are asked for.
  const isAtText = hasFile && field.kind === 'text' && stepIn(draft.openPage) !== undefined
  if (!input && !isAtText) return false
  await noteTaken(deps, ctx, message, draft)
  const told = await answerByMessage(deps, draft, field, message, input, say)
  if (told.is === 'closed' || (told.is === 'refused' && told.refusal?.reason === 'not-a-number')) return false
  if (told.is === 'refused') await refuse(deps, ctx, draft, told)
  else
    await sendCard(
      deps,
      ctx.api,
      told.draft,
      say,
      await pageAfter(deps, draft, field, told.draft),
      told.remarks,
    )
  return true
}

/** In groups only a reply is for the card, so its page comes again below the refusal. In private chats a step does, without an offer. */
async function refuse(
  deps: BotDeps,
  ctx: Ctx,
  draft: Draft,
  { html, offer }: { readonly html: string; readonly offer: InlineKeyboardMarkup['inline_keyboard'] },
): Promise<void> {
  const isAgain = ctx.chat?.type !== 'private' || stepIn(draft.openPage) !== undefined
  if (!isAgain || offer.length > 0) return reply(ctx, html, { inline_keyboard: [...offer] })
  // A file may have been kept.
  const now = await findDraft(deps.db, draft.id, draft.userId)
  await sendCard(deps, ctx.api, now ?? draft, ctx.say, pageOf(draft), [html])
}

/** The next step of the guide, or the same one while it takes more files; the card after any other value. */
async function pageAfter(deps: BotDeps, { openPage }: Draft, field: Field, now: Draft): Promise<Shown> {
  const step = stepIn(openPage)
  if (step === undefined) return { at: 'main' }
  return roomFor(now, field) ? { at: 'step', name: step } : afterStep(deps, now, step)
}

async function inputOf(
  deps: BotDeps,
  draft: Draft,
  field: Field,
  message: Typed,
  hasFile: boolean,
): Promise<Input | undefined> {
  // Words below a file may be a question about it, so they are no value, except at a step: a number or a choice may stand there.
  if (message.caption !== undefined && stepIn(draft.openPage) === undefined) return undefined
  if (field.kind === 'media') return inputIn(deps, field, message)
  const isInFile = hasFile && field.kind === 'text'
  const typed = isInFile ? await readTextFile(deps.files, message.document) : message.text
  if (typed === undefined) return undefined
  const model = modelOf(deps, draft)
  const offers = field.kind === 'text' ? await optionsOf(deps, draft.userId, model, field) : []
  const key = meantKey(deps.texts, { model, answers: draft.answers }, field, offers, typed)
  if (key !== undefined) return { tapped: key }
  const isValue = field.kind === 'text' ? areValues(deps, field, offers, typed) : field.kind === 'number'
  return isValue ? { typed } : undefined
}

/** Whether a text field accepts the typed words. A field with a list of options accepts only their names, and ids of the gateway. */
function areValues({ texts }: BotDeps, field: TextField, offers: readonly Option[], typed: string): boolean {
  if (field.source === undefined) return true
  const values = withValues(texts, field, offers, typed.trim())
  const isKnown = (one: string) => gatewayId.test(one) || offers.some(({ value }) => value === one)
  return (field.many ? listOf(values) : [values]).every(isKnown)
}

/** The id of a voice or a style at the gateway: one word with a digit, a hyphen or an underscore. */
const gatewayId = /^(?=.*[\d_-])[\w-]{4,}$/
