// The guide as a conversation: it waits for the words and files that answer the step of the guide. Taps are handled
// outside of it (taps.ts). Its stored state does not grow: after each answer it is rewound to its beginning.

import type { Context } from 'grammy'
import { z } from 'zod'
import { type Draft, findDraft } from '../../../orders/drafts.ts'
import type { MessageRef } from '../../../telegram/message-notes.ts'
import { removeMessage } from '../../../telegram/send-into.ts'
import type { BotDeps, Ctx } from '../../context.ts'
import { enteredWith } from '../../conversation-storage.ts'
import { type Asker, type BotConversation, sayNow, waitForAnswer } from '../../question.ts'
import { send } from '../../responses.ts'
import { takeReply, type View, viewOf } from './reply.ts'
import { drawnOf, firstStep, guideStep, leaveGuide, openGuideOf, setStep } from './steps.ts'

interface GuideArgs extends Asker {
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

// Begins the guide of a draft, or goes on with it.

/** Sends the first open step as the draft's message. */
export async function beginGuide(deps: BotDeps, ctx: Ctx, draft: Draft): Promise<void> {
  const view = await viewOf(deps, draft, firstStep(await drawnOf(deps, draft)), ctx.say)
  const args = argsOf(ctx, draft)
  await noteGuideMessage(deps, args, await showBelow(ctx, view), view)
  if (view.step !== undefined) await waitForWords(ctx, draft)
}

/** Enters the conversation in which words and files of the user answer the step. */
export const waitForWords = (ctx: Ctx, draft: Draft): Promise<void> =>
  ctx.conversation.enter(guideName, argsOf(ctx, draft))

const waiting = z.tuple([z.looseObject({ draftId: z.string() })])

/** Leaves the conversation if it waits for answers to this draft: the guide of another draft goes on waiting. */
export async function stopWaiting(ctx: Ctx, draft: Draft): Promise<void> {
  const [args] = waiting.safeParse(enteredWith(ctx, guideName)).data ?? []
  if (args?.draftId === draft.id) await ctx.conversation.exit(guideName)
}

const argsOf = (ctx: Ctx, { id, userId }: Draft): GuideArgs => ({
  draftId: id,
  userId: String(userId),
  locale: ctx.say.locale,
})
