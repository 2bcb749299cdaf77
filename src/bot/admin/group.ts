// How operators are told: in the topics of their group (ADMIN_CHAT), which the bot makes itself, or each in the private chat. Also who may use
// the desk in the group, and the loop that tells the group of payments and newcomers.

import type { Api, Context, MiddlewareFn } from 'grammy'
import { type Config, staffOf } from '../../config.ts'
import type { Database } from '../../db/client.ts'
import { userSubject } from '../../operator/actions.ts'
import {
  deleteTopic,
  type News,
  readNews,
  readTopic,
  topicsOfForgotten,
  writeTopic,
} from '../../operator/group.ts'
import type { Person } from '../../operator/people.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { Ids } from '../../runtime/ids.ts'
import type { Log } from '../../runtime/log.ts'
import { createLoop, type Loop } from '../../runtime/loop.ts'
import { cutTo } from '../../runtime/text.ts'
import { moveChat, presentChat } from '../../telegram/moved-chat.ts'
import { forgiveRefusal, htmlWithoutPreview, isRefusal, isTopicGone, movedTo } from '../../telegram/send.ts'
import { homeLocale, type Say, type Texts } from '../../texts.ts'
import { takeLeaderLease } from '../../updates/polling.ts'
import { findByTelegram } from '../../users/user.ts'
import type { BotDeps } from '../context.ts'
import { isStaff } from './operator.ts'
import { nameOf, whoIs } from './texts.ts'

interface TellDeps {
  readonly api: Api
  readonly db: Database
  readonly texts: Texts
  readonly log: Log
  readonly operator: Pick<Config['operator'], 'ids' | 'supportIds' | 'chat'>
}

/** What a message to operators is about. */
type Subject = News['topic'] | 'reports' | 'alarms' | Person

/** A chat of operators. */
export interface Desk {
  readonly chatId: number
  /** The topic, as the sending methods take it. */
  readonly into: { readonly message_thread_id?: number }
  readonly say: Say
  /** Whether earlier messages about the same subject stand above. */
  readonly isKnown: boolean
}
type Send = (to: Desk) => Promise<unknown>

/** Tells the group, or else each operator. @returns false when nobody could be reached */
export async function tellOperators(deps: TellDeps, subject: Subject, send: Send): Promise<boolean> {
  const { chat, ids: admins } = deps.operator
  const ids = subject === 'alarms' ? admins : staffOf(deps.operator)
  if (chat !== undefined && (await trySend(deps, () => sendToGroup(deps, chat, subject, send)))) return true
  const told = ids.map((id) =>
    trySend(deps, async () => send({ chatId: id, into: {}, say: await sayOf(deps, id), isKnown: false })),
  )
  return (await Promise.all(told)).some(Boolean)
}

export async function sayOf({ db, texts }: Pick<TellDeps, 'db' | 'texts'>, operatorId = 0): Promise<Say> {
  return texts((await findByTelegram(db, operatorId))?.locale ?? homeLocale)
}

/** A failure is only logged. @returns whether the message was sent */
export async function trySend(
  { log }: Pick<TellDeps, 'log'>,
  send: () => Promise<unknown>,
): Promise<boolean> {
  try {
    await send()
    return true
  } catch (error) {
    log.warn({ error }, 'message to operators not sent')
    return false
  }
}

async function sendToGroup(deps: TellDeps, chat: number, subject: Subject, send: Send): Promise<void> {
  const chatId = await presentChat(deps.db, chat)
  try {
    await sendIntoTopic(deps, chatId, subject, send)
  } catch (error) {
    const moved = movedTo(error)
    if (moved === undefined) throw error
    await moveChat(deps.db, chatId, moved)
    await sendIntoTopic(deps, moved, subject, send)
  }
}

/** A topic that was deleted is made again. Where the bot may make none, the message goes into the chat itself. */
async function sendIntoTopic(deps: TellDeps, chatId: number, subject: Subject, send: Send): Promise<void> {
  const say = await sayOf(deps, deps.operator.ids[0])
  const isPerson = typeof subject === 'object'
  const place = { chatId, name: isPerson ? userSubject(subject.id) : subject }
  const sendTo = (topicId: number | undefined, isKnown: boolean) =>
    send({ chatId, into: topicId === undefined ? {} : { message_thread_id: topicId }, say, isKnown })
  const known = (await readTopic(deps.db, place))?.topicId ?? undefined
  try {
    if (known !== undefined) return void (await sendTo(known, true))
  } catch (error) {
    if (!isTopicGone(error)) throw error
  }
  const title = isPerson ? `${cutTo(nameOf(subject), 100)} · #${subject.id}` : say.plain(`topic-${subject}`)
  const made = await deps.api.createForumTopic(chatId, title).catch((error: unknown) => {
    if (!isRefusal(error) || movedTo(error) !== undefined) throw error
  })
  const topicId = made?.message_thread_id
  if (topicId !== undefined) await writeTopic(deps.db, place, { topicId })
  await sendTo(topicId, false)
}

export async function isOperatorsGroup(
  { db, operator }: Pick<BotDeps, 'db' | 'operator'>,
  { chat }: Context,
): Promise<boolean> {
  if (operator.chat === undefined || !chat || chat.type === 'private') return false
  return chat.id === (await presentChat(db, operator.chat))
}

/** A member of the group who is no operator is not answered at all. */
export const operatorsOnly =
  (deps: BotDeps): MiddlewareFn<Context> =>
  async (ctx, next) => {
    if (isStaff(deps, ctx) || !(await isOperatorsGroup(deps, ctx))) return next()
    if (ctx.callbackQuery) await ctx.answerCallbackQuery()
  }

// The loop that tells the group of payments and newcomers, and deletes its topics about people whose data was deleted.

const newsMs = 10_000
/** What was stored in this moment may not be visible yet. */
const visibleAfterMs = 3000
/** Lines that fit into one message whatever the names are. */
const mostListed = 20

export function createGroupNews(deps: TellDeps & { readonly clock: Clock; readonly ids: Ids }): Loop {
  const { api, db, clock, operator } = deps
  const holder = deps.ids.next()
  const pass = async () => {
    if (operator.chat === undefined || !(await takeLeaderLease(deps, 'group-news', holder))) return false
    const chatId = await presentChat(db, operator.chat)
    const until = new Date(clock.now().getTime() - visibleAfterMs)
    const since = (await readTopic(db, { chatId, name: 'news' }))?.toldUntil
    const news = since ? await readNews(db, since, until) : []
    for (const [topic, lines] of Map.groupBy(news, ({ topic }) => topic))
      await sendToGroup(deps, chatId, topic, ({ chatId, into, say }) =>
        api.sendMessage(chatId, newsText(say, lines), { ...htmlWithoutPreview, ...into }),
      ).catch(forgiveRefusal)
    await writeTopic(db, { chatId, name: 'news' }, { toldUntil: until })
    for (const topic of await topicsOfForgotten(db, chatId)) {
      if (topic.topicId !== null) await api.deleteForumTopic(chatId, topic.topicId).catch(forgiveRefusal)
      await deleteTopic(db, topic)
    }
    return false
  }
  return createLoop(deps, { pass, idleMs: newsMs, failed: "the operators' group cannot be told of news" })
}

function newsText(say: Say, news: readonly News[]): string {
  const lines = news.slice(0, mostListed).map((one) => {
    const { topic, amount, by } = one
    return say.html('news', { topic, name: whoIs(one), amount: say.roubles(amount), by })
  })
  return [...lines, ...(news.length > mostListed ? [`… +${news.length - mostListed}`] : [])].join('\n')
}
