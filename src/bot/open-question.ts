// What closes the open question of a conversation besides its answer and its own buttons: another question, a command that starts anew, the
// same answer given in another way, leaving the screen that asks, and the end of its card. The messages of the question are deleted with
// it, so that only an open question is visible.

import type { MiddlewareFn } from 'grammy'
import { z } from 'zod'
import { findDraft } from '../orders/drafts.ts'
import { type NoteKind, newestNote, withSameNote } from '../telegram/message-notes.ts'
import type { BotDeps, Ctx } from './context.ts'
import { commandQuestionName, questionSuffix } from './notes.ts'

type Deps = Pick<BotDeps, 'db'>

/**
 * Keeps at most one open question per user in each chat and topic: a new question closes the open one, and so does the end of its card. The
 * messages of a question that was answered, or closed by its own button, are deleted.
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
        ctx.stored.isClosed = true
        return conversation.exitAll()
      },
    }
    const wasOpen = hasOpenQuestion(ctx)
    await next()
    if (wasOpen && !isReplaced && !hasOpenQuestion(ctx)) await deleteQuestion(deps, ctx)
    if (ctx.callbackQuery) await closeOutdated(deps, ctx)
  }
}

/** The guide does not count: it asks on a card, which stays when the guide no longer waits for words. */
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

/** Deletes all messages of the question: a refused answer has asked again in another message. */
async function deleteQuestion(deps: Deps, ctx: Ctx): Promise<void> {
  const shown = await shownQuestion(deps, ctx)
  if (!shown) return
  const messages = await withSameNote(deps, shown)
  await ctx.api.deleteMessages(shown.chatId, messages).catch(() => undefined)
}

/** What the open question asks, if it is of this kind; undefined also in topics. */
export async function openQuestion<T>(deps: Deps, ctx: Ctx, kind: NoteKind<T>): Promise<T | undefined> {
  const shown = hasOpenQuestion(ctx) ? await shownQuestion(deps, ctx) : undefined
  return shown?.kind === kind.name ? kind.about.safeParse(shown.about).data : undefined
}

const aboutDraft = z.object({ draftId: z.string() })

/** The draft that the open question is about; undefined when no question is open, when it is about no draft, and in topics. */
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

export const guideName = 'guide'
