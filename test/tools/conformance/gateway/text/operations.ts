// Handles the requests of the four text operations.

import type { IncomingMessage, ServerResponse } from 'node:http'
import { setImmediate as turn } from 'node:timers/promises'
import { z } from 'zod'
import { refusal } from '../errors.ts'
import { type Body, problemOf, sendAnswer, sendJson } from '../exchange.ts'
import { chatFields } from '../fields/chat.ts'
import { type Operation, operationsOf } from '../fields/families.ts'
import { type MessagesBody, messagesFields, namedMessagesFields } from '../fields/messages.ts'
import { type NativeBody, nativeFields } from '../fields/native.ts'
import { namedResponsesFields, responsesFields } from '../fields/responses.ts'
import { type TextModel, textModels } from '../models.ts'
import type { TextPersonality } from '../personality.ts'
import type { Fault, Script } from '../script.ts'
import { chatEvents, chatJson, chatSaid } from './chat.ts'
import { messagesEvents, messagesJson } from './messages.ts'
import { nativeJson } from './native.ts'
import { responsesEvents, responsesJson } from './responses.ts'
import { saidOf } from './said.ts'
import { chunksOf, type Event, streamOf } from './sse.ts'

export function operationOf(url: string): Operation | undefined {
  if (url === '/v1/chat/completions') return 'chat'
  if (url === '/v1/messages') return 'messages'
  if (url === '/v1/responses') return 'responses'
  return /^\/v1\/[\w-]+\/generateContent$/.test(url) ? 'native' : undefined
}

const hasPicture = (body: object) =>
  /"(image_url|inlineData|image)"/.test(JSON.stringify({ ...body, tools: undefined }))

function fieldsFor(operation: Operation, model: TextModel, { fields }: TextPersonality): z.ZodType {
  if (operation === 'chat') return chatFields(model.family)
  if (operation === 'native') return nativeFields
  if (operation === 'messages') return fields === 'named' ? namedMessagesFields : messagesFields
  return fields === 'named' ? namedResponsesFields : responsesFields
}

/** The violation of the document by a request; undefined if the request is valid. */
function problemWith(operation: Operation, body: Body, way: TextPersonality): string | undefined {
  const model = textModels.find(({ id }) => id === body.model)
  if (!model) return `no model ${body.model}`
  if (!operationsOf[model.family].includes(operation)) return `${model.id} is not served here`
  if (hasPicture(body) && !model.vision) return `${model.id} takes no pictures`
  return problemOf(fieldsFor(operation, model, way), body)
}

interface Reply {
  readonly json: object
  readonly events: (error?: unknown) => readonly Event[]
}

const replies: Readonly<Record<Operation, (body: Body, way: TextPersonality) => Reply>> = {
  chat: (body, way) => {
    const parsed = chatFields('gpt').or(chatFields('gemini')).parse(body)
    const said = chatSaid(parsed)
    const wanted = z.looseObject({ stream_options: z.looseObject({ include_usage: z.literal(true) }) })
    // "stream_options" is not listed for every family, so the usage may be reported without it.
    const wantsUsage = wanted.safeParse(body).success || way.usage !== 'full'
    return { json: chatJson(said, way), events: (error) => chatEvents(said, way, wantsUsage, error) }
  },
  messages: (body, way) => {
    const { thinking }: MessagesBody = messagesFields.parse(body)
    const said = saidOf(body.model, body, undefined)
    const thinks = thinking !== undefined
    return {
      json: messagesJson(said, thinks, way),
      events: (error) => messagesEvents(said, thinks, way, error),
    }
  },
  responses: (body, way) => {
    const said = saidOf(body.model, body, undefined)
    return { json: responsesJson(said, way), events: (error) => responsesEvents(said, way, error) }
  },
  native: (body, way) => {
    const parsed: NativeBody = nativeFields.parse(body)
    return { json: nativeJson(saidOf(body.model, body, undefined), parsed, way), events: () => [] }
  },
}

export function createText(script: Script) {
  return async function answer(
    request: IncomingMessage,
    response: ServerResponse,
    operation: Operation,
    body: Body,
  ): Promise<void> {
    const way = script.text(body.model)
    const problem = versionProblem(operation, request) ?? problemWith(operation, body, way)
    const fault = script.takeFault(body.model)
    const note = { operation, model: body.model, body }
    if (problem !== undefined) {
      script.seen.push({ ...note, status: 400, problem })
      return sendAnswer(response, refusal(way.errors, 400, problem))
    }
    const status = fault?.kind === 'refuse' ? fault.status : 200
    script.seen.push({ ...note, status })
    if (fault?.kind === 'refuse') return sendAnswer(response, refusal(way.errors, status, fault.words))
    const { json, events } = replies[operation](body, way)
    const isStream = body.stream === true && way.answer === 'stream' && operation !== 'native'
    if (!isStream) return sendJson(response, 200, json)
    await sendStream(response, events(errorIn(fault)), way)
  }
}

const errorIn = (fault: Fault | undefined) =>
  fault?.kind === 'break' ? { type: 'error', error: { type: 'overloaded', message: fault.words } } : undefined

/** "Messages-format clients send … a version header … whose name carries the vendor name; its documented value is `2023-06-01`." */
function versionProblem(operation: Operation, { headers }: IncomingMessage): string | undefined {
  const versions = Object.entries(headers).filter(([name]) => name.endsWith('-version'))
  const isRight = operation !== 'messages' || versions.some(([, value]) => value === '2023-06-01')
  return isRight ? undefined : 'the version header is missing'
}

async function sendStream(response: ServerResponse, events: readonly Event[], way: TextPersonality) {
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' })
  for (const chunk of chunksOf(streamOf(events, way), way)) {
    response.write(chunk)
    await turn()
  }
  response.end()
}
