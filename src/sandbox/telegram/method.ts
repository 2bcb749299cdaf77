// A Bot API method: the schema of its parameters and its implementation. Names and results are checked against grammY's types, so
// a method that Telegram does not have, or one with a wrong result, does not compile.

import type { ApiMethods, Message } from 'grammy/types'
import type { z } from 'zod'
import { Refusal } from './refusal.ts'
import type { Upload } from './request.ts'
import type { TelegramServer } from './server.ts'

export interface Call {
  readonly uploads: ReadonlyMap<string, Upload>
  /** Aborts when the caller hangs up. */
  readonly signal: AbortSignal
}

export interface Method<R = unknown> {
  run(server: TelegramServer, raw: Record<string, unknown>, call: Call): Promise<R>
}

/** Makes a message one type with optional fields; the tests check which of them are present. */
type Loose<R> = R extends readonly (infer One)[]
  ? Loose<One>[]
  : R extends { message_id: number; date: number }
    ? Message
    : R

export type Methods = {
  [M in keyof ApiMethods]?: Method<Loose<ReturnType<ApiMethods[M]>>>
}

function refusalOf(error: z.ZodError): Refusal {
  const issue = error.issues[0]
  const name = String(issue?.path[0] ?? '')
  const missing = issue?.code === 'invalid_type' && issue.message.includes('received undefined')
  return missing && issue.path.length === 1
    ? new Refusal(400, `Bad Request: parameter "${name}" is required`)
    : new Refusal(400, `Bad Request: can't parse ${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}`)
}

export function method<P extends z.ZodType, R>(
  schema: P,
  run: (server: TelegramServer, params: z.output<P>, call: Call) => R | Promise<R>,
): Method<R> {
  return {
    async run(server, raw, call) {
      const params = schema.safeParse(raw)
      if (!params.success) throw refusalOf(params.error)
      return run(server, params.data, call)
    },
  }
}
