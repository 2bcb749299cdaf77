// The HTTP client of the gateway, with every operation of gateway-api.md. Nothing is retried here.

import { type Chat, createChat } from './chat.ts'
import { createHttp, type GatewaySettings } from './http.ts'
import { createMedia, type Media } from './media.ts'
import { createStyles, type Styles } from './styles.ts'
import { createTasks, type Tasks } from './tasks.ts'

export type { ChatStream } from './chat.ts'
export type { ChatEnd, ChatPiece, Ending, Picture, Source, ToolCall, Usage } from './chat-answer.ts'
export type { ChatBody, ChatMessage, MessagesBody, NativeBody, ResponsesBody } from './chat-bodies.ts'
export { addressOf, type Files, type GatewayFile } from './files.ts'
export type { GatewaySettings } from './http.ts'
export type { Created } from './media.ts'
export type { Concept, CreateStyle } from './styles.ts'
export type { GatewayTask } from './tasks.ts'

export interface Gateway extends Media, Tasks, Styles, Chat {
  /** Waits for requests in flight. */
  close(): Promise<void>
}

/** The names of the operations, as they appear in metrics. */
export const operations = [
  ...['create', 'readTask', 'createStyle', 'concepts'],
  ...['chatStream', 'messagesStream', 'responsesStream', 'generateContent'],
] as const satisfies readonly Exclude<keyof Gateway, 'close'>[]

export function createGateway(settings: GatewaySettings): Gateway {
  const http = createHttp(settings)
  return {
    ...createMedia(http),
    ...createTasks(http),
    ...createStyles(http),
    ...createChat(http),
    close: http.close,
  }
}
