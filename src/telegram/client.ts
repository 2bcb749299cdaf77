// How this app speaks to Telegram: grammY over undici's `request` (three times the updates of node-fetch per core,
// reliability.md B1). Flood control is obeyed here, below grammY: a retry inside a conversation would be recorded and its
// pause replayed with every later update.

import type { ApiClientOptions, Transformer } from 'grammy'
import { Agent, request } from 'undici'
import { z } from 'zod'
import type { Clock } from '../runtime/clock.ts'

type Fetch = NonNullable<ApiClientOptions['fetch']>
type Init = Parameters<typeof request>[1] & object

/** Telegram's own servers allow 50 s of long polling; uploads of 50 MB take their time. */
const timeoutSeconds = 180
const maxRepeats = 3
/** Who is asked to wait longer is told at once: there are better things to do meanwhile. */
const maxPauseMs = 20_000

/** Of every call, repeats too. @param status undefined when no answer came */
export type Called = (url: string | URL, status: number | undefined, elapsedMs: number) => void

export function telegramClient(
  apiRoot: string,
  clock: Clock,
  called: Called = () => undefined,
): { options: ApiClientOptions; close(): Promise<void> } {
  const dispatcher = new Agent({ connections: 200, headersTimeout: timeoutSeconds * 1000 })
  return {
    options: { apiRoot, timeoutSeconds, fetch: fetchOver(dispatcher, clock, called) },
    close: () => dispatcher.destroy(),
  }
}

/** grammY asks nothing of a response but `json()`, and everything it sends is a POST with a string or stream body. */
function fetchOver(dispatcher: Agent, clock: Clock, called: Called): Fetch {
  const call = async (url: string | URL, init: Init) => {
    for (let repeats = 0; ; repeats += 1) {
      const answer = await timed(clock, called, url, () => send(dispatcher, url, init))
      const pauseMs = repeats < maxRepeats && isRepeatable(url, init) ? await pauseAsked(answer) : undefined
      if (pauseMs === undefined) return answer
      await clock.wait(pauseMs)
    }
  }
  // The declared type is node-fetch's; the part of it that grammY uses is what `call` gives.
  return call as unknown as Fetch
}

async function timed(clock: Clock, called: Called, url: string | URL, work: () => Promise<Answer>) {
  const begun = clock.now().getTime()
  const end = (status?: number) => called(url, status, clock.now().getTime() - begun)
  try {
    const answer = await work()
    end(answer.status)
    return answer
  } catch (error) {
    end()
    throw error
  }
}

interface Answer {
  readonly status: number
  json(): Promise<unknown>
}

async function send(dispatcher: Agent, url: string | URL, init: Init): Promise<Answer> {
  const { method, headers, body, signal } = init
  const { statusCode, body: answer } = await request(url, {
    dispatcher,
    method: method ?? 'POST',
    ...(headers ? { headers } : {}),
    ...(body == null ? {} : { body }),
    ...(signal ? { signal } : {}),
  })
  if (statusCode !== 429) return { status: statusCode, json: () => answer.json() }
  const text = await answer.text()
  return { status: statusCode, json: async () => JSON.parse(text) }
}

/** A stream is gone once sent, so its 429 goes to the caller, as does that of long polling, which has a pace of its own. */
const isRepeatable = (url: string | URL, { body }: Init): boolean =>
  typeof body === 'string' && !String(url).endsWith('/getUpdates')

const flood = z.object({ parameters: z.object({ retry_after: z.number().nonnegative() }) })

/** Only a 429 was certainly not done: a lost answer may have been a sent message. */
async function pauseAsked(answer: Answer): Promise<number | undefined> {
  if (answer.status !== 429) return undefined
  const asked = flood.safeParse(await answer.json().catch(() => undefined))
  const pauseMs = (asked.data?.parameters.retry_after ?? Number.POSITIVE_INFINITY) * 1000
  return pauseMs <= maxPauseMs ? pauseMs : undefined
}

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
