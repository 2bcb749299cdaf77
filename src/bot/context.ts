// What every handler of the bot has at hand, and what the bot needs from outside.

import type { ConversationFlavor } from '@grammyjs/conversations'
import type { Context } from 'grammy'
import type { GenerationDeps } from '../generations/generation.ts'
import type { Tracker } from '../generations/tracker.ts'
import type { User } from '../ledger/user.ts'
import type { Kopecks } from '../money.ts'
import type { TopUpDeps } from '../payments/top-ups.ts'
import type { Say, Texts } from '../texts.ts'

export type Ctx = ConversationFlavor<Context & { user: User; say: Say }>

export interface BotDeps extends GenerationDeps {
  readonly texts: Texts
  readonly topUps: TopUpDeps
  readonly tracker: Tracker
  /** The Bot API server, for the files people send. */
  readonly fileRoot: string
  /** Given once to everybody; zero gives nothing. */
  readonly welcomeCredit: Kopecks
}
