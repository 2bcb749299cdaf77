// Runs one Bot API method for a bot: called over HTTP, or written in the answer to a webhook.

import { defined } from './defined.ts'
import type { Outcome } from './faults.ts'
import type { Call } from './method.ts'
import { findMethod, isMissing } from './methods/index.ts'
import { Refusal, refuse } from './refusal.ts'
import { hasHalfCharacter, parseBody, type RequestBody } from './request.ts'
import type { TelegramServer } from './server.ts'

export async function perform(
  server: TelegramServer,
  name: string,
  params: RequestBody['params'],
  call: Call,
): Promise<Outcome> {
  try {
    const found = findMethod(name) ?? unknown(name)
    if (hasHalfCharacter(params)) refuse('strings must be encoded in UTF-8')
    return { kind: 'done', result: await found.method.run(server, params, call) }
  } catch (error) {
    const refusal = asRefusal(error)
    report(server, name, refusal, params.chat_id)
    return { kind: 'refused', refusal }
  }
}

function unknown(name: string): never {
  const text = isMissing(name) ? `the sandbox does not implement ${name}` : 'method not found'
  throw new Refusal(404, `Not Found: ${text}`)
}

/**
 * Methods without effect in the answer to a webhook: those that only return a result, which is not read there, and those that end the
 * webhook or the bot's session.
 */
const ignoredInAnswers = /^(get|deletewebhook$|setwebhook$|close$|logout$)/i

/** Runs the method in the bot's answer to a webhook, if the answer contains one. */
export async function performAnswer(
  server: TelegramServer,
  body: Buffer,
  contentType: string,
): Promise<Outcome | undefined> {
  const answer = await parseBody(body, contentType).catch(() => undefined)
  const { method, ...params } = answer?.params ?? {}
  if (!answer || typeof method !== 'string' || ignoredInAnswers.test(method)) return undefined
  return perform(server, method, params, { uploads: answer.uploads, signal: server.closing })
}

/** Reports a refusal. A missing method is also written to stderr, so that its failure is noticed. */
function report(server: TelegramServer, method: string, refusal: Refusal, chatId: unknown): void {
  const data = { method, error_code: refusal.code, description: refusal.message }
  const chat_id = Number(chatId) || undefined
  server.events.emit({ type: 'error', data, ...defined({ chat_id }) })
  if (refusal.code === 404 || refusal.code >= 500) {
    process.stderr.write(`sandbox telegram: ${method}: ${refusal.code} ${refusal.message}\n`)
  }
}

export function asRefusal(error: unknown): Refusal {
  if (error instanceof Refusal) return error
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
  process.stderr.write(`sandbox telegram failed: ${text}\n`)
  return new Refusal(500, 'Internal Server Error')
}
