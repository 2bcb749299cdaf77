// Finds and removes a mention of the bot in a message of a group.

import type { Context } from 'grammy'

const nameOf = ({ me }: Pick<Context, 'me'>): string => `@${me.username}`

export const isMentioned = (ctx: Pick<Context, 'me'>, words: string): boolean =>
  words.toLowerCase().includes(nameOf(ctx).toLowerCase())

export const withoutMention = (ctx: Pick<Context, 'me'>, words: string): string =>
  words.replaceAll(new RegExp(nameOf(ctx), 'gi'), '')
