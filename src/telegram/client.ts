// The Bot API client: grammY with undici, which sends three times as many requests per core as grammY's own node-fetch. Flood limits (429)
// are handled here, below grammY: the conversations plugin would record a repeated call, and repeat its pause in every later replay.

import type { ApiClientOptions, Transformer } from 'grammy'
import { z } from 'zod'
import type { Clock } from '../runtime/clock.ts'
import { assertLease } from '../runtime/queue-worker.ts'
import { Agent, type Dispatcher, request, throughProxy } from '../runtime/undici.ts'

type Fetch = NonNullable<ApiClientOptions['fetch']>
/** What grammY passes to `fetch`. */
type Init = NonNullable<Parameters<Fetch>[1]>

interface Answer {
  readonly status: number
  readonly text: string
}

/** Where the Bot API is, and the address of the proxy on the way to it, with its user and password. */
export interface TelegramServer {
  readonly apiRoot: string
  readonly proxy?: string | undefined
}

/** The time limit of any request; enough for an upload of 50 MB. */
const timeoutSeconds = 180
/** The time limits for an answer of Telegram, in milliseconds. Long polling waits for 30 s. A Bot API server answers `getFile` with a fetched file. */
const usualLimits = { call: 25_000, polling: 60_000, file: timeoutSeconds * 1000 }
const maxRepeats = 3
/** The longest pause that is waited for here. Longer ones are left to the caller, which can do other work meanwhile. */
const maxPauseMs = 20_000

/** Called after every request, repeated ones included. @param status undefined without an answer */
type Called = (url: string | URL, status: number | undefined, elapsedMs: number) => void

interface TelegramClient {
  readonly options: ApiClientOptions
  /** The connections to the server, for its files. */
  readonly dispatcher: Dispatcher
  close(): Promise<void>
}

export function telegramClient(
  { apiRoot, proxy }: TelegramServer,
  clock: Clock,
  called: Called = () => undefined,
  limits = usualLimits,
): TelegramClient {
  const connections = { connections: 200 }
  const dispatcher = proxy === undefined ? new Agent(connections) : throughProxy(proxy, connections)
  return {
    options: { apiRoot, timeoutSeconds, fetch: fetchOver(dispatcher, clock, called, limits) },
    dispatcher,
    close: () => dispatcher.destroy(),
  }
}

/** grammY uses only `json()` of a response, and sends only POST requests with a string or a stream as body. */
function fetchOver(dispatcher: Dispatcher, clock: Clock, called: Called, limits: typeof usualLimits): Fetch {
  const call = async (url: string | URL, init: Init) => {
    for (let repeats = 0; ; repeats += 1) {
      assertLease()
      const answer = await timed(clock, called, url, () =>
        post(dispatcher, url, init, limits[kindOf(url, init)]),
      )
      const pauseMs = repeats < maxRepeats && isRepeatable(url, init) ? pauseAsked(answer) : undefined
      if (pauseMs === undefined) return { json: async () => JSON.parse(answer.text) }
      await clock.wait(pauseMs)
    }
  }
  // The declared type is node-fetch's; `call` returns the part of it that grammY uses.
  return call as Fetch
}

/** @param limitMs how long the answer may take after the request was sent */
async function post(
  dispatcher: Dispatcher,
  url: string | URL,
  { headers, body = null, signal }: Init,
  limitMs: number,
): Promise<Answer> {
  const limits = { headersTimeout: limitMs, bodyTimeout: limitMs }
  const answer = await request(url, { dispatcher, method: 'POST', headers, body, signal, ...limits })
  return { status: answer.statusCode, text: await answer.body.text() }
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

/** A request with a stream uploads a file. */
function kindOf(url: string | URL, { body }: Init): keyof typeof usualLimits {
  if (typeof body !== 'string' || /\/getFile$/.test(String(url))) return 'file'
  return /\/getUpdates$/.test(String(url)) ? 'polling' : 'call'
}

/**
 * Whether a request may be repeated after a 429. Other requests are left to the caller: a stream cannot be sent twice, long polling has its
 * own pauses, and after a pause a draft would be outdated.
 */
const isRepeatable = (url: string | URL, { body }: Init): boolean =>
  typeof body === 'string' && !/\/(getUpdates|sendMessageDraft)$/.test(String(url))

const flood = z.object({ parameters: z.object({ retry_after: z.number().nonnegative() }) })

function floodIn(text: string): z.output<typeof flood> | undefined {
  try {
    return flood.parse(JSON.parse(text))
  } catch {
    return undefined
  }
}

/** The pause that an answer asks for. Only a 429 is repeated: after any other failure the message may have been sent. */
function pauseAsked({ status, text }: Answer): number | undefined {
  if (status !== 429) return undefined
  const pauseMs = (floodIn(text)?.parameters.retry_after ?? Number.POSITIVE_INFINITY) * 1000
  return pauseMs <= maxPauseMs ? pauseMs : undefined
}

const harmlessErrors: Readonly<Record<string, RegExp>> = {
  answerCallbackQuery: /query is too old|query ID is invalid/,
  answerInlineQuery: /query is too old|query ID is invalid/,
  editMessageText: /message is not modified/,
}

/** A tap or an inline query answered too late and an edit without a change count as done: nothing more can be done. */
export const forgiveHarmless: Transformer = async (prev, method, payload, signal) => {
  const answer = await prev(method, payload, signal)
  if (answer.ok || !harmlessErrors[method]?.test(answer.description)) return answer
  // `true` is a valid result of these methods and is not read; the type does not depend on the method.
  return { ok: true, result: true } as Awaited<ReturnType<typeof prev>>
}
