// Words that are typed while something of the bot's waits for its user: they answer what waits, or the user is told what it takes and is
// offered, with the price, to ask a text model.

import type { MiddlewareFn } from 'grammy'
import type { Message } from 'grammy/types'
import type { Field, Option, TextField } from '../catalog/field.ts'
import { listOf, takesWords } from '../form/answer.ts'
import { missingField, possibleOptions, promptField, promptOfDraft, settingAt } from '../form/fit.ts'
import { parseRoubles } from '../money.ts'
import { type Draft, draftForWords, draftOfCard, findDraft, modelsPage } from '../orders/drafts.ts'
import { newestNote, readNote } from '../telegram/message-notes.ts'
import { wordsIn } from '../telegram/words.ts'
import type { Say } from '../texts.ts'
import { promoAskName } from './account/promo.ts'
import { reportInWords } from './account/report.ts'
import { noAmountText, takeAmount } from './account/top-up.ts'
import { droppedHtml, optionText, refusalText } from './cards/answer-text.ts'
import { answerByMessage, answerDraft, type Input, inputIn, optionsOf, remarksOn } from './cards/answers.ts'
import { alertStaleCard, sendCard } from './cards/cards.ts'
import { tellAlbum } from './cards/file-uses.ts'
import { answerStep, isAside, stopWaiting } from './cards/guide.ts'
import { guideStep, stepOf } from './cards/guide-steps.ts'
import { meantKey, meantModel, withValues } from './cards/match.ts'
import { modelOf, siblingsOf, switchModelOfCard } from './cards/switch-model.ts'
import { answerOffer, offerChoice } from './chat/chooser.ts'
import { markedWords, unreadText, wordsOf } from './chat/words.ts'
import { answerTap, type BotDeps, type Ctx, deleteTapped, locationOf, reply } from './context.ts'
import { setCap } from './groups/wallet.ts'
import {
  commandQuestionName,
  isMentioned,
  isRecent,
  leaveMenu,
  type Menu,
  menuFor,
  noteOwn,
  type OpenMenu,
  plainNote,
  questionSuffix,
  repliedTo,
  tappedNote,
} from './notes.ts'
import { closeQuestionOf, guideName } from './question.ts'

type SomethingWaiting = Exclude<Waiting, { for: 'nothing' }>

/** Words that answer what waits for them. */
export const awaitedWords =
  (deps: BotDeps): MiddlewareFn<Ctx> =>
  async (ctx, next) => {
    if (!ctx.has(['message:text', 'message:caption'])) return next()
    const typed = { ...ctx.msg, text: wordsIn(ctx.msg) }
    if (typed.text.startsWith('/') || (ctx.chat.type !== 'private' && isMentioned(ctx, typed))) return next()
    const waiting = await waitingFor(deps, ctx, typed)
    // When the update is handled again after a crash, the value is on its card already, and the card may have gone on since.
    if (waiting.for === 'nothing') return (await wasTaken(deps, ctx, typed)) ? undefined : next()
    if (!(await takeWords(deps, ctx, waiting, typed))) await offerWords(deps, ctx, waiting, typed)
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
  if (!Object.values(ctx.conversation.active()).some((count) => count > 0)) return false
  const waiting = await waitingFor(deps, ctx, typed)
  if (waiting.for === 'nothing') return false
  if (waiting.for === 'step' && waiting.isAside) {
    await offerWords(deps, ctx, waiting, typed)
    return true
  }
  if (!repliedTo(typed) && (await isAskedSince(deps, ctx, waiting.since))) return false
  // Any word can be a code: it is not asked for any more once something else was opened.
  await closeQuestionOf(deps, ctx, promoAskName)
  const isLater = waiting.for === 'menu' || (waiting.for === 'value' && waiting.draft.openPage !== null)
  return isLater && takeWords(deps, ctx, waiting, typed)
}

/** Whether the open question was asked, or asked again, since then. */
async function isAskedSince(deps: BotDeps, ctx: Ctx, since: Date): Promise<boolean> {
  const inGuide = (ctx.conversation.active()[guideName] ?? 0) > 0
  const asking = inGuide ? guideStep.name : questionSuffix
  const question = await newestNote(deps, ctx.chatId ?? 0, ctx.user.id, asking, commandQuestionName)
  return question !== undefined && question.createdAt >= since
}

