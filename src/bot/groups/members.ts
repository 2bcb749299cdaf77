// Who is a member of a group, for its wallet: in the discussion group of a channel, and in open groups, anybody can write. Only membership
// is remembered, so that whoever joins is a member at once.

import type { Api } from 'grammy'
import type { Clock } from '../../runtime/clock.ts'
import { hourMs } from '../../runtime/durations.ts'
import type { Log } from '../../runtime/log.ts'
import { standingOf } from './standing.ts'

/** `unknown`: Telegram did not answer, or does not tell it to a bot that is no administrator. */
type Membership = 'member' | 'stranger' | 'unknown'

export interface Members {
  of(chatId: number, telegramId: number): Promise<Membership>
}

/** How long a member is not asked about again. */
const freshMs = 60_000
/** How long a member remains one while Telegram does not tell. */
const keptMs = hourMs
const mostKept = 10_000

interface Deps {
  readonly api: Api
  readonly clock: Clock
  readonly log: Log
}

export function createMembers(deps: Deps): Members {
  /** When each person was last found to be a member, the oldest first. */
  const foundAt = new Map<string, number>()
  return {
    async of(chatId, telegramId) {
      const key = `${chatId} ${telegramId}`
      const now = deps.clock.now().getTime()
      const age = now - (foundAt.get(key) ?? Number.NEGATIVE_INFINITY)
      if (age < freshMs) return 'member'
      const told = await askTelegram(deps, chatId, telegramId)
      if (told === 'unknown') return age < keptMs ? 'member' : 'unknown'
      foundAt.delete(key)
      if (told === 'stranger') return told
      const [oldest] = foundAt.keys()
      if (oldest !== undefined && foundAt.size >= mostKept) foundAt.delete(oldest)
      foundAt.set(key, now)
      return told
    },
  }
}

async function askTelegram({ api, log }: Deps, chatId: number, telegramId: number): Promise<Membership> {
  try {
    const standing = await standingOf(api, chatId, telegramId)
    if (standing === 'hidden' || standing === 'unlisted') return 'unknown'
    return standing === 'stranger' ? 'stranger' : 'member'
  } catch (error) {
    log.warn({ chat: chatId, error }, 'Telegram does not tell who is a member of a group')
    return 'unknown'
  }
}
