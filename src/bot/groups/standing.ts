// Whether the sender of an update administers a group. Where members are hidden, Telegram does not tell the status of a member to a bot that
// is no administrator, but it may still list the administrators.

import { isAboutMember } from '../../telegram/errors.ts'
import type { Ctx } from '../context.ts'

/** `hidden`: Telegram tells it only to a bot that is an administrator. */
type Standing = 'administrator' | 'member' | 'hidden'

export async function standingIn(
  chatId: number,
  { api, from }: Pick<Ctx, 'api' | 'from'>,
): Promise<Standing> {
  if (!from) return 'member'
  const member = await unlessHidden(api.getChatMember(chatId, from.id))
  const known = member ? [member] : await unlessHidden(api.getChatAdministrators(chatId))
  if (!known) return 'hidden'
  const isAdministrator = known.some(
    ({ user, status }) => user.id === from.id && (status === 'creator' || status === 'administrator'),
  )
  return isAdministrator ? 'administrator' : 'member'
}

async function unlessHidden<T>(asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked
  } catch (error) {
    if (isAboutMember(error)) return undefined
    throw error
  }
}
