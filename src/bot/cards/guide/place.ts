// Where a guide stands: its message is the card of the draft, and the note of that message names the step. Everything else is in the
// draft, so that a restart, a command or a day's pause loses nothing.

import type { Message } from 'grammy/types'
import { z } from 'zod'
import { type Draft, findDraft, setCard } from '../../../generations/drafts.ts'
import { changeNote, readNote } from '../../../telegram/message-notes.ts'
import type { BotDeps } from '../../context.ts'
import { noteKind } from '../../notes.ts'

export const guideStep = noteKind('guide', z.strictObject({ draftId: z.string(), step: z.string() }))

type Deps = Pick<BotDeps, 'db' | 'clock'>
type Place = Pick<Message, 'message_id'> & { readonly chat: { readonly id: number } }

/** Makes the message the card of the draft, at this step. */
export async function placeAt(deps: Deps, draft: Draft, message: Place, step: string): Promise<void> {
  const about = { draftId: draft.id, step }
  await changeNote(deps, message, { kind: guideStep, userId: draft.userId, about })
  await setCard(deps.db, draft.id, message.message_id)
}

/** The step that the card's message asks; undefined for a card and for a draft that is no longer open. */
export async function stepOf(deps: Pick<Deps, 'db'>, draft: Draft | undefined): Promise<string | undefined> {
  if (draft?.state !== 'open' || draft.cardMessageId === null) return undefined
  const message = { chat: { id: draft.chatId }, message_id: draft.cardMessageId }
  const note = await readNote(deps, message, draft.userId, guideStep)
  return note?.draftId === draft.id && note.step !== '' ? note.step : undefined
}

/** Makes the message an ordinary card again. */
export const leaveGuide = (deps: Deps, draft: Draft, message: Place): Promise<void> =>
  placeAt(deps, draft, message, '')

export async function openGuideOf(deps: Pick<Deps, 'db'>, draftId: string, userId: bigint) {
  const draft = await findDraft(deps.db, draftId, userId)
  const step = await stepOf(deps, draft)
  return draft && step !== undefined ? { draft, step } : undefined
}
