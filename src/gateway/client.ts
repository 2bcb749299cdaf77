// The HTTP client of the gateway, with every operation of gateway-api.md. Nothing is retried here.

import { z } from 'zod'
import type { GatewayMetrics } from '../metrics.ts'
import type { Clock } from '../runtime/clock.ts'
import type { ChatPiece } from './chat-content.ts'
import { understand } from './errors.ts'
import { createHttp, type GatewaySettings, type Http } from './http.ts'
import { readStream } from './stream.ts'
import { type Created, createTask, type GatewayTask, readTask } from './tasks.ts'

export type { ChatEnd, ChatPiece, Ending, Picture, Source, ToolCall, Usage } from './chat-content.ts'
export { addressOf, type Files, type GatewayFile } from './files.ts'
export type { GatewaySettings } from './http.ts'
export type { Created, GatewayTask } from './tasks.ts'

export type ChatStream = AsyncGenerator<ChatPiece, void, undefined>

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
  createStyle(body: CreateStyle): Promise<{ readonly id: string }>
  concepts(): Promise<readonly Concept[]>
  chatStream(body: ChatBody, signal?: AbortSignal): ChatStream
  messagesStream(body: MessagesBody, signal?: AbortSignal): ChatStream
  responsesStream(body: ResponsesBody, signal?: AbortSignal): ChatStream
  /** The native pass-through does not stream: its pieces come at once. @param vendor its name in the path */
  generateContent(vendor: string, body: NativeBody, signal?: AbortSignal): ChatStream
  /** Waits for requests in flight. */
  close(): Promise<void>
}

/** The names of the operations, as they appear in metrics. */
export const operations = [
  ...['create', 'readTask', 'createStyle', 'concepts'],
  ...['chatStream', 'messagesStream', 'responsesStream', 'generateContent'],
] as const satisfies readonly Exclude<keyof Gateway, 'close'>[]

const making = { method: 'POST', making: true } as const
const chatCall = { ...making, operation: 'chat', path: '/v1/chat/completions' } as const
const messagesCall = {
  ...making,
  operation: 'messages',
  path: '/v1/messages',
  keyHeader: 'x-api-key',
  headers: { 'anthropic-version': '2023-06-01' },
} as const
const responsesCall = { ...making, operation: 'responses', path: '/v1/responses' } as const

export function createGateway(settings: GatewaySettings): Gateway {
  const http = createHttp(settings)
  return {
    create: (path, body) => createTask(http, path, body),
    readTask: (id) => readTask(http, id),
    createStyle: (body) => createStyle(http, body),
    concepts: () => listConcepts(http),
    chatStream: (body, signal) => readStream(http, { ...chatCall, body: { ...body, stream: true } }, signal),
    messagesStream: (body, signal) =>
      readStream(http, { ...messagesCall, body: { ...body, stream: true } }, signal),
    responsesStream: (body, signal) =>
      readStream(http, { ...responsesCall, body: { ...body, stream: true } }, signal),
    generateContent(vendor, body, signal) {
      const path = `/v1/${encodeURIComponent(vendor)}/generateContent`
      return readStream(http, { ...making, operation: 'generate content', path, body }, signal)
    },
    close: http.close,
  }
}

type Asked = GatewayMetrics['asked']

/** The same client, which reports the outcome and the duration of each request; of a stream at its end. */
export function measured(gateway: Gateway, clock: Clock, asked: Asked): Gateway {
  const begin = (operation: string) => {
    const startedAt = clock.now().getTime()
    return (error?: unknown) => asked(operation, error, clock.now().getTime() - startedAt)
  }
  const call =
    <Given extends unknown[], T>(operation: string, send: (...given: Given) => Promise<T>) =>
    async (...given: Given): Promise<T> => {
      const end = begin(operation)
      try {
        const answer = await send(...given)
        end()
        return answer
      } catch (error) {
        end(error)
        throw error
      }
    }
  /** A reader that stops early counts as success. */
  const stream = <Given extends unknown[]>(operation: string, open: (...given: Given) => ChatStream) =>
    async function* (...given: Given): ChatStream {
      const end = begin(operation)
      let failure: unknown
      try {
        yield* open(...given)
      } catch (error) {
        failure = error
        throw error
      } finally {
        end(failure)
      }
    }
  return {
    create: call('create', gateway.create),
    readTask: call('readTask', gateway.readTask),
    createStyle: call('createStyle', gateway.createStyle),
    concepts: call('concepts', gateway.concepts),
    chatStream: stream('chatStream', gateway.chatStream),
    messagesStream: stream('messagesStream', gateway.messagesStream),
    responsesStream: stream('responsesStream', gateway.responsesStream),
    generateContent: stream('generateContent', gateway.generateContent),
    close: gateway.close,
  }
}

