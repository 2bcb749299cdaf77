// What a person is in a group. Where members are hidden, Telegram does not tell the status of a member to a bot that is no administrator,
// but it may still list the administrators.

import type { Api, Context } from 'grammy'
import type { ChatMember } from 'grammy/types'
import { isAboutMember } from '../../telegram/errors.ts'

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

export async function standingOf(api: Api, chatId: number, telegramId: number): Promise<Standing> {
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
