// What closes the open question of a conversation besides its answer and its own buttons: another question in its place, a command that
// starts anew, the same answer given in another way, leaving the screen that asks, and the end of the card that it is about. Its message
// goes with it, so that no question stays visible that is not open.

import type { MiddlewareFn } from 'grammy'
import { z } from 'zod'
import { findDraft } from '../generations/drafts.ts'
import { newestNote, withSameNote } from '../telegram/message-notes.ts'
import { guideName } from './cards/guide/conversation.ts'
import type { BotDeps, Ctx } from './context.ts'
import { noteClosed } from './conversation-storage.ts'
import { commandQuestionName, questionSuffix } from './notes.ts'

type Deps = Pick<BotDeps, 'db'>

/**
 * A question replaces the open one: a user has at most one in each chat and topic. It ends with the card that it is about. The messages
 * of a question that was answered, or closed by a button of its own, are deleted.
 */
export function replaceQuestions(deps: Deps): MiddlewareFn<Ctx> {
  return async (ctx, next) => {
    const { conversation } = ctx
    let isReplaced = false
    ctx.conversation = {
      ...conversation,
      async enter(...given) {
        await closeQuestion(deps, ctx)
        return conversation.enter(...given)
      },
      exitAll() {
        isReplaced = true
        noteClosed(ctx)
        return conversation.exitAll()
      },
    }
    const wasOpen = hasOpenQuestion(ctx)
    await next()
    if (wasOpen && !isReplaced && !hasOpenQuestion(ctx)) await deleteQuestion(deps, ctx)
    if (ctx.callbackQuery) await closeOutdated(deps, ctx)
  }
}

/** The guide asks on a card, which stays when the guide no longer waits for words. */
export const hasOpenQuestion = ({ conversation }: Ctx): boolean =>
  Object.entries(conversation.active()).some(([name, count]) => name !== guideName && count > 0)

/** @returns whether a question was open */
export async function closeQuestion(deps: Deps, ctx: Ctx): Promise<boolean> {
  const isOpen = hasOpenQuestion(ctx)
  await ctx.conversation.exitAll()
  if (isOpen) await deleteQuestion(deps, ctx)
  return isOpen
}

/**
 * Closes the open question if this conversation asks it.
 * @param draftId leaves a question about another draft open
 */
export async function closeQuestionOf(deps: Deps, ctx: Ctx, name: string, draftId?: string): Promise<void> {
  if (ctx.conversation.active(name) === 0) return
  const about = draftId === undefined ? undefined : await draftAskedAbout(deps, ctx)
  if (about === undefined || about === draftId) await closeQuestion(deps, ctx)
}

/** Also its earlier messages: a refused answer is asked for again. */
async function deleteQuestion(deps: Deps, ctx: Ctx): Promise<void> {
  const shown = await shownQuestion(deps, ctx)
  if (!shown) return
  const messages = await withSameNote(deps, shown)
  await ctx.api.deleteMessages(shown.chatId, messages).catch(() => undefined)
}

const aboutDraft = z.object({ draftId: z.string() })

/** Undefined when no question is open, when it is about no draft, and in topics. */
async function draftAskedAbout(deps: Deps, ctx: Ctx): Promise<string | undefined> {
  const shown = hasOpenQuestion(ctx) ? await shownQuestion(deps, ctx) : undefined
  return aboutDraft.safeParse(shown?.about).data?.draftId
}

/** Closes the open question if a tap has ordered or dropped the draft that it is about. */
async function closeOutdated(deps: Deps, ctx: Ctx): Promise<void> {
  const about = await draftAskedAbout(deps, ctx)
  const draft = about === undefined ? undefined : await findDraft(deps.db, about, ctx.user.id)
  if (draft && draft.state !== 'open') await closeQuestion(deps, ctx)
}

/** The last message of the open question. Undefined in topics: a note does not say in which topic its message is. */
async function shownQuestion(deps: Deps, { chatId, msg, user }: Ctx) {
  if (chatId === undefined || msg?.is_topic_message) return undefined
  return newestNote(deps, chatId, user.id, questionSuffix, commandQuestionName)
}
