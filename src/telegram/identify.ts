// Which bot this is: the first request to Telegram, `getMe`, the owner of the database, and what the doctor asks. grammY would repeat the
// first request silently, with growing pauses; here the operator learns within seconds what is wrong.

import { sql } from 'drizzle-orm'
import { Api, GrammyError, HttpError } from 'grammy'
import type { ChatMember, UserFromGetMe, WebhookInfo } from 'grammy/types'
import { z } from 'zod'
import { type Database, oneRow } from '../db/client.ts'
import { installation } from '../db/schema.ts'
import { timestamp } from '../db/sql.ts'
import type { Clock } from '../runtime/clock.ts'
import { CannotStart } from '../runtime/env-values.ts'
import { causesOf } from '../runtime/log.ts'
import { type TelegramServer, telegramClient } from './client.ts'
import { isRefusal } from './send.ts'

/** The time limit of one attempt, and the pause between two. */
const answerMs = 3000
const pauseMs = 3000

interface Deps {
  readonly api: Api
  readonly server: TelegramServer
  readonly clock: Clock
  /** Receives one sentence when the first attempt has failed. */
  readonly tell: (sentence: string) => void
}

/**
 * @param stopping ends the attempts
 * @returns undefined when the attempts were stopped
 * @throws CannotStart when Telegram refuses the token
 */
export async function identify(deps: Deps, stopping: AbortSignal): Promise<UserFromGetMe | undefined> {
  const { server, clock, tell } = deps
  for (let failures = 0; !stopping.aborted; failures += 1) {
    const answer = await askWhoWeAre(deps)
    if (!(answer instanceof Error)) return answer
    if (isRefusal(answer)) throw new CannotStart(refusalText(answer, server), { cause: answer })
    if (failures === 0) tell(`${troubleText(answer, server)} The start goes on when it answers.`)
    await clock.wait(pauseMs, stopping)
  }
  return undefined
}

/** @returns the error when there is no answer in time, or the answer is not that of a bot */
async function askWhoWeAre({ api, clock }: Pick<Deps, 'api' | 'clock'>): Promise<UserFromGetMe | Error> {
  const late = new AbortController()
  const answered = new AbortController()
  void clock.wait(answerMs, answered.signal).then(() => late.abort())
  try {
    // The declared type is that of a polyfill; a native signal works as well.
    return await api.getMe(late.signal as Parameters<Api['getMe']>[0])
  } catch (error) {
    if (late.signal.aborted && !answered.signal.aborted)
      return new Error(`no answer within ${answerMs / 1000} s`)
    return error instanceof Error ? error : new Error(String(error))
  } finally {
    answered.abort()
  }
}

/** A sentence that says what is wrong and what to do. */
function troubleText(error: unknown, server: TelegramServer): string {
  if (isRefusal(error)) return refusalText(error, server)
  const reason = reasonOf(error)
  if (server.proxy !== undefined) return proxyText(new URL(server.proxy), reason, server)
  return `TELEGRAM_API_ROOT: Telegram cannot be reached at ${server.apiRoot} (${reason}): check the network of this machine and whether it may connect there.`
}

/** The words of undici about a proxy that refuses the user, or asks for one. */
const loginRefused = /\(407\)|authentication/i

function proxyText(proxy: URL, reason: string, { apiRoot }: TelegramServer): string {
  const name = `TELEGRAM_PROXY: the proxy ${proxy.host}`
  return loginRefused.test(reason)
    ? `${name} refuses the login (${reason}): correct the user and the password.`
    : `${name} does not lead to Telegram at ${apiRoot} (${reason}): check its address, and whether it runs and lets this machine in.`
}

function refusalText(error: unknown, { apiRoot }: TelegramServer): string {
  const said = error instanceof GrammyError ? `${error.error_code} ${error.description}` : String(error)
  return `BOT_TOKEN: Telegram at ${apiRoot} refuses the token (${said}): write the token that BotFather shows for this bot.`
}

/** The reason of a failure without the address of the request, which contains the token. */
function reasonOf(error: unknown): string {
  if (error instanceof GrammyError) return `${error.error_code} ${error.description}`
  const cause = error instanceof HttpError ? error.error : error
  return causesOf(cause).at(-1) ?? ''
}

// The state of the bot at Telegram, which is read without changing it.

export type { ChatMember, UserFromGetMe, WebhookInfo }

