// The HTTP client of the gateway, with every operation of gateway-api.md. Nothing is retried here.

import type { GatewayMetrics } from '../metrics.ts'
import type { Clock } from '../runtime/clock.ts'
import { type Chat, type ChatStream, createChat } from './chat.ts'
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
