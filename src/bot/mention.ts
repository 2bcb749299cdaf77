// Mentions in groups: of the bot in a message of a member, and of a member in a message of the bot.

import type { Context } from 'grammy'
import type { Message, MessageEntity, User } from 'grammy/types'
import { wordsIn } from '../telegram/words.ts'
import { escapeHtml } from '../texts.ts'
import { shownName } from '../users/name.ts'
import { isCommand } from './commands.ts'
import type { BotDeps } from './context.ts'
import { repliedTo } from './notes.ts'

type Me = Pick<Context, 'me'>
interface Range {
  readonly offset: number
  readonly length: number
}

const entitiesOf = ({ entities, caption_entities }: Message) => entities ?? caption_entities

export const isMentioned = (ctx: Me, message: Message): boolean => mentionsIn(ctx, message).length > 0

/**
 * The message as if it did not mention the bot: the following entities keep their places.
 */
export const withoutMention = (ctx: Me, message: Message): Message =>
  mentionsIn(ctx, message)
    .toSorted((a, b) => b.offset - a.offset)
    .reduce(cutOut, message)

/** A name in a link, an address or code is no mention: Telegram marks it as those. */
function mentionsIn(ctx: Me, message: Message): readonly Range[] {
  const text = wordsIn(message)
  const entities = entitiesOf(message)
  if (entities) return entities.flatMap((entity) => mentionBy(ctx, text, entity) ?? [])
  const name = new RegExp(`(?<![\\p{L}\\p{N}_@/.])@${ctx.me.username}(?![\\p{L}\\p{N}_])`, 'giu')
  return [...text.matchAll(name)].map(({ index, 0: { length } }) => ({ offset: index, length }))
}

function mentionBy({ me }: Me, text: string, entity: MessageEntity): Range | undefined {
  const { type, offset, length } = entity
  if (type === 'text_mention') return entity.user.id === me.id ? { offset, length } : undefined
  if (type !== 'mention' && type !== 'bot_command') return undefined
  const words = text.slice(offset, offset + length)
  const at = words.indexOf('@')
  const isOwn = at >= 0 && words.slice(at + 1).toLowerCase() === me.username.toLowerCase()
  return isOwn ? { offset: offset + at, length: length - at } : undefined
}

function cutOut(message: Message, cut: Range): Message {
  const text = wordsIn(message)
  const rest = text.slice(0, cut.offset) + text.slice(cut.offset + cut.length)
  const entities = entitiesOf(message)?.flatMap((entity) => moved(entity, cut) ?? [])
  if (message.text !== undefined) return { ...message, text: rest, ...(entities ? { entities } : {}) }
  return { ...message, caption: rest, ...(entities ? { caption_entities: entities } : {}) }
}

/** An entity after a part of its text was cut out; undefined when nothing of it is left. */
function moved(entity: MessageEntity, cut: Range): MessageEntity | undefined {
  const after = (at: number) => at - Math.min(Math.max(at - cut.offset, 0), cut.length)
  const offset = after(entity.offset)
  const length = after(entity.offset + entity.length) - offset
  return length > 0 ? { ...entity, offset, length } : undefined
}

/** HTML that mentions a person by name: it needs no username. */
export function mentionOf({ id, first_name, username }: User): string {
  const name = shownName(first_name) || (username ? `@${username}` : `#${id}`)
  return `<a href="tg://user?id=${id}">${escapeHtml(name)}</a>`
}

// Whether an update is meant for the bot. In a group where it sees all messages, most are meant for other members.

/**
 * In groups a message addresses the bot by a command, a mention or a reply. A command without the name of a bot may be meant for another bot,
 * so only commands that this bot has count. The edit of a message addresses nobody.
 */
export function isAddressed({ catalog }: Pick<BotDeps, 'catalog'>, ctx: Context): boolean {
  const { message } = ctx
  if (ctx.chat?.type === 'private' || ctx.callbackQuery) return true
  if (!message) return false
  if (isMentioned(ctx, message)) return true
  const [, command, bot] = /^\/(\w+)(?:@(\w+))?/.exec(wordsIn(message)) ?? []
  if (command === undefined) return repliedTo(message)?.from?.id === ctx.me.id
  if (bot !== undefined) return bot.toLowerCase() === ctx.me.username.toLowerCase()
  return isCommand(catalog, command)
}