type Inspected =
  | {
      readonly ok: true
      readonly me: UserFromGetMe
      readonly webhook: WebhookInfo
      /** Whether this app was ever started as this bot: a start publishes a command menu for private chats, and nothing deletes it. */
      readonly wasStarted: boolean
      /** The operators to whom Telegram delivers nothing, as those who never wrote to the bot. */
      readonly unreached: readonly number[]
      /** The bot in the group of the operators; undefined when it is no member. */
      readonly inGroup: ChatMember | undefined
    }
  /** `trouble` is a sentence that says what to do. */
  | { readonly ok: false; readonly trouble: string }

/** @param operators users to whom the bot sends alarms @param chat their group */
export async function inspectBot(
  token: string,
  server: TelegramServer,
  clock: Clock,
  operators: readonly number[],
  chat?: number,
): Promise<Inspected> {
  const client = telegramClient(server, clock)
  const api = new Api(token, client.options)
  try {
    const me = await askWhoWeAre({ api, clock })
    if (me instanceof Error) return { ok: false, trouble: troubleText(me, server) }
    const menu = await api.getMyCommands({ scope: { type: 'all_private_chats' } })
    const reached = await Promise.all(operators.map((id) => isReached(api, id)))
    const unreached = operators.filter((_, at) => !reached[at])
    const inGroup = chat === undefined ? undefined : await memberIn(api, chat, me.id)
    return {
      ok: true,
      me,
      webhook: await api.getWebhookInfo(),
      wasStarted: menu.length > 0,
      unreached,
      inGroup,
    }
  } finally {
    await client.close()
  }
}

/** “Typing” is shown only where messages arrive, and leaves nothing behind. */
const isReached = (api: Api, chatId: number): Promise<boolean> =>
  api.sendChatAction(chatId, 'typing').then(
    () => true,
    (error: unknown) => !isRefusal(error),
  )

/** The bot as a member of the group; undefined when Telegram shows none. */
const memberIn = (api: Api, chatId: number, botId: number): Promise<ChatMember | undefined> =>
  api.getChatMember(chatId, botId).catch((error: unknown) => {
    if (!isRefusal(error)) throw error
    return undefined
  })

type Sender =
  | { readonly ok: true; readonly id: number; readonly name: string }
  /** `trouble` is a sentence that says what to do. */
  | { readonly ok: false; readonly trouble: string }

const waitSeconds = 25

/** The person who wrote to the bot last. The updates are not confirmed, so that the bot still gets them. */
export async function lastSender(token: string, server: TelegramServer, clock: Clock): Promise<Sender> {
  const client = telegramClient(server, clock)
  try {
    const updates = await new Api(token, client.options).getUpdates({ timeout: waitSeconds })
    const from = updates.findLast(({ message }) => message?.chat.type === 'private')?.message?.from
    if (!from) return { ok: false, trouble: 'No message has arrived: write to the bot once more.' }
    const name = [from.first_name, from.last_name, from.username && `@${from.username}`]
    return { ok: true, id: from.id, name: name.filter(Boolean).join(' ') }
  } catch (error) {
    const said = error instanceof GrammyError ? error.description : 'it does not answer'
    return {
      ok: false,
      trouble: `Telegram shows no messages (${said}): stop the bot if it runs, or type the id.`,
    }
  } finally {
    await client.close()
  }
}

// The bot that a database belongs to: the first one that Telegram identified. Another bot's users, chats and files mean nothing to it.

/** A token that is made anew for the same bot begins with the same id. */
export const botIdOf = (token: string): number => Number.parseInt(token, 10)

/** @throws CannotStart when the database belongs to another bot; without one it belongs to this one from now on */
export async function claimDatabase(db: Database, token: string, now: Date): Promise<void> {
  const botId = botIdOf(token)
  const claim = sql`
    insert into ${installation} (id, bot_id, since) values (1, ${botId}, ${timestamp(now)})
    on conflict (id) do update set bot_id = ${installation}.bot_id returning bot_id`
  const owner = await oneRow(db, claim, z.object({ bot_id: z.coerce.number() }))
  if (owner.bot_id !== botId) throw new CannotStart(otherBotText(owner.bot_id, botId))
}

/** Undefined before the first start. */
export async function ownerOf(db: Database): Promise<number | undefined> {
  const [found] = await db.select().from(installation)
  return found?.botId
}

export const otherBotText = (owner: number, botId: number): string =>
  `BOT_TOKEN: the database belongs to the bot ${owner}, and the token is that of the bot ${botId}: write the token of the first one, or another DATABASE_URL. If the bot is replaced for good: npm run admin -- change-bot ${botId} <reason>`
