// The HTTP client of the gateway, with every operation of gateway-api.md. Nothing is retried here.

import assert from 'node:assert/strict'
import { z } from 'zod'
import type { GatewayMetrics } from '../metrics.ts'
import type { Clock } from '../runtime/clock.ts'
import type { ChatPiece } from './chat-content.ts'
import { malformed } from './errors.ts'
import { fieldsOf, usualResultId, wordIn } from './files.ts'
import { createHttp, type Http, type HttpSettings } from './http.ts'
import { readStream } from './stream.ts'
import { type Created, createTask, type GatewayTask, readTask, type StateWords } from './tasks.ts'

export type { ChatEnd, ChatPiece, Ending, Picture, Source, ToolCall, Usage } from './chat-content.ts'
export { addressOf, type Files, type GatewayFile } from './files.ts'
export type { Created, GatewayTask } from './tasks.ts'

export type ChatStream = AsyncGenerator<ChatPiece, void, undefined>

/** The body of a text operation. Each family of models has fields of its own, which the gateway passes on (chat/bodies.ts). */
interface TextBody {
  readonly model: string
  readonly [field: string]: unknown
}

/** gateway-api.md does not show the fields of a style; these are the usual ones. */
interface StyleBody {
  readonly name?: string
  /** The stock style on which the new style is based. */
  readonly style?: string
  /** The pictures as data URIs. */
  readonly images: readonly string[]
}

export interface Concept {
  readonly key: string
  readonly name?: string
}

export interface GatewaySettings extends HttpSettings {
  /** The public address of our own server: links to it in an answer are not results. */
  readonly ownUrl?: string | undefined
  /** Words of the gateway for the states of tasks, beside those that are usual. */
  readonly stateWords?: StateWords
  readonly requests?: OpenRequests
  /** Receives the outcome and the duration of each request; of a stream at its end. */
  readonly measure?: { readonly clock: Clock; readonly asked: GatewayMetrics['asked'] }
}

const word = z.string().regex(/^[\w.-]{1,60}$/, 'write a name without spaces')
const line = z.string().regex(/^[\x20-\x7e]{1,500}$/, 'write one line of Latin letters')

/** What gateway-api.md leaves open about requests. */
export const openRequests = z.strictObject({
  /** Headers of a text operation. Those of `messages` take the place of the version header. */
  headers: z
    .partialRecord(z.enum(['chat', 'messages', 'responses', 'native']), z.record(word, line))
    .default({}),
  /** The names of the fields with which a style is created, and the path of its id in the answer; false for a gateway without styles. */
  styles: z
    .union([
      z.literal(false),
      z.strictObject({
        name: word.default('name'),
        style: word.default('style'),
        images: word.default('images'),
        id: word.exactOptional(),
      }),
    ])
    .prefault({}),
  /** The names of the fields of a concept. */
  concepts: z.strictObject({ key: word.default('key'), name: word.default('name') }).prefault({}),
  results: z
    .strictObject({
      /** The field of a result with its id. */
      id: word.default(usualResultId),
      /** Whether that id takes the place of the file, where the document lets an id stand for a file. */
      chained: z.boolean().default(true),
      /** Which id names a video that is continued. */
      continued: z.enum(['task', 'result'], { error: 'write task or result' }).default('task'),
    })
    .prefault({}),
})
export type OpenRequests = z.output<typeof openRequests>
const usualRequests = openRequests.parse({})

/**
 * All operations throw GatewayError; GatewayUnknownOutcome means that a task, a style or a charge may exist.
 *
 * Text models: the text is returned unchanged, including think tags, except for pictures in it. A request is sent when its stream is
 * iterated. The connection is closed when the iteration stops or `signal` aborts (then it throws GatewayUnknownOutcome, unless the finish
 * reason has come).
 */
export interface Gateway {
  create(path: string, body: Readonly<Record<string, unknown>>): Promise<Created>
  readTask(id: string): Promise<GatewayTask>
  createStyle(body: StyleBody): Promise<{ readonly id: string }>
  concepts(): Promise<readonly Concept[]>
  chatStream(body: TextBody, signal?: AbortSignal): ChatStream
  messagesStream(body: TextBody, signal?: AbortSignal): ChatStream
  responsesStream(body: TextBody, signal?: AbortSignal): ChatStream
  /** The native pass-through does not stream: its pieces come at once. @param vendor its name in the path */
  generateContent(vendor: string, body: TextBody, signal?: AbortSignal): ChatStream
  /** Waits for requests in flight. */
  close(): Promise<void>
}

/** The names of the operations, as they appear in metrics. */
export const operations = [
  ...['create', 'readTask', 'createStyle', 'concepts'],
  ...['chatStream', 'messagesStream', 'responsesStream', 'generateContent'],
] as const satisfies readonly Exclude<keyof Gateway, 'close'>[]

