// What every handler of the bot has at hand, and what the bot needs from outside.

import type { ConversationFlavor } from '@grammyjs/conversations'
import type { Context } from 'grammy'
import type { TextModel } from '../catalog/text-models.ts'
import type { Config } from '../config.ts'
import type { Downloads } from '../delivery/download.ts'
import type { Concept } from '../generations/concepts.ts'
import type { GenerationDeps } from '../generations/generation.ts'
import type { Metrics } from '../metrics.ts'
import type { Kopecks } from '../money.ts'
import type { TopUpDeps } from '../payments/top-ups.ts'
import type { Loop } from '../runtime/loop.ts'
import type { Files } from '../telegram/files.ts'
import type { Say, Texts } from '../texts.ts'
import type { User } from '../users/user.ts'
import type { Running } from './chat/running.ts'

export type Ctx = ConversationFlavor<Context & { user: User; say: Say }>

export interface BotDeps extends GenerationDeps {
  readonly texts: Texts
  readonly metrics: Metrics
  readonly topUps: TopUpDeps
  readonly tracker: Pick<Loop, 'nudge'>
  readonly files: Files
  readonly downloads: Downloads
  readonly textModels: readonly TextModel[]
  readonly running: Running
  /** What the gateway offers as concepts; empty when it can not be asked. */
  readonly concepts: () => Promise<readonly Concept[]>
  /** Given once to everybody; zero gives nothing. */
  readonly welcomeCredit: Kopecks
  readonly referralBonus: Kopecks
  readonly operator: Config['operator']
  readonly broadcaster: Pick<Loop, 'nudge'>
}
