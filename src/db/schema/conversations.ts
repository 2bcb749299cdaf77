// Conversations with text models, their turns, and the messages of an answer.

import { sql } from 'drizzle-orm'
import { boolean, index, integer, jsonb, text, uniqueIndex } from 'drizzle-orm/pg-core'
import type { QuestionFile } from '../../catalog/field.ts'
import type { Command } from '../../catalog/model.ts'
import type { TokenRates } from '../../catalog/text-models.ts'
import type { Modes } from '../../catalog/text-modes.ts'
import { day, kopecks, leaseColumns, reference, table, telegramId, time } from './columns.ts'
import { ofUser } from './money.ts'
import { deliveryStates } from './orders.ts'

/** A conversation with a text model in a chat or topic; at most one is open in each. */
export const conversations = table(
  'threads',
  {
    id: text().primaryKey(),
    userId: ofUser(),
    chatId: telegramId().notNull(),
    /** 0 outside of topics. */
    topicId: integer().notNull().default(0),
    modelId: text().notNull(),
    system: text(),
    modes: jsonb().$type<Modes>().notNull(),
    createdAt: time().notNull(),
    closedAt: time(),
  },
  (t) => [
    uniqueIndex('threads_open').on(t.chatId, t.topicId).where(sql`${t.closedAt} is null`),
    index('threads_user').on(t.userId, t.createdAt),
  ],
)

export const turnStates = ['streaming', 'done', 'stopped', 'failed'] as const
const turnFailures = ['refused', 'too-large', 'paused', 'unavailable', 'empty', 'declined'] as const

/**
 * A question and its answer: money is held before, and the used part is captured afterwards. The table is also the queue of answers
 * that are written, or not delivered yet: the latter are due at `sendAt`.
 */
export const turns = table(
  'turns',
  {
    id: text().primaryKey(),
    conversationId: reference(() => conversations.id, 'thread_id'),
    /** The user who asked, and who pays. */
    userId: ofUser(),
    modelId: text().notNull(),
    /** The draft whose prompt the answer rewrites; null for an answer to the user. */
    draftId: text(),
    question: text().notNull(),
    files: jsonb().$type<readonly QuestionFile[]>().notNull(),
    answer: text().notNull().default(''),
    thinking: text().notNull().default(''),
    sources: jsonb().$type<readonly { readonly url: string; readonly title?: string }[]>().notNull(),
    state: text({ enum: turnStates }).notNull(),
    /** Why the answer ended early or is empty; null when it ended normally or was stopped by the user, and in rows of earlier versions. */
    failure: text({ enum: turnFailures }),
    amount: kopecks().notNull(),
    /** The day whose limit the answer counts towards; null in answers of earlier versions. */
    spentOn: day(),
    captured: kopecks(),
    /** Refunded after the capture, because the answer could not be delivered. */
    refunded: kopecks(),
    /** Estimated when the gateway reported no usage. */
    inputTokens: integer(),
    outputTokens: integer(),
    isEstimate: boolean().notNull().default(false),
    /** The rates from which the captured amount was computed. Null in answers of earlier versions. */
    rates: jsonb().$type<TokenRates>(),
    questionMessageId: integer(),
    /** The update with the question. Unique, so that an update that is handled again asks nothing twice. */
    updateId: telegramId().unique(),
    /** The first message of the answer; before anything was sent, the placeholder message in a group. */
    answerMessageId: integer(),
    delivery: text({ enum: deliveryStates }).notNull().default('none'),
    /** The messages of the answer, in order; null before it is settled and after all of them were sent. */
    parts: jsonb().$type<readonly AnswerPart[]>(),
    /** The cards that the answer proposed; null for none, and in rows of earlier versions. */
    proposals: jsonb().$type<readonly ProposedCard[]>(),
    /** How many of the parts were sent. */
    sent: integer().notNull().default(0),
    /** Failed attempts to send. */
    attempts: integer().notNull().default(0),
    /** When to send; null when nothing is left to send. */
    sendAt: time(),
    ...leaseColumns(),
    createdAt: time().notNull(),
    /** When its user asked to stop it; null while nobody did. */
    stopAt: time(),
    settledAt: time(),
  },
  (t) => [
    index('turns_thread').on(t.conversationId, t.createdAt),
    index('turns_user').on(t.userId, t.createdAt),
    index('turns_due').on(t.leaseUntil).where(sql`${t.state} = 'streaming'`),
    index('turns_unsent').on(t.sendAt).where(sql`${t.delivery} = 'pending'`),
    // Answers are settled soon after their rows are added, so both times follow the order of the blocks.
    index('turns_created').using('brin', t.createdAt).with({ autosummarize: true }),
    index('turns_settled').using('brin', t.settledAt).with({ autosummarize: true }),
  ],
)

// The messages of an answer, as they are stored until they have been sent. Formatting is stored as entities: unlike HTML and Markdown
// they cannot fail to parse. Their shapes are those of the Bot API; they are declared here because this folder does not import grammY.

interface Span {
  /** The offset and the length are in UTF-16 code units, like all lengths of Telegram. */
  readonly offset: number
  readonly length: number
}

export type Style = 'bold' | 'italic' | 'strikethrough' | 'spoiler'
export type Quote = 'blockquote' | 'expandable_blockquote'

export type Entity =
  | (Span & { readonly type: Style | Quote | 'code' })
  | (Span & { readonly type: 'pre'; readonly language?: string })
  | (Span & { readonly type: 'text_link'; readonly url: string })

export interface Formatted {
  readonly text: string
  readonly entities: readonly Entity[]
}

/** One message: a formatted text or a text file. */
export type Piece =
  | ({ readonly kind: 'text' } & Formatted)
  | { readonly kind: 'file'; readonly name: string; readonly text: string }

/** A card for a generation that the model proposes; its draft is created when the card is first sent. */
export interface CardPart extends ProposedCard {
  readonly kind: 'card'
}

export interface ProposedCard {
  readonly draftId: string
  readonly command: Command
  readonly prompt: string
  /** It changes the last proposal of this command, whose model and settings it keeps. */
  readonly isChange?: true
}

/** The rewritten prompt of a draft, which is put onto the card. */
export interface PromptPart {
  readonly kind: 'prompt'
  readonly draftId: string
  readonly text: string
}

/** A picture of the answer. */
export interface PicturePart {
  readonly kind: 'picture'
  /** A link, or a data URI. */
  readonly address: string
}

export type AnswerPart = Piece | PicturePart | CardPart | PromptPart