/** @returns false when the words are no answer to what waits */
async function takeWords(deps: BotDeps, ctx: Ctx, waiting: SomethingWaiting, typed: Typed): Promise<boolean> {
  switch (waiting.for) {
    case 'value':
      return takeText(deps, ctx, waiting.draft, typed)
    case 'other-person':
      await reply(ctx, ctx.say.html('typed-on-foreign-card'))
      return true
    case 'step':
      return !waiting.isAside && answerStep(deps, ctx, waiting.draft, typed)
    case 'card':
      // When the same update is handled again after a crash, the value is on the card already.
      if (!(await wasTaken(deps, ctx, typed))) return false
      await sendCard(deps, ctx.api, waiting.draft, ctx.say)
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

/** Keeps the words, says what is expected, and offers what can be done with them. */
async function offerWords(deps: BotDeps, ctx: Ctx, waiting: SomethingWaiting, typed: Typed): Promise<void> {
  const read = await wordsOf(deps, ctx, typed, markedWords(typed))
  if (!read.ok) return reply(ctx, unreadText(ctx.say, read.missing))
  await tellAlbum(deps, ctx, typed, 'album-in-question')
  const { text, files } = read
  const { message_id: messageId, caption } = typed
  const question = { text, files: [...files], messageId, updateId: ctx.update.update_id }
  const draft = waiting.for === 'menu' || waiting.for === 'other-person' ? undefined : waiting.draft
  const isPrompt = draft && caption === undefined && promptOf(deps, draft)
  const about = isPrompt ? { ...question, draftId: draft.id } : question
  await offerChoice(deps, ctx, about, await expected(deps, ctx, waiting))
}

/** Says what is expected, and that nothing was done with the words. */
async function expected(deps: BotDeps, { say }: Ctx, waiting: SomethingWaiting): Promise<string> {
  if (waiting.for === 'value') return noValueText(deps, waiting.draft, say)
  if (waiting.for === 'step') return say.html('words-beside-step')
  if (waiting.for !== 'menu') return say.html('words-beside-card')
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
  await stopWaiting(ctx, draft)
  await deleteTapped(ctx)
  await sendChanged(deps, ctx, answered.draft, remarksOn(ctx.say, answered))
}

// Decides what of the bot's waits for the words of a user. While something waits, words are never sent to a text model, which charges for
// its answers, without a tap on a button with the price.

type Waiting =
  | { readonly for: 'nothing' }
  /** The open page of a setting, or a field without which the card has no price. */
  | { readonly for: 'value'; readonly draft: Draft; readonly since: Date }
  /** The page of a setting on the card of another person, in a group. */
  | { readonly for: 'other-person'; readonly since: Date }
  /** A step of the guide; `isAside`: it has options, and the words are none of them. */
  | { readonly for: 'step'; readonly draft: Draft; readonly since: Date; readonly isAside: boolean }
  /** A card that needs no words. */
  | { readonly for: 'card'; readonly draft: Draft; readonly since: Date }
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
  const step = await stepOf(deps, draft)
  if (step !== undefined) {
    const words = replied ? undefined : message.text
    const aside = words !== undefined && (await isAside(deps, draft, step, words))
    return { for: 'step', draft, since, isAside: aside } as const
  }
  const takesWords = draft.openPage !== null || (message.caption === undefined && shownField(deps, draft))
  return { for: takesWords ? 'value' : 'card', draft, since } as const
}

async function draftFor({ db }: BotDeps, ctx: Ctx, message: Message): Promise<Draft | undefined> {
  const replied = repliedTo(message)
  const location = locationOf(ctx)
  if (replied) return draftOfCard(db, message.chat.id, replied.message_id, ctx.user.id)
  const isPrivate = message.chat.type === 'private'
  return isPrivate && location ? draftForWords(db, ctx.user.id, location) : undefined
}

// A value that is typed in place of a tap: while the card shows the page of its setting (`10`, `16:9`, the name of a model on the page of
// models), or while the card lacks an answer.

/** The note of a user's message that was taken as a value. */
const taken = plainNote('typed-value')

type Typed = Message & { text: string }

const wasTaken = async (deps: BotDeps, ctx: Ctx, message: Typed): Promise<boolean> =>
  (await readNote(deps, message, ctx.user.id, taken)) !== undefined

/** @returns false when the text is no value of the setting that the card asks for */
async function takeText(deps: BotDeps, ctx: Ctx, draft: Draft, message: Typed): Promise<boolean> {
  if (draft.openPage === modelsPage) return takeModel(deps, ctx, draft, message)
  const field = shownField(deps, draft)
  return field !== undefined && takeValue(deps, ctx, draft, field, message)
}

/** Says that a text is no value of the setting that the card asks for, and which values it takes. */
async function noValueText(deps: BotDeps, draft: Draft, say: Say): Promise<string> {
  const values = await valuesAt(deps, draft, say)
  const options = values.length > 0 ? [say.html('typed-options', { options: values.join(', ') })] : []
  return [say.html('typed-no-value'), ...options].join('\n')
}

async function valuesAt(deps: BotDeps, draft: Draft, say: Say): Promise<readonly string[]> {
  if (draft.openPage === modelsPage)
    return (await siblingsOf(deps, draft)).map((sibling) => say.label(sibling.model.label))
  const model = modelOf(deps, draft)
  const field = shownField(deps, draft)
  if (field?.kind === 'number') {
    const most = Math.min(field.max, model.limit(field, draft.answers) ?? field.max)
    return most < Number.MAX_SAFE_INTEGER ? [`${say.number(field.min)}–${say.number(most)}`] : []
  }
  if (field?.kind === 'choice')
    return possibleOptions(model, field, draft.answers).map((one) => say.label(one.label))
  if (field?.kind !== 'text') return []
  const offers = await optionsOf(deps, draft.userId, model, field)
  return offers.slice(0, mostListed).map((one) => optionText(one, say))
}

/** The other options are on the buttons of the page. */
const mostListed = 20

/** Takes the name of a model. @returns false when the text is no such name */
async function takeModel(deps: BotDeps, ctx: Ctx, draft: Draft, message: Typed): Promise<boolean> {
  const chosen = meantModel(deps.texts, await siblingsOf(deps, draft), message.text)
  if (!chosen) return false
  await noteOwn(deps, ctx, message, taken)
  const switched = await switchModelOfCard(deps, ctx, draft, chosen)
  if (!switched) return false
  const dropped = droppedHtml(ctx.say, switched.dropped)
  await sendChanged(deps, ctx, switched.draft, dropped === '' ? [] : [dropped])
  return true
}

/** The setting whose page is open, or else the first answer that the card lacks, if it can be written, or a prompt that is still empty. */
function shownField(deps: Pick<BotDeps, 'catalog'>, draft: Draft): Field | undefined {
  const model = modelOf(deps, draft)
  const { answers, openPage } = draft
  if (openPage !== null) return settingAt(model, model.complete(answers), openPage)?.field
  const missing = missingField(model, answers)
  if (missing) return takesWords(missing) ? missing : undefined
  return promptOfDraft(model, draft) === null ? promptField(model) : undefined
}

/** @returns false when the text is no value of the setting */
async function takeValue(deps: BotDeps, ctx: Ctx, draft: Draft, field: Field, message: Typed) {
  const { say } = ctx
  const input = await inputOf(deps, draft, field, message)
  if (!input) return false
  // The note comes first, since the answer closes the page. It has no effect while the page is open.
  await noteOwn(deps, ctx, message, taken)
  const told = await answerByMessage(deps, draft, field, message, input, say)
  if (told.is === 'closed' || (told.is === 'refused' && told.refusal?.reason === 'not-a-number')) return false
  if (told.is === 'refused') await reply(ctx, told.html, { inline_keyboard: [...told.offer] })
  else await sendChanged(deps, ctx, told.draft, told.remarks)
  return true
}

/** Says what else has changed, and sends the card. */
async function sendChanged(deps: BotDeps, ctx: Ctx, draft: Draft, remarks: readonly string[]): Promise<void> {
  for (const html of remarks) await reply(ctx, html)
  await sendCard(deps, ctx.api, draft, ctx.say)
}

async function inputOf(
  deps: BotDeps,
  draft: Draft,
  field: Field,
  message: Typed,
): Promise<Input | undefined> {
  const { text: typed, caption } = message
  // A file with words is no value: what to do with it is asked for.
  if (field.kind === 'media') return caption === undefined ? inputIn(deps, field, message) : undefined
  const model = modelOf(deps, draft)
  const offers = field.kind === 'text' ? await optionsOf(deps, draft.userId, model, field) : []
  const key = meantKey(deps.texts, { model, answers: draft.answers }, field, offers, typed)
  if (key !== undefined) return { tapped: key }
  const isValue = field.kind === 'text' ? areValues(deps, field, offers, typed) : field.kind === 'number'
  return isValue ? { typed } : undefined
}

/** Whether words are an answer to a text field: any words, or ids and names where the answer is one of a list. */
function areValues({ texts }: BotDeps, field: TextField, offers: readonly Option[], typed: string): boolean {
  if (field.source === undefined) return true
  const values = withValues(texts, field, offers, typed.trim())
  const isKnown = (one: string) => gatewayId.test(one) || offers.some(({ value }) => value === one)
  return (field.many ? listOf(values) : [values]).every(isKnown)
}

/** The id of a voice or a style at the gateway: one word with a digit, a hyphen or an underscore. */
const gatewayId = /^(?=.*[\d_-])[\w-]{4,}$/
