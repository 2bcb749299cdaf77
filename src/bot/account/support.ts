// Support: what a person writes after /support, or in reply to an answer, is passed on to the operators; what an operator answers goes back as
// a letter. The words are stored nowhere: notes about the messages tell for 30 days to whom a reply goes.

import { InlineKeyboard, type MiddlewareFn } from 'grammy'
import type { Message } from 'grammy/types'
import { z } from 'zod'
import { codePoints, visible } from '../../catalog/fields.ts'
import { staffOf } from '../../config.ts'
import { personOfTopic } from '../../operator/group.ts'
import { findPerson, lastGenerations, type Person, readProfile } from '../../operator/people.ts'
import { dayMs, hourMs } from '../../runtime/clock.ts'
import { cutTo } from '../../runtime/text.ts'
import {
  countNotes,
  isNotedElsewhere,
  noteAt,
  operatorsNote,
  readNote,
  writeNote,
} from '../../telegram/message-notes.ts'
import { htmlWithoutPreview, topicOf } from '../../telegram/send.ts'
import { taps } from '../../telegram/taps.ts'
import { wordsIn } from '../../telegram/words.ts'
import { escapeHtml, localeName, type Say } from '../../texts.ts'
import { localeFrom } from '../../users/user.ts'
import { type Desk, tellOperators } from '../admin/group.ts'
import { sendLetter } from '../admin/letters.ts'
import { nameOf, orderLine, profileText } from '../admin/texts.ts'
import { isSilent } from '../basics/fallback.ts'
import { type BotDeps, type Ctx, reply } from '../context.ts'
import { noteKind, plainNote, repliedTo, supportNote } from '../notes.ts'
import type { CommandCtx } from '../routes.ts'

/** The note of a person's message that was passed on, with the album that it is part of. */
const passedOn = noteKind('support-message', z.strictObject({ album: z.string().exactOptional() }))
/** The note of a message to operators about a person, who is the user of the note. */
const aboutPerson = plainNote(operatorsNote)

const limits = {
  usual: { most: 20, withinMs: hourMs },
  banned: { most: 3, withinMs: dayMs },
}
/** Code points that fit into one message below the facts about the person. */
const longest = 3000

/** @returns false when the page about support has to be shown */
export async function takeSupport(deps: BotDeps, ctx: CommandCtx): Promise<boolean> {
  const words = visible(ctx.match)
  if (!takesSupport(deps, ctx) || (words === '' && ctx.msg.text !== undefined)) return false
  await passOn(deps, ctx, ctx.msg, words)
  return true
}

/** Where users get help. */
export const contactOf = ({ operator }: Pick<BotDeps, 'operator'>, say: Say): string =>
  operator.contact ?? say.plain(staffOf(operator).length > 0 ? 'contact-support' : 'no-contact')

export const takesSupport = ({ operator }: BotDeps, { chat }: Ctx): boolean =>
  chat?.type === 'private' && staffOf(operator).length > 0

/**
 * What a person writes in reply to the page about support, to an answer, or to an own message that was passed on, and the rest of an album
 * that was passed on.
 */
export const supportReplies =
  (deps: BotDeps): MiddlewareFn<Ctx> =>
  async (ctx, next) => {
    const { message, user } = ctx
    if (!message || wordsIn(message).startsWith('/') || !takesSupport(deps, ctx)) return next()
    const replied = repliedTo(message)
    const isForOperators =
      (await readNote(deps, replied, user.id, supportNote)) ??
      (await readNote(deps, replied, user.id, passedOn)) ??
      (await isRestOfAlbum(deps, ctx, message))
    if (!isForOperators) return next()
    await passOn(deps, ctx, message, visible(wordsIn(message)))
  }

const noteOf = ({ user }: Ctx, { media_group_id: album }: Message) =>
  ({ kind: passedOn, userId: user.id, about: album === undefined ? {} : { album } }) as const

/** Whether another message of the same album was passed on. */
const isRestOfAlbum = async (deps: BotDeps, ctx: Ctx, message: Message): Promise<boolean> =>
  message.media_group_id !== undefined && isNotedElsewhere(deps, message, noteOf(ctx, message))

