// How this app speaks to Telegram: grammY over undici's `request` (three times the updates of node-fetch per core,
// reliability.md B1), and a bounded retry that both the bot and its conversations install.

import { autoRetry } from '@grammyjs/auto-retry'
import type { ApiClientOptions, Transformer } from 'grammy'
import { Agent, request } from 'undici'

type Fetch = NonNullable<ApiClientOptions['fetch']>

/** Telegram's own servers allow 50 s of long polling; uploads of 50 MB take their time. */
const timeoutSeconds = 180

export function telegramClient(apiRoot: string): { options: ApiClientOptions; close(): Promise<void> } {
  const dispatcher = new Agent({ connections: 200, headersTimeout: timeoutSeconds * 1000 })
  return {
    options: { apiRoot, timeoutSeconds, fetch: fetchOver(dispatcher) },
    close: () => dispatcher.destroy(),
  }
}

/** grammY asks nothing of a response but `json()`, and everything it sends is a POST with a string or stream body. */
function fetchOver(dispatcher: Agent): Fetch {
  const call = async (url: string | URL, init: Parameters<typeof request>[1] & object) => {
    const { method, headers, body, signal } = init
    const answer = await request(url, {
      dispatcher,
      method: method ?? 'POST',
      ...(headers ? { headers } : {}),
      ...(body == null ? {} : { body }),
      ...(signal ? { signal } : {}),
    })
    return { json: () => answer.body.json() }
  }
  // The declared type is node-fetch's; the part of it that grammY uses is what `call` gives.
  return call as unknown as Fetch
}

const retrySends = autoRetry({
  maxRetryAttempts: 3,
  maxDelaySeconds: 20,
  // A lost answer may have been a sent message: repeating it is for those who know whether that is harmless.
  rethrowHttpErrors: true,
  rethrowInternalServerErrors: true,
})

/** Obeys `retry_after` for everything but long polling, which has its own pace. */
export const boundedRetry: Transformer = (prev, method, payload, signal) =>
  method === 'getUpdates' ? prev(method, payload, signal) : retrySends(prev, method, payload, signal)

const harmlessErrors: Readonly<Record<string, RegExp>> = {
  answerCallbackQuery: /query is too old|query ID is invalid/,
  editMessageText: /message is not modified/,
}

/** A tap answered too late and an edit that changes nothing are done as far as anybody can see. */
export const forgiveHarmless: Transformer = async (prev, method, payload, signal) => {
  const answer = await prev(method, payload, signal)
  if (answer.ok || !harmlessErrors[method]?.test(answer.description)) return answer
  // Both methods may answer `true`, and nobody reads it; the type can not know which method this is.
  return { ok: true, result: true } as unknown as typeof answer
}
