// Handles the requests of the four text operations, and writes server-sent events ("Format of the stream events: not shown") in every framing
// that the standard allows.

import type { IncomingMessage, ServerResponse } from 'node:http'
import { setImmediate as turn } from 'node:timers/promises'
import { z } from 'zod'
import {
  type ChatBody,
  chatFields,
  messagesFields,
  nativeFields,
  type Operation,
  operationsOf,
  responsesFields,
} from '../fields/text.ts'
import { type Body, problemOf, refuse, sendJson } from '../http.ts'
import { type TextModel, textModels } from '../models.ts'
import type { TextPersonality } from '../personality.ts'
import type { Script } from '../script.ts'
import {
  chatEvents,
  chatJson,
  type Event,
  messagesEvents,
  messagesJson,
  nativeJson,
  responsesEvents,
  responsesJson,
  saidOf,
} from './answers.ts'

export function operationOf(url: string): Operation | undefined {
  if (url === '/v1/chat/completions') return 'chat'
  if (url === '/v1/messages') return 'messages'
  if (url === '/v1/responses') return 'responses'
  return /^\/v1\/[\w-]+\/generateContent$/.test(url) ? 'native' : undefined
}

const hasPicture = (body: object) =>
  /"(image_url|inlineData|image)"/.test(JSON.stringify({ ...body, tools: undefined }))

function fieldsFor(operation: Operation, { family }: TextModel): z.ZodType {
  if (operation === 'chat') return chatFields(family)
  return { native: nativeFields, messages: messagesFields, responses: responsesFields }[operation]
}

/** The violation of the document by a request; undefined if the request is valid. */
function problemWith({ headers }: IncomingMessage, operation: Operation, body: Body): string | undefined {
  // "Messages-format clients send … a version header … whose name carries the vendor name; its documented value is `2023-06-01`."
  const versions = Object.entries(headers).filter(([name]) => name.endsWith('-version'))
  if (operation === 'messages' && !versions.some(([, value]) => value === '2023-06-01'))
    return 'the version header is missing'
  const model = textModels.find(({ id }) => id === body.model)
  if (!model) return `no model ${body.model}`
  if (!operationsOf[model.family].includes(operation)) return `${model.id} is not served here`
  if (hasPicture(body) && !model.vision) return `${model.id} takes no pictures`
  return problemOf(fieldsFor(operation, model), body)
}

interface Reply {
  readonly json: object
  readonly events: (error?: unknown) => readonly Event[]
}

const wanted = z.looseObject({ stream_options: z.looseObject({ include_usage: z.literal(true) }) })

const replies: Readonly<Record<Operation, (body: Body, way: TextPersonality) => Reply>> = {
  chat: (body, way) => {
    const { messages, tools, tool_choice }: ChatBody = chatFields('gpt').or(chatFields('gemini')).parse(body)
    // The model calls a tool if the last message is of the user and mentions tools.
    const last = messages.at(-1)
    const wants = last?.role === 'user' && /tool/i.test(JSON.stringify(last.content))
    const said = saidOf(body.model, body, wants && tool_choice !== 'none' ? tools?.[0] : undefined)
    // "stream_options" is not listed for every family, so the usage may be reported without it.
    const wantsUsage = wanted.safeParse(body).success || way.usage !== 'full'
    return { json: chatJson(said, way), events: (error) => chatEvents(said, way, wantsUsage, error) }
  },
  messages: (body, way) => {
    const said = saidOf(body.model, body)
    const thinks = messagesFields.parse(body).thinking !== undefined
    return {
      json: messagesJson(said, thinks, way),
      events: (error) => messagesEvents(said, thinks, way, error),
    }
  },
  responses: (body, way) => {
    const said = saidOf(body.model, body)
    return { json: responsesJson(said, way), events: (error) => responsesEvents(said, way, error) }
  },
  native: (body, way) => ({
    json: nativeJson(saidOf(body.model, body), nativeFields.parse(body), way),
    events: () => [],
  }),
}

export function createText(script: Script) {
  return async function answer(
    request: IncomingMessage,
    response: ServerResponse,
    operation: Operation,
    body: Body,
  ): Promise<void> {
    const way = script.text(body.model)
    const problem = problemWith(request, operation, body)
    const fault = script.takeFault(body.model)
    const note = { operation, model: body.model, body }
    if (problem !== undefined) {
      script.seen.push({ ...note, problem })
      return refuse(response, way.errors, 400, problem)
    }
    script.seen.push(note)
    if (fault?.kind === 'refuse') return refuse(response, way.errors, fault.status, fault.words)
    const { json, events } = replies[operation](body, way)
    if (body.stream !== true || way.answer !== 'stream' || operation === 'native')
      return sendJson(response, 200, json)
    const error =
      fault?.kind === 'break'
        ? { type: 'error', error: { type: 'overloaded', message: fault.words } }
        : undefined
    const type = 'text/event-stream; charset=utf-8'
    response.writeHead(200, { 'content-type': type, 'cache-control': 'no-cache' })
    for (const chunk of chunksOf(streamOf(events(error), way), way)) {
      response.write(chunk)
      await turn()
    }
    response.end()
  }
}

type Framing = Pick<TextPersonality, 'framing' | 'split' | 'end'>

const jsonLines = (data: unknown, framing: Framing['framing']): string[] =>
  typeof data === 'string'
    ? [data]
    : JSON.stringify(data, null, framing === 'lines' ? 1 : undefined).split('\n')

function linesOf({ name, data }: Event, { framing }: Framing, index: number): string[] {
  const isTight = framing === 'tight'
  const lines = jsonLines(data, framing).map((line) => (isTight ? `data:${line}` : `data: ${line}`))
  const named = name ? [`event: ${name}`] : []
  const comments = framing === 'comments' ? [': keep-alive', '', ':', ''] : []
  const more = isTight ? [`id: ${index}`, 'retry:3000'] : []
  return [...comments, ...named, ...more, ...lines, '']
}

function streamOf(events: readonly Event[], way: Framing): Buffer {
  const all = way.end === 'done' ? [...events, { data: '[DONE]' }] : events
  const lines = all.flatMap((event, index) => linesOf(event, way, index))
  const newline = way.framing === 'crlf' ? '\r\n' : way.framing === 'cr' ? '\r' : '\n'
  const text = lines.map((line) => line + newline).join('')
  const kept = way.end === 'open' ? text.slice(0, -newline.length) : text
  return Buffer.from(way.framing === 'bom' ? `\ufeff${kept}` : kept)
}

/** Splits the stream into the chunks in which it is sent. */
function chunksOf(stream: Buffer, { split, framing }: Framing): Buffer[] {
  if (split === 'once') return [stream]
  const size = 11
  if (split === 'bytes') {
    return Array.from({ length: Math.ceil(stream.length / size) }, (_, index) =>
      stream.subarray(index * size, (index + 1) * size),
    )
  }
  const end = framing === 'crlf' ? '\r\n\r\n' : framing === 'cr' ? '\r\r' : '\n\n'
  return stream
    .toString()
    .split(new RegExp(`(?<=${end})`))
    .map((chunk) => Buffer.from(chunk))
}
