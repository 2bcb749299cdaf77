// An amount that is typed soon after the question how much to top up, in place of a tap or a command. While the question is open, no other
// text is sent to the text models, which charge for it: it is refused. A command, which begins something else, closes the question.

import type { Message } from 'grammy/types'
import { newestDraftAtPage } from '../../generations/drafts.ts'
import { isInDigits, type Kopecks, parseRoubles } from '../../money.ts'
import { lastNotedAt, type Note, newestNote, takeNote, writeNote } from '../../telegram/message-notes.ts'
import type { BotDeps, Ctx } from '../context.ts'
import { plainNote, repliedTo } from '../notes.ts'

type Deps = Pick<BotDeps, 'db'>

const asked = plainNote('top-up-amounts')

/**
 * How long after the question a number is taken for an amount; later it is more probably a question. The time when it was sent counts: the
 * bot may have been down since.
 */
const askedMs = 15 * 60_000

/** @param question the message that offers amounts */
export const noteAmounts = (deps: BotDeps, ctx: Ctx, question: Message): Promise<void> =>
  writeNote(deps, question, { kind: asked, userId: ctx.user.id, about: {} })

/**
 * @returns undefined when the question is not the last that the user was shown, or the message is a reply; `unclear` for what cannot be read
 */
export async function typedAmount(
  deps: Deps,
  { user, update }: Pick<Ctx, 'user' | 'update'>,
  message: Message & { text: string },
): Promise<Kopecks | 'unclear' | undefined> {
  const askedAt = await amountsAskedAt(deps, message, user.id, update.update_id)
  return askedAt && (parseRoubles(message.text) ?? 'unclear')
}

/** Whether the message is an amount, and the question for it is newer than this other question, which therefore is not answered. */
export async function isAmountRather<T>(
  deps: Deps,
  message: Message,
  updateId: number,
  other: Note<T>,
): Promise<boolean> {
  const askedAt = await amountsAskedAt(deps, message, other.userId, updateId)
  if (!askedAt || !isInDigits(message.text ?? '')) return false
  const otherAt = await lastNotedAt(deps, message.chat.id, other)
  return otherAt === undefined || otherAt < askedAt
}

/** When the question was asked that is open for this message; undefined when none is. */
async function amountsAskedAt(
  deps: Deps,
  message: Message,
  userId: bigint,
  updateId: number,
): Promise<Date | undefined> {
  const { chat, date } = message
  if (chat.type !== 'private' || repliedTo(message)) return undefined
  const note = await newestNote(deps, chat.id, userId, asked.name)
  if (!note || date * 1000 - note.createdAt.getTime() > askedMs) return undefined
  // When the same update is handled again after a crash, it must not become a paid question.
  if (note.takenBy !== null && note.takenBy !== updateId) return undefined
  // If the page of a setting was opened since, the number may also be a value of that setting.
  const draft = await newestDraftAtPage(deps.db, userId, chat.id)
  return !draft || draft.updatedAt < note.createdAt ? note.createdAt : undefined
}

/** Marks the newest question as answered; a number typed later is no amount. */
export async function closeAmounts(deps: BotDeps, { user, chatId, update }: Ctx): Promise<void> {
  const note = chatId === undefined ? undefined : await newestNote(deps, chatId, user.id, asked.name)
  if (!note) return
  const question = { chat: { id: note.chatId }, message_id: note.messageId }
  await takeNote(deps, question, update.update_id)
}
