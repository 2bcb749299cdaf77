// The guide as a conversation: it waits for the words and files that answer the step of the guide. Taps are handled
// outside of it (taps.ts). Its stored state does not grow: after each answer it is rewound to its beginning.

import type { Context } from 'grammy'
import { findDraft } from '../../../generations/drafts.ts'
import type { MessageRef } from '../../../telegram/message-notes.ts'
import { removeMessage } from '../../../telegram/send-into.ts'
import type { BotDeps } from '../../context.ts'
import { type Asker, type BotConversation, sayNow, waitForAnswer } from '../../question.ts'
import { send } from '../../responses.ts'
import { takeReply, type View } from './reply.ts'
import { guideStep, leaveGuide, openGuideOf, setStep } from './step.ts'

export interface GuideArgs extends Asker {
  readonly draftId: string
}

export const guideName = 'guide'

export function createGuide(deps: BotDeps) {
  return async function guide(conversation: BotConversation, _: Context, args: GuideArgs): Promise<void> {
    const { draftId } = args
    const userId = BigInt(args.userId)
    const start = conversation.checkpoint()
    const step = await conversation.external(
      async () => (await openGuideOf(deps, draftId, userId))?.step ?? null,
    )
    if (step === null) return
    const asked = { kind: guideStep, userId, about: { draftId, step } }
    const { ctx, message } = await waitForAnswer(deps, conversation, asked)
    const say = await sayNow(deps, conversation)
    const view = await conversation.external(
      async () => (await takeReply(deps, { draftId, userId }, message, say)) ?? null,
    )
    if (!view) {
      await send(ctx, say.html('card-closed'))
      return
    }
    const sent = await showBelow(ctx, view)
    await conversation.external(() => noteGuideMessage(deps, args, sent, view))
    if (view.step !== undefined) return conversation.rewind(start)
  }
}

/** Sends the step below what was typed and deletes the message of the step before. */
export async function showBelow(ctx: Context, { html, keyboard, old }: View) {
  const { chat, message_id } = await send(ctx, html, keyboard)
  if (old !== null) await removeMessage(ctx.api, chat.id, old)
  return { chat: { id: chat.id }, message_id }
}

/** Notes the message as the draft's, with its step. */
export async function noteGuideMessage(
  deps: BotDeps,
  { draftId, userId }: Pick<GuideArgs, 'draftId' | 'userId'>,
  sent: MessageRef,
  { step }: View,
): Promise<void> {
  const draft = await findDraft(deps.db, draftId, BigInt(userId))
  if (!draft) return
  await (step === undefined ? leaveGuide(deps, draft, sent) : setStep(deps, draft, sent, step))
}