const making = { method: 'POST', making: true } as const
const streamed = {
  chatStream: { ...making, operation: 'chat', path: '/v1/chat/completions' },
  messagesStream: {
    ...making,
    operation: 'messages',
    path: '/v1/messages',
    keyHeader: 'x-api-key',
    headers: { 'anthropic-version': '2023-06-01' },
  },
  responsesStream: { ...making, operation: 'responses', path: '/v1/responses' },
} as const

export function createGateway(settings: GatewaySettings): Gateway {
  const http = createHttp(settings)
  const { ownUrl, stateWords: words, requests = usualRequests } = settings
  const { headers, styles, concepts, results } = requests
  const reading = {
    words,
    resultId: results.id,
    isOurs: (url: string) => ownUrl !== undefined && url.startsWith(`${ownUrl}/`),
  }
  const { call, pieces } = measuring(settings.measure)
  const stream = (name: keyof typeof streamed) => (body: TextBody, signal?: AbortSignal) => {
    const own = headers[streamed[name].operation]
    return pieces(
      name,
      readStream(http, { ...streamed[name], ...(own ? { headers: own } : {}), body }, signal),
    )
  }
  return {
    create: (path, body) => call('create', createTask(http, path, body, reading)),
    readTask: (id) => call('readTask', readTask(http, id, reading)),
    async createStyle(body) {
      assert(styles, 'the gateway creates no styles')
      return call('createStyle', createStyle(http, body, styles))
    },
    concepts: () => call('concepts', listConcepts(http, concepts)),
    chatStream: stream('chatStream'),
    messagesStream: stream('messagesStream'),
    responsesStream: stream('responsesStream'),
    generateContent(vendor, body, signal) {
      const path = `/v1/${encodeURIComponent(vendor)}/generateContent`
      const asked = { ...making, operation: 'generate content', path, headers: headers.native ?? {}, body }
      return pieces('generateContent', readStream(http, asked, signal))
    },
    close: http.close,
  }
}

function measuring(measure: GatewaySettings['measure']) {
  const begin = (operation: (typeof operations)[number]) => {
    const startedAt = measure?.clock.now().getTime() ?? 0
    return (error?: unknown) => measure?.asked(operation, error, measure.clock.now().getTime() - startedAt)
  }
  return {
    async call<T>(operation: (typeof operations)[number], answer: Promise<T>): Promise<T> {
      const end = begin(operation)
      await answer.then(() => end(), end)
      return answer
    },
    /** A reader that stops early counts as success. */
    async *pieces(operation: (typeof operations)[number], all: ChatStream): ChatStream {
      const end = begin(operation)
      let failure: unknown
      try {
        yield* all
      } catch (error) {
        failure = error
        throw error
      } finally {
        end(failure)
      }
    },
  }
}

// Custom styles, and the concepts of the video-dream model. gateway-api.md shows neither answer: the usual shapes are read.

const styleId = z
  .union([z.string(), z.int().nonnegative().transform(String)])
  .pipe(z.string().regex(/^[\w-]{1,100}$/))

async function createStyle(
  http: Http,
  given: StyleBody,
  names: Exclude<OpenRequests['styles'], false>,
): Promise<{ readonly id: string }> {
  const operation = 'create style'
  const fields = [
    [names.name, given.name],
    [names.style, given.style],
    [names.images, given.images],
  ]
  const style = Object.fromEntries(fields.filter(([, value]) => value !== undefined))
  const body = (await http.call({ operation, method: 'POST', path: '/v1/styles', body: style })).json()
  const { id, style_id, uuid, data } = fieldsOf(body)
  const named = names.id?.split('.').reduce<unknown>((value, name) => fieldsOf(value)[name], body)
  for (const one of [named, id, style_id, uuid, fieldsOf(data).id]) {
    const found = styleId.safeParse(one).data
    if (found !== undefined) return { id: found }
  }
  throw malformed(operation, body)
}

/** A map of concepts by key: `{"pan": "Pan", "push_in": {"name": "Push in"}}`; undefined for anything else. */
function listed(map: unknown): readonly unknown[] | undefined {
  const entries = Object.entries(fieldsOf(map))
  const isMap =
    entries.length > 0 && entries.every(([, one]) => wordIn(one, fieldsOf(one).name) !== undefined)
  return isMap ? entries.map(([key, one]) => ({ name: one, ...fieldsOf(one), key })) : undefined
}

async function listConcepts(http: Http, names: OpenRequests['concepts']): Promise<readonly Concept[]> {
  const operation = 'list concepts'
  const body = (await http.call({ operation, method: 'GET', path: '/v1/generations/concepts/list' })).json()
  const { data, concepts, items } = fieldsOf(body)
  const places = [data, concepts, items, fieldsOf(data).concepts]
  const list = [body, ...places].find(Array.isArray) ?? places.map(listed).find((one) => one !== undefined)
  if (!list) throw malformed(operation, body)
  return list.flatMap((one: unknown) => {
    const fields = fieldsOf(one)
    const found = wordIn(one, fields[names.key], fields.key)
    const shown = wordIn(fields[names.name], fields.name, fields.label, fields.description)
    return found === undefined ? [] : [{ key: found, ...(shown === undefined ? {} : { name: shown }) }]
  })
}
