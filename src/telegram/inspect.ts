// Reads the bot's state at Telegram without changing it.

import { Api, GrammyError } from 'grammy'
import type { UserFromGetMe, WebhookInfo } from 'grammy/types'
import type { Clock } from '../runtime/clock.ts'
import { type TelegramServer, telegramClient } from './client.ts'
import { isRefusal } from './errors.ts'
import { askWhoWeAre, troubleText } from './identify.ts'

export type { UserFromGetMe, WebhookInfo }

type Inspected =
  | {
      readonly ok: true
      readonly me: UserFromGetMe
      readonly webhook: WebhookInfo
      /** Whether this app was ever started as this bot: a start publishes a command menu for private chats, and nothing deletes it. */
      readonly wasStarted: boolean
      /** The operators to whom Telegram delivers nothing, as those who never wrote to the bot. */
      readonly unreached: readonly number[]
    }
  /** `trouble` is a sentence that says what to do. */
  | { readonly ok: false; readonly trouble: string }

/** @param operators users to whom the bot sends alarms */
export async function inspectBot(
  token: string,
  server: TelegramServer,
  clock: Clock,
  operators: readonly number[],
): Promise<Inspected> {
  const client = telegramClient(server, clock)
  const api = new Api(token, client.options)
  try {
    const me = await askWhoWeAre({ api, clock })
    if (me instanceof Error) return { ok: false, trouble: await troubleText(me, server) }
    const menu = await api.getMyCommands({ scope: { type: 'all_private_chats' } })
    const reached = await Promise.all(operators.map((id) => isReached(api, id)))
    const unreached = operators.filter((_, at) => !reached[at])
    return { ok: true, me, webhook: await api.getWebhookInfo(), wasStarted: menu.length > 0, unreached }
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
