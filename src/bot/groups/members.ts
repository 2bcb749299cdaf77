// Who is a member of a group, for its wallet: in the discussion group of a channel, and in open groups, anybody can write. Only membership
// is remembered, so that whoever joins is a member at once.

import type { Api, Context } from 'grammy'
import type { ChatMember } from 'grammy/types'
import { type Clock, hourMs } from '../../runtime/clock.ts'
import type { Log } from '../../runtime/log.ts'
import { isAboutMember } from '../../telegram/send.ts'

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

// What a person is in a group. Where members are hidden, Telegram does not tell the status of a member to a bot that is no administrator,
// but it may still list the administrators.

/**
 * `stranger`: no member, who can still write below the posts of a channel and in open groups. `unlisted`: no administrator; whether a member,
 * Telegram does not tell. `hidden`: Telegram tells nothing to a bot that is no administrator.
 */
type Standing = 'administrator' | 'member' | 'stranger' | 'unlisted' | 'hidden'

export async function standingIn(
  chatId: number,
  { api, from }: Pick<Context, 'api' | 'from'>,
): Promise<Standing> {
  return from ? standingOf(api, chatId, from.id) : 'stranger'
}

async function standingOf(api: Api, chatId: number, telegramId: number): Promise<Standing> {
  const member = await unlessHidden(api.getChatMember(chatId, telegramId))
  if (member) return standingBy(member)
  const administrators = await unlessHidden(api.getChatAdministrators(chatId))
  if (!administrators) return 'hidden'
  return administrators.some(({ user }) => user.id === telegramId) ? 'administrator' : 'unlisted'
}

function standingBy(member: ChatMember): Standing {
  switch (member.status) {
    case 'creator':
    case 'administrator':
      return 'administrator'
    case 'member':
      return 'member'
    case 'restricted':
      return member.is_member ? 'member' : 'stranger'
    case 'left':
    case 'kicked':
      return 'stranger'
  }
}

async function unlessHidden<T>(asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked
  } catch (error) {
    if (isAboutMember(error)) return undefined
    throw error
  }
}
