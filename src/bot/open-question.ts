// What closes the open question of a conversation besides its answer and its own buttons: another question in its place, a command that
// starts anew, and the end of the card that it is about. Its message goes with it, so that no question stays visible that is not open.

import type { MiddlewareFn } from 'grammy'
import { z } from 'zod'
import { findDraft } from '../generations/drafts.ts'
import { newestNote } from '../telegram/message-notes.ts'
import { guideName } from './cards/guide/conversation.ts'
import type { BotDeps, Ctx } from './context.ts'
import { commandQuestionName, questionSuffix } from './notes.ts'

type Deps = Pick<BotDeps, 'db'>

/** A question replaces the open one: a user has at most one in each chat and topic. It ends with the card that it is about. */
export function replaceQuestions(deps: Deps): MiddlewareFn<Ctx> {
  return async (ctx, next) => {
    const { conversation } = ctx
    ctx.conversation = {
      ...conversation,
      async enter(...given) {
        await closeQuestion(deps, ctx)
        return conversation.enter(...given)
      },
    }
    await next()
    if (ctx.callbackQuery) await closeOutdated(deps, ctx)
  }
}

/** The guide asks on a card, which stays when the guide no longer waits for words. */
export const hasOpenQuestion = ({ conversation }: Ctx): boolean =>
  Object.keys(conversation.active()).some((name) => name !== guideName)

/** @returns whether a question was open */
export async function closeQuestion(deps: Deps, ctx: Ctx): Promise<boolean> {
  const isOpen = hasOpenQuestion(ctx)
  await ctx.conversation.exitAll()
  if (!isOpen) return false
  const shown = await shownQuestion(deps, ctx)
  if (shown) await ctx.api.deleteMessage(shown.chatId, shown.messageId).catch(() => undefined)
  return true
}

const aboutDraft = z.object({ draftId: z.string() })

/** Closes the open question if a tap has ordered or dropped the draft that it is about. */
async function closeOutdated(deps: Deps, ctx: Ctx): Promise<void> {
  const shown = hasOpenQuestion(ctx) ? await shownQuestion(deps, ctx) : undefined
  const about = aboutDraft.safeParse(shown?.about).data
  const draft = about && (await findDraft(deps.db, about.draftId, ctx.user.id))
  if (draft && draft.state !== 'open') await closeQuestion(deps, ctx)
}

/** The last message of the open question. Undefined in topics: a note does not say in which topic its message is. */
async function shownQuestion(deps: Deps, { chatId, msg, user }: Ctx) {
  if (chatId === undefined || msg?.is_topic_message) return undefined
  return newestNote(deps, chatId, user.id, questionSuffix, commandQuestionName)
}
