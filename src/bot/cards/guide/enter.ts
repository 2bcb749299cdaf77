// Begins the guide of a draft, or goes on with it.

import { z } from 'zod'
import type { Draft } from '../../../generations/drafts.ts'
import type { BotDeps, Ctx } from '../../context.ts'
import { enteredWith } from '../../conversation-storage.ts'
import { type GuideArgs, guideName, noteGuideMessage, showBelow } from './conversation.ts'
import { viewOf } from './reply.ts'
import { drawnOf, firstStep } from './steps.ts'

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
