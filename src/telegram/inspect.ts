// Reads the bot's state at Telegram without changing it.

import { Api } from 'grammy'
import type { UserFromGetMe, WebhookInfo } from 'grammy/types'
import type { Clock } from '../runtime/clock.ts'
import { telegramClient } from './client.ts'
import { askWhoWeAre, troubleText } from './identify.ts'

export type { UserFromGetMe, WebhookInfo }

type Inspected =
  | { readonly ok: true; readonly me: UserFromGetMe; readonly webhook: WebhookInfo }
  /** `trouble` is a sentence that says what to do. */
  | { readonly ok: false; readonly trouble: string }

export async function inspectBot(token: string, apiRoot: string, clock: Clock): Promise<Inspected> {
  const client = telegramClient(apiRoot, clock)
  const api = new Api(token, client.options)
  try {
    const me = await askWhoWeAre({ api, clock })
    if (me instanceof Error) return { ok: false, trouble: troubleText(me, apiRoot) }
    return { ok: true, me, webhook: await api.getWebhookInfo() }
  } finally {
    await client.close()
  }
}
