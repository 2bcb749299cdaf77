// Text models. Source: gateway-api.md, "Chat and text operations". The text of models is returned unchanged, including think tags,
// except for pictures in it.

import type { ChatPiece } from './chat-answer.ts'
import type { ChatBody, MessagesBody, NativeBody, ResponsesBody } from './chat-bodies.ts'
import type { Http } from './http.ts'
import { readStream } from './stream.ts'

export type ChatStream = AsyncGenerator<ChatPiece, void, undefined>

/**
 * All operations throw GatewayError; GatewayUnknownOutcome means that the answer may have been charged. A request is sent when its
 * stream is iterated. The connection is closed when the iteration stops or `signal` aborts (then it throws GatewayUnknownOutcome,
 * unless the finish reason has come).
 */
export interface Chat {
  chatStream(body: ChatBody, signal?: AbortSignal): ChatStream
  messagesStream(body: MessagesBody, signal?: AbortSignal): ChatStream
  responsesStream(body: ResponsesBody, signal?: AbortSignal): ChatStream
  /** The native pass-through does not stream: its pieces come at once. @param vendor its name in the path */
  generateContent(vendor: string, body: NativeBody, signal?: AbortSignal): ChatStream
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

export function createChat(http: Http): Chat {
  return {
    chatStream: (body, signal) => readStream(http, { ...chatCall, body: { ...body, stream: true } }, signal),
    messagesStream: (body, signal) =>
      readStream(http, { ...messagesCall, body: { ...body, stream: true } }, signal),
    responsesStream: (body, signal) =>
      readStream(http, { ...responsesCall, body: { ...body, stream: true } }, signal),
    generateContent(vendor, body, signal) {
      const path = `/v1/${encodeURIComponent(vendor)}/generateContent`
      return readStream(http, { ...making, operation: 'generate content', path, body }, signal)
    },
  }
}