// Request bodies of the text operations, with the fields that gateway-api.md names. The types are open: each family of models has
// more fields, which the gateway passes on.

interface Open {
  readonly [more: string]: unknown
}

interface ChatMessage extends Open {
  readonly role: 'system' | 'developer' | 'user' | 'assistant' | 'tool'
  readonly content: string | readonly Open[] | null
}

/** The body of `POST /v1/chat/completions`. */
export interface ChatBody extends Open {
  readonly model: string
  readonly messages: readonly ChatMessage[]
  readonly temperature?: number
  readonly max_completion_tokens?: number
  readonly max_tokens?: number
  readonly top_p?: number
  readonly stop?: string | readonly string[]
  readonly seed?: number
  readonly response_format?: Open
  readonly reasoning_effort?: string
  readonly tools?: readonly Open[]
  readonly tool_choice?: string | Open
  /** Further fields for the family that runs through a compatibility layer. */
  readonly extra_body?: Open
}

/** The body of `POST /v1/messages`. */
export interface MessagesBody extends Open {
  readonly model: string
  readonly max_tokens: number
  readonly messages: readonly {
    readonly role: 'user' | 'assistant'
    readonly content: string | readonly Open[]
  }[]
  readonly thinking?: Open
  readonly cache_control?: Open
  readonly top_k?: number
  readonly mcp_servers?: readonly Open[]
}

/** The body of `POST /v1/responses`. */
export interface ResponsesBody extends Open {
  readonly model: string
  readonly input: string
  readonly tools?: readonly Open[]
}

/** The body of the native pass-through; the vendor defines the other fields. */
export interface NativeBody extends Open {
  readonly model: string
  readonly contents: readonly { readonly role?: 'user' | 'model'; readonly parts: readonly Open[] }[]
}

// Custom styles, and the concepts of the video-dream model. gateway-api.md shows neither shape. Assumed: a style is created with the
// fields of `CreateStyle` and returned with its id under a usual name; concepts are a list of keys or of objects with a key, directly
// or under a usual name.

interface CreateStyle {
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

const uuid = z
  .union([z.string(), z.int().nonnegative().transform(String)])
  .pipe(z.string().regex(/^[\w-]{1,100}$/))
const style = z.union([
  z.object({ id: uuid }),
  z.object({ style_id: uuid }).transform(({ style_id }) => ({ id: style_id })),
  z.object({ uuid }).transform((found) => ({ id: found.uuid })),
  z.object({ data: z.object({ id: uuid }) }).transform(({ data }) => ({ id: data.id })),
])

const key = z.string().min(1)
const name = z.string().min(1).optional().catch(undefined)
const concept = z.union([
  key.transform((only): Concept => ({ key: only })),
  z.object({ key, name, label: name, description: name }).transform((one): Concept => {
    const found = one.name ?? one.label ?? one.description
    return { key: one.key, ...(found === undefined ? {} : { name: found }) }
  }),
])
const list = z.array(z.unknown())
const lists = z.union([
  list,
  z.object({ data: list }).transform(({ data }) => data),
  z.object({ concepts: list }).transform(({ concepts }) => concepts),
  z.object({ items: list }).transform(({ items }) => items),
  z.object({ data: z.object({ concepts: list }) }).transform(({ data }) => data.concepts),
])

async function createStyle(http: Http, body: CreateStyle): Promise<{ readonly id: string }> {
  const operation = 'create style'
  const answer = await http.call({ operation, method: 'POST', path: '/v1/styles', body })
  return understand(operation, style, answer.json())
}

async function listConcepts(http: Http): Promise<readonly Concept[]> {
  const operation = 'list concepts'
  const answer = await http.call({ operation, method: 'GET', path: '/v1/generations/concepts/list' })
  const items = understand(operation, lists, answer.json())
  return items.flatMap((item) => concept.safeParse(item).data ?? [])
}
