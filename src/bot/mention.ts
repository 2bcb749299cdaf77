// Mentions in groups: of the bot in a message of a member, and of a member in a message of the bot.

import type { Context } from 'grammy'
import type { User } from 'grammy/types'
import { escapeHtml } from '../texts.ts'
import { shownName } from '../users/name.ts'

const nameOf = ({ me }: Pick<Context, 'me'>): string => `@${me.username}`

export const isMentioned = (ctx: Pick<Context, 'me'>, words: string): boolean =>
  words.toLowerCase().includes(nameOf(ctx).toLowerCase())

export const withoutMention = (ctx: Pick<Context, 'me'>, words: string): string =>
  words.replaceAll(new RegExp(nameOf(ctx), 'gi'), '')

/** HTML that mentions a person by name: it needs no username. */
export function mentionOf({ id, first_name, username }: User): string {
  const name = shownName(first_name) || (username ? `@${username}` : `#${id}`)
  return `<a href="tg://user?id=${id}">${escapeHtml(name)}</a>`
}
