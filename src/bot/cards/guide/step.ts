// The step of a guide: its message is the card of the draft, and the note of that message names the step. Everything else is in the
// draft, so that a restart, a command or a day's pause loses nothing.

import { z } from 'zod'
import { type Draft, findDraft, setCard } from '../../../generations/drafts.ts'
import { changeNote, type MessageRef, readNote } from '../../../telegram/message-notes.ts'
import type { BotDeps } from '../../context.ts'
import { noteKind } from '../../notes.ts'

/** Notes of earlier versions have an empty string in place of null. */
const step = z
  .string()
  .nullable()
  .transform((name) => name || null)
/** The step is null when the message is an ordinary card. */
export const guideStep = noteKind('guide', z.strictObject({ draftId: z.string(), step }))

type Deps = Pick<BotDeps, 'db' | 'clock'>

/** Makes the message the card of the draft, at this step; null for an ordinary card. */
export async function setStep(
  deps: Deps,
  draft: Draft,
  message: MessageRef,
  step: string | null,
): Promise<void> {
  const about = { draftId: draft.id, step }
  await changeNote(deps, message, { kind: guideStep, userId: draft.userId, about })
  await setCard(deps.db, draft.id, message.message_id, deps.clock.now())
}

/** The step that the card's message asks; undefined for a card and for a draft that is no longer open. */
export async function stepOf(deps: Pick<Deps, 'db'>, draft: Draft | undefined): Promise<string | undefined> {
  if (draft?.state !== 'open' || draft.cardMessageId === null) return undefined
  const message = { chat: { id: draft.chatId }, message_id: draft.cardMessageId }
  const note = await readNote(deps, message, draft.userId, guideStep)
  return note?.draftId === draft.id && note.step !== null ? note.step : undefined
}

/** Makes the message an ordinary card again. */
export const leaveGuide = (deps: Deps, draft: Draft, message: MessageRef): Promise<void> =>
  setStep(deps, draft, message, null)

export async function openGuideOf(deps: Pick<Deps, 'db'>, draftId: string, userId: bigint) {
  const draft = await findDraft(deps.db, draftId, userId)
  const step = await stepOf(deps, draft)
  return draft && step !== undefined ? { draft, step } : undefined
}
