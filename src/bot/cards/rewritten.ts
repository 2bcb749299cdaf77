// Puts a rewritten text onto its card, or shows it there as a suggestion. A text that cannot go there is sent as a message, since it was paid
// for.

import type { Api } from 'grammy'
import type { Turn } from '../../chat/conversations.ts'
import { plainPieces } from '../../chat/format/answer.ts'
import { rewritingOf } from '../../chat/rewriting.ts'
import type { PromptPart } from '../../db/schema.ts'
import type { Page } from '../../form/card-data.ts'
import { promptField, promptOfDraft, whyUnfit, withLyrics, withPrompt } from '../../form/fit.ts'
import { changeDraft, type Draft, findDraft } from '../../orders/drafts.ts'
import { readNote } from '../../telegram/message-notes.ts'
import { isNotModified, sendInto } from '../../telegram/send.ts'
import type { Say } from '../../texts.ts'
import type { BotDeps } from '../context.ts'
import { answerDraft } from './answers.ts'
import { sendCard, viewDraft } from './cards.ts'
import { modelOf } from './switch-model.ts'
import { unfitTyped } from './unfit.ts'

interface Sending {
  readonly deps: BotDeps
  readonly api: Api
  readonly say: Say
  /** Whether another process than the one that was asked finishes: other messages may then stand below the card. */
  readonly isLate: boolean
}

/** Can be repeated: a prompt that is on the card already is only shown again. */
export async function putRewritten(sending: Sending, turn: Turn, part: PromptPart): Promise<void> {
  const draft = await findDraft(sending.deps.db, part.draftId, turn.userId)
  if (draft?.state !== 'open') return draft && tell(sending, turn, draft, part.text, 'rewrite-late')
  const to = await rewritingOf(sending.deps, turn)
  if (to === 'improve' || to === 'lyrics') return suggest(sending, turn, draft, part, to)
  if (to === 'describe') return putDescription(sending, turn, draft, part.text)
  if (turn.questionMessageId !== null)
    return putTyped(sending, turn, draft, turn.questionMessageId, part.text)
  if (draft.unfitPrompt !== turn.question) {
    const isPut = draft.rewritingId === turn.id && draft.writtenPrompt !== null
    return isPut ? show(sending, turn, draft) : tell(sending, turn, draft, part.text, 'rewrite-late')
  }
  const changed = await change(sending.deps, turn, draft, part.text)
  return changed ? show(sending, turn, changed) : tell(sending, turn, draft, part.text, 'rewrite-unfit')
}

/** Shows the suggestion on the card, if the prompt is still the one that it is for. */
async function suggest(
  sending: Sending,
  turn: Turn,
  draft: Draft,
  { text }: PromptPart,
  to: 'improve' | 'lyrics',
): Promise<void> {
  const { deps } = sending
  const model = modelOf(deps, draft)
  const answers = to === 'lyrics' ? withLyrics(model, draft.answers, true) : draft.answers
  if (whyUnfit(model, answers, text)) return tell(sending, turn, draft, text, 'rewrite-unfit')
  const isFor = draft.rewritingId === turn.id && promptOfDraft(model, draft) === turn.question
  if (!isFor) return tell(sending, turn, draft, text, 'rewrite-late')
  return show(sending, turn, draft, { at: 'suggestion' })
}

/** Makes the description of a picture the prompt, unless there is another one by now. */
async function putDescription(sending: Sending, turn: Turn, draft: Draft, text: string): Promise<void> {
  const model = modelOf(sending.deps, draft)
  const prompt = promptOfDraft(model, draft)
  if (prompt === text) return show(sending, turn, draft)
  const isFor = draft.rewritingId === turn.id && prompt === null
  await putAnswer(sending, turn, draft, isFor ? promptField(model)?.name : undefined, text)
}

/** Answers the field for which the original was typed. @param messageId of the original, whose note names the field */
async function putTyped(
  sending: Sending,
  turn: Turn,
  draft: Draft,
  messageId: number,
  text: string,
): Promise<void> {
  const message = { chat: { id: draft.chatId }, message_id: messageId }
  const typed = await readNote(sending.deps, message, turn.userId, unfitTyped)
  await putAnswer(sending, turn, draft, typed?.fieldName, text)
}

async function putAnswer(
  sending: Sending,
  turn: Turn,
  draft: Draft,
  fieldName: string | undefined,
  typed: string,
): Promise<void> {
  const { id, userId } = draft
  const answered = fieldName && (await answerDraft(sending.deps, id, userId, fieldName, { typed }))
  if (!answered) return tell(sending, turn, draft, typed, 'rewrite-late')
  if (answered.ok) return show(sending, turn, answered.draft)
  await tell(sending, turn, draft, typed, answered.reason === 'refused' ? 'rewrite-unfit' : 'rewrite-late')
}

/** @returns undefined when the rewritten text is refused for the same reason as the original */
async function change(
  { db, catalog, clock }: BotDeps,
  { question }: Turn,
  draft: Draft,
  text: string,
): Promise<Draft | undefined> {
  const changeOf = ({ modelId, answers, unfitPrompt, writtenPrompt }: Draft) => {
    if (unfitPrompt !== question) return undefined
    const model = modelOf({ catalog }, { id: draft.id, modelId })
    const [was, is] = [question, text].map((words) => whyUnfit(model, answers, words)?.reason)
    if (is !== undefined && is === was) return undefined
    return { ...withPrompt(model, answers, text), writtenPrompt: writtenPrompt ?? question }
  }
  return changeDraft(db, draft, changeOf, clock.now())
}

/** Shows the card. The price of the rewriting is on it until it is drawn again. */
async function show(
  { deps, api, say, isLate }: Sending,
  turn: Turn,
  draft: Draft,
  page: Page = { at: 'main' },
): Promise<void> {
  const { chatId, cardMessageId } = draft
  if (isLate || cardMessageId === null) return sendCard(deps, api, draft, say, page)
  const { html, keyboard } = await viewDraft(deps, draft, say, page)
  const text = `${html}\n\n${say.html('rewrite-cost', amountOf(turn, say))}`
  const more = { parse_mode: 'HTML', reply_markup: keyboard } as const
  try {
    await api.editMessageText(chatId, cardMessageId, text, more)
  } catch (error) {
    if (!isNotModified(error)) await sendCard(deps, api, draft, say, page)
  }
}

async function tell(
  { api, say }: Sending,
  turn: Turn,
  draft: Draft,
  text: string,
  key: 'rewrite-late' | 'rewrite-unfit',
): Promise<void> {
  const { chatId } = draft
  const why = say.plain(key, amountOf(turn, say))
  for (const piece of [why, ...plainPieces(text).map((one) => one.text)]) {
    await sendInto(draft, (into) => api.sendMessage(chatId, piece, into))
  }
}

const amountOf = ({ captured }: Turn, say: Say) => ({ amount: say.roubles(captured ?? 0n) })
