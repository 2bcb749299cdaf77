// The context of every handler, where an update came from, and what the bot depends on.

import type { ConversationData, ConversationFlavor } from '@grammyjs/conversations'
import type { Context } from 'grammy'
import type { TextModel } from '../catalog/text-models.ts'
import type { Config } from '../config.ts'
import type { Metrics } from '../metrics.ts'
import type { Kopecks } from '../money.ts'
import type { Concept } from '../orders/concepts.ts'
import type { Downloads } from '../orders/deliver/download.ts'
import type { GenerationDeps } from '../orders/generation.ts'
import type { UsualTimes } from '../orders/waiting.ts'
import type { Tracker } from '../orders/worker.ts'
import type { TopUpDeps } from '../payments/top-ups.ts'
import type { Loop } from '../runtime/loop.ts'
import type { FilesAndHeads } from '../telegram/files.ts'
import { type ChatLocation, topicOf } from '../telegram/send-into.ts'
import type { Say, Texts } from '../texts.ts'
import { shownName } from '../users/name.ts'
import type { User } from '../users/user.ts'
import type { Running } from './chat/running.ts'
import type { Members } from './groups/members.ts'

interface Recognised {
  user: User
  say: Say
  /** Whether the tap was answered: Telegram shows one answer, and ignores others. */
  isTapAnswered?: boolean
  /** What conversation-storage.ts knows of this update. */
  stored: StoredConversation
}

interface StoredConversation {
  /** The state that was read: the conversations that were active before this update. */
  readonly before: ConversationData | undefined
  /** The id of the update that made that state. */
  readonly madeBy: number | undefined
  outcome?: 'done-before' | 'retried' | 'failed'
  /** Whether the handler of this update has closed the question and deletes its message: a later failure does not open it again. */
  isClosed?: boolean
}

export type Ctx = ConversationFlavor<Context & Recognised>

export interface BotDeps extends GenerationDeps {
  readonly texts: Texts
  readonly metrics: Metrics
  readonly topUps: TopUpDeps
  readonly tracker: Pick<Tracker, 'nudge' | 'showStatus'>
  readonly files: FilesAndHeads
  readonly downloads: Downloads
  readonly usualTimes: UsualTimes
  readonly textModels: readonly TextModel[]
  readonly running: Running
  readonly members: Members
  /** The concepts that the gateway lists; empty when they cannot be read. */
  readonly concepts: () => Promise<readonly Concept[]>
  /** The amount credited once to each new user; zero when no amount is credited. */
  readonly welcomeCredit: Kopecks
  readonly referralBonus: Kopecks
  readonly operator: Config['operator']
  readonly broadcaster: Pick<Loop, 'nudge'>
}

/** The first name of the sender, or else the username or the id. */
export const firstNameOf = ({ from, user }: Ctx): string =>
  shownName(from?.first_name ?? '') || (from?.username ? `@${from.username}` : `#${user.id}`)

/** The chat of an update and, in forums, its topic. @returns undefined for updates without a chat */
export function locationOf(ctx: Context): ChatLocation | undefined {
  if (!ctx.chat) return undefined
  return { chatId: ctx.chat.id, topicId: topicOf(ctx.msg) ?? null }
}