/** @param words those of the message, without the command */
async function passOn(deps: BotDeps, ctx: Ctx, message: Message, words: string): Promise<void> {
  const { say, user } = ctx
  // The update is handled again.
  if (await readNote(deps, message, user.id, passedOn)) return
  const { most, withinMs } = user.bannedAt ? limits.banned : limits.usual
  const since = new Date(deps.clock.now().getTime() - withinMs)
  if ((await countNotes(deps.db, user.id, passedOn.name, since)) >= most)
    return reply(ctx, say.html('support-slow'))
  const length = codePoints(words)
  if (length > longest) return reply(ctx, say.html('support-too-long', { length, max: longest }))
  const person = await findPerson(deps.db, user.id)
  const isRest = await isRestOfAlbum(deps, ctx, message)
  const isTold =
    person !== undefined &&
    (await tellOperators({ ...deps, api: ctx.api }, person, (to) =>
      tell(deps, ctx, { ...to, isKnown: to.isKnown || isRest }, { person, message, words }),
    ))
  if (!isTold) return reply(ctx, say.html('support-unreached'))
  await writeNote(deps, message, noteOf(ctx, message))
  if (!isRest) await reply(ctx, say.html('support-sent'))
}

interface Written {
  readonly person: Person
  readonly message: Message
  readonly words: string
}

/** Who writes, unless the topic says it already, and the words; a file is copied. */
async function tell(deps: BotDeps, ctx: Ctx, to: Desk, { person, message, words }: Written): Promise<void> {
  const { chatId, into, say } = to
  const isText = message.text !== undefined
  const html = [
    ...(to.isKnown ? [] : [await personText(deps, say, person, to)]),
    ...(isText ? [escapeHtml(words)] : []),
  ].join('\n\n')
  const keyboard = new InlineKeyboard().text(
    cutTo(nameOf(person), 40),
    taps.showUser.data({ userId: person.id }),
  )
  const note = (message_id: number) =>
    writeNote(deps, { chat: { id: chatId }, message_id }, { kind: aboutPerson, userId: person.id, about: {} })
  if (html !== '') {
    const options = { ...htmlWithoutPreview, ...into, ...(to.isKnown ? {} : { reply_markup: keyboard }) }
    await note((await ctx.api.sendMessage(chatId, html, options)).message_id)
  }
  if (isText) return
  const caption = words === wordsIn(message) ? into : { ...into, caption: words }
  await note((await ctx.api.copyMessage(chatId, message.chat.id, message.message_id, caption)).message_id)
}

const shownOrders = 3

async function personText(deps: BotDeps, say: Say, person: Person, { into }: Desk): Promise<string> {
  const profile = profileText(deps, say, await readProfile(deps.db, person))
  const orders = await lastGenerations(deps.db, person.id, shownOrders)
  const lines = orders.map((one) => orderLine(deps, say, one))
  const language = localeName(localeFrom(person))
  const at = into.message_thread_id === undefined ? 'chat' : 'topic'
  const head = say.html('support-person', { at, profile: { html: profile }, language })
  return lines.length === 0 ? head : [head, say.html('support-orders'), ...lines].join('\n\n')
}

/** What operators answer: everything in a topic about a person, elsewhere replies to the messages about one. */
export const answersToPeople =
  (deps: BotDeps): MiddlewareFn<Ctx> =>
  async (ctx, next) => {
    const { message } = ctx
    if (!message || wordsIn(message).startsWith('/') || isSilent(message)) return next()
    const userId = await personAnswered(deps, message)
    if (userId === undefined || !ctx.from) return next()
    const content = message.text === undefined ? message : wordsIn(message)
    const outcome = await sendLetter(deps, ctx.api, { by: ctx.from.id, userId, content })
    if (outcome === 'sent' && (await isMarked(ctx))) return
    await reply(ctx, ctx.say.html(`letter-${outcome}`))
  }

/** A reply to a message of another operator is between the two. */
async function personAnswered(deps: BotDeps, message: Message): Promise<bigint | undefined> {
  const replied = repliedTo(message)
  const note = await noteAt(deps, replied)
  if (note?.kind === aboutPerson.name) return note.userId
  const topicId = topicOf(message)
  if (topicId === undefined || (replied && !replied.from?.is_bot)) return undefined
  return personOfTopic(deps.db, message.chat.id, topicId)
}

/** Marks a sent answer by a reaction, which a group may have switched off. */
const isMarked = (ctx: Ctx): Promise<boolean> => ctx.react('👍').catch(() => false)
