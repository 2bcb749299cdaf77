// How operators are told: in the topics of their group (ADMIN_CHAT), which the bot makes itself, or each in the private chat. Also who may use
// the desk in the group, and the loop that tells the group of payments and newcomers.

import { type Api, type Context, InlineKeyboard, type MiddlewareFn } from 'grammy'
import type { Config } from '../../config.ts'
import type { Database } from '../../db/client.ts'
import { userSubject } from '../../operator/actions.ts'
import {
  deleteTopic,
  findTopic,
  type News,
  type NewsTopic,
  setTopic,
  tellNews,
  topicsOfForgotten,
} from '../../operator/group.ts'
import type { Person } from '../../operator/people.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { Ids } from '../../runtime/ids.ts'
import type { Log } from '../../runtime/log.ts'
import { createLoop, type Loop } from '../../runtime/loop.ts'
import { cutTo } from '../../runtime/text.ts'
import { moveChat, presentChat } from '../../telegram/moved-chat.ts'
import { forgiveRefusal, htmlWithoutPreview, isRefusal, isTopicGone, movedTo } from '../../telegram/send.ts'
import { taps } from '../../telegram/taps.ts'
import { homeLocale, type Say, type Texts } from '../../texts.ts'
import { takeLeaderLease } from '../../updates/polling.ts'
import { findByTelegram } from '../../users/user.ts'
import type { BotDeps } from '../context.ts'
import { isOperator, nameOf, whoIs } from './operator.ts'

export interface TellDeps {
  readonly api: Api
  readonly db: Database
  readonly texts: Texts
  readonly log: Log
  readonly operator: Pick<Config['operator'], 'ids' | 'chat'>
}

/** What a message to operators is about. */
type Subject = NewsTopic | 'reports' | 'alarms' | Person

/** A chat of operators. */
export interface Desk {
  readonly chatId: number
  readonly topicId: number | null
  /** The topic, as the sending methods take it. */
  readonly into: { readonly message_thread_id?: number }
  readonly say: Say
  /** Whether earlier messages about the same subject stand above. */
  readonly isKnown: boolean
}
type Send = (to: Desk) => Promise<unknown>

/** Tells the group, or else each operator. @returns false when nobody could be reached */
export async function tellOperators(deps: TellDeps, subject: Subject, send: Send): Promise<boolean> {
  if (await tellGroup(deps, subject, send)) return true
  const told = deps.operator.ids.map((id) =>
    trySend(deps, async () => send(deskAt(id, undefined, await sayOf(deps, id), false))),
  )
  return (await Promise.all(told)).some(Boolean)
}

const deskAt = (chatId: number, topicId: number | undefined, say: Say, isKnown: boolean): Desk => ({
  chatId,
  topicId: topicId ?? null,
  into: topicId === undefined ? {} : { message_thread_id: topicId },
  say,
  isKnown,
})

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

/** @returns false without a group, and when it takes no messages */
async function tellGroup(deps: TellDeps, subject: Subject, send: Send): Promise<boolean> {
  const { chat } = deps.operator
  return chat !== undefined && trySend(deps, () => sendToGroup(deps, chat, subject, send))
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

/** A topic that was deleted is made again. */
async function sendIntoTopic(deps: TellDeps, chatId: number, subject: Subject, send: Send): Promise<void> {
  const say = await sayOf(deps, deps.operator.ids[0])
  const name = typeof subject === 'string' ? subject : userSubject(subject.id)
  const known = await findTopic(deps.db, chatId, name)
  try {
    if (known !== undefined) return void (await send(deskAt(chatId, known, say, true)))
  } catch (error) {
    if (!isTopicGone(error)) throw error
  }
  const title = typeof subject === 'string' ? say.plain(`topic-${subject}`) : titleOf(subject)
  const topicId = await makeTopic(deps, chatId, title)
  if (topicId !== undefined) await setTopic(deps.db, { chatId, name, topicId })
  await send(deskAt(chatId, topicId, say, false))
}

/** At most 128 characters. */
const titleOf = (person: Person): string => `${cutTo(nameOf(person), 100)} · #${person.id}`

/** @returns undefined where there are no topics, or the bot may not make them: the message goes into the chat itself */
const makeTopic = ({ api }: TellDeps, chatId: number, title: string): Promise<number | undefined> =>
  api.createForumTopic(chatId, title).then(
    ({ message_thread_id }) => message_thread_id,
    (error: unknown) => {
      if (!isRefusal(error) || movedTo(error) !== undefined) throw error
      return undefined
    },
  )

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
    if (isOperator(deps, ctx) || !(await isOperatorsGroup(deps, ctx))) return next()
    if (ctx.callbackQuery) await ctx.answerCallbackQuery()
  }

// The loop that tells the group of payments and newcomers, and deletes its topics about people whose data was deleted.

const newsMs = 10_000
const mostListed = 10

type NewsDeps = TellDeps & { readonly clock: Clock; readonly ids: Ids }

/** A pass does nothing without a group. */
export function createGroupNews(deps: NewsDeps): Loop {
  const { db, clock, operator } = deps
  const holder = deps.ids.next()
  const pass = async () => {
    if (operator.chat === undefined || !(await takeLeaderLease(deps, 'group-news', holder))) return false
    const chatId = await presentChat(db, operator.chat)
    for (const topic of ['payments', 'newcomers'] as const)
      await tellNews(db, chatId, topic, clock.now(), async (news) => {
        const send: Send = (to) =>
          deps.api.sendMessage(to.chatId, newsText(to.say, news), {
            ...htmlWithoutPreview,
            ...to.into,
            reply_markup: peopleIn(news),
          })
        await sendToGroup(deps, chatId, topic, send).catch(forgiveRefusal)
      })
    for (const topic of await topicsOfForgotten(db, chatId)) {
      if (topic.topicId !== null) await deps.api.deleteForumTopic(chatId, topic.topicId).catch(forgiveRefusal)
      await deleteTopic(db, topic)
    }
    return false
  }
  return createLoop(deps, { pass, idleMs: newsMs, failed: "the operators' group cannot be told of news" })
}

function newsText(say: Say, news: readonly News[]): string {
  const lines = news
    .slice(0, mostListed)
    .map(({ what, amount, by, ...one }) =>
      say.html('news', { what, name: whoIs(one), amount: say.roubles(amount), by: by ?? 'none' }),
    )
  const rest = news.length - lines.length
  return [...lines, ...(rest > 0 ? [say.html('news-more', { count: rest })] : [])].join('\n')
}

/** Buttons that show these people at the desk. */
function peopleIn(news: readonly News[]): InlineKeyboard {
  const people = new Map(news.slice(0, mostListed).map((one) => [one.id, one]))
  const keyboard = new InlineKeyboard()
  for (const one of people.values())
    keyboard.text(cutTo(nameOf(one), 40), taps.showUser.data({ userId: one.id }))
  return keyboard.toFlowed(2)
}
