// Text models. Source: gateway-api.md, "Chat and text operations". The text of models is returned unchanged, including think tags.

import { malformed } from './answer.ts'
import type { ChatAnswer } from './chat-answer.ts'
import type { ChatBody, MessagesBody, NativeBody, ResponsesBody } from './chat-bodies.ts'
import { readChatChunk, readMessageEvent, readResponseEvent } from './chat-events.ts'
import { type ReadAnswer, readChat, readMessages, readNative, readResponses } from './chat-formats.ts'
import type { Call, Http } from './http.ts'
import { type ChatPiece, readStream, type StreamFormat } from './stream.ts'

export type ChatStream = AsyncGenerator<ChatPiece, void, undefined>

/**
 * All operations throw GatewayError; GatewayUnknownOutcome means that the answer may have been charged. A stream sends its request
 * when it is iterated, and closes the connection when the iteration stops or `signal` aborts (then it throws
 * GatewayUnknownOutcome).
 */
export interface Chat {
  chat(body: ChatBody): Promise<ChatAnswer>
  chatStream(body: ChatBody, signal?: AbortSignal): ChatStream
  messages(body: MessagesBody): Promise<ChatAnswer>
  messagesStream(body: MessagesBody, signal?: AbortSignal): ChatStream
  responses(body: ResponsesBody): Promise<ChatAnswer>
  responsesStream(body: ResponsesBody, signal?: AbortSignal): ChatStream
  /** @param vendor its name in the path of the native pass-through @param signal closes the connection, as for a stream */
  generateContent(vendor: string, body: NativeBody, signal?: AbortSignal): Promise<ChatAnswer>
}

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

const chatFormat: StreamFormat = { readEvent: readChatChunk, readAnswer: readChat }
const messagesFormat: StreamFormat = { readEvent: readMessageEvent, readAnswer: readMessages }
const responsesFormat: StreamFormat = { readEvent: readResponseEvent, readAnswer: readResponses }

export function createChat(http: Http): Chat {
  const whole = async (call: Call, readAnswer: ReadAnswer, signal?: AbortSignal) => {
    const body = (await http.call(call, signal)).json()
    const answer = readAnswer(body)
    if (!answer) throw malformed(call.operation, body)
    return answer
  }
  return {
    chat: (body) => whole({ ...chatCall, body }, readChat),
    chatStream: (body, signal) =>
      readStream(http, { ...chatCall, body: { ...body, stream: true } }, chatFormat, signal),
    messages: (body) => whole({ ...messagesCall, body }, readMessages),
    messagesStream: (body, signal) =>
      readStream(http, { ...messagesCall, body: { ...body, stream: true } }, messagesFormat, signal),
    responses: (body) => whole({ ...responsesCall, body }, readResponses),
    responsesStream: (body, signal) =>
      readStream(http, { ...responsesCall, body: { ...body, stream: true } }, responsesFormat, signal),
    generateContent(vendor, body, signal) {
      const path = `/v1/${encodeURIComponent(vendor)}/generateContent`
      return whole({ ...making, operation: 'generate content', path, body }, readNative, signal)
    },
  }
}
