// A small router for JSON over HTTP: a method, a path with `:names`, a schema of the body, and what answers.

import type { IncomingMessage, ServerResponse } from 'node:http'
import { z } from 'zod'
import { type Room, sendJson } from '../http.ts'
import { Refusal } from '../telegram/refusal.ts'
import { parseRequest, type RequestBody } from '../telegram/request.ts'
import type { Answer, Body, UsersApi } from './api.ts'

export interface Visit<B> {
  body: B
  path: Readonly<Record<string, string>>
  url: URL
  uploads: RequestBody['uploads']
  req: IncomingMessage
  res: ServerResponse
}

export interface Route {
  method: string
  segments: readonly string[]
  handle(visit: Visit<Record<string, unknown>>): Promise<void>
}

/** What is said to the page or the test: 400 for a wrong request, 404 for what is not there. */
export const complain = (text: string, status: 400 | 404 = 400): never => {
  throw new Refusal(status, text)
}

function checked<B extends z.ZodType>(schema: B, body: unknown): z.output<B> {
  const parsed = schema.safeParse(body)
  return parsed.success ? parsed.data : complain(z.prettifyError(parsed.error))
}

type KeyOf<T> = T extends unknown ? keyof T : never

/** The schema, if it takes what `UsersApi` says that clients send: every field, in its type. */
type Takes<S extends z.ZodType, B> = [B] extends [z.input<S>]
  ? [KeyOf<B>] extends [KeyOf<z.input<S>>]
    ? S
    : never
  : never

/** Answers with what `run` returns, as JSON. */
export function route<M extends string, P extends string, S extends z.ZodType>(
  method: M,
  path: `${M} ${P}` extends keyof UsersApi ? P : never,
  schema: Takes<S, Body<`${M} ${P}`>>,
  run: (visit: Visit<z.output<S>>) => Answer<`${M} ${P}`> | Promise<Answer<`${M} ${P}`>>,
): Route {
  return stream(method, path, async (visit) => {
    const result = await run({ ...visit, body: checked(schema, visit.body) })
    sendJson(visit.res, 200, result)
  })
}

/** The handler writes the answer itself. */
export function stream(
  method: string,
  path: string,
  run: (visit: Visit<Record<string, unknown>>) => void | Promise<void>,
): Route {
  const handle = async (visit: Visit<Record<string, unknown>>) => run(visit)
  return { method, segments: path.split('/'), handle }
}

function match(route: Route, method: string | undefined, path: string): Record<string, string> | undefined {
  const parts = path.split('/')
  if (route.method !== method || parts.length !== route.segments.length) return undefined
  const names: Record<string, string> = {}
  for (const [index, segment] of route.segments.entries()) {
    const part = parts[index] ?? ''
    if (segment.startsWith(':')) names[segment.slice(1)] = decodeURIComponent(part)
    else if (segment !== part) return undefined
  }
  return names
}

function sendError(res: ServerResponse, error: unknown): void {
  const isExpected = error instanceof Refusal
  if (!isExpected) {
    process.stderr.write(`sandbox users failed: ${error instanceof Error ? error.stack : String(error)}\n`)
  }
  const text = isExpected ? error.message : 'the sandbox failed: see its log'
  sendJson(res, isExpected ? error.code : 500, { error: text })
}

export function router(routes: readonly Route[], changed: () => void): Room {
  return async (req, res, url) => {
    for (const route of routes) {
      const path = match(route, req.method === 'HEAD' ? 'GET' : req.method, url.pathname)
      if (!path) continue
      try {
        const { params: body, uploads } = await parseRequest(req, url)
        await route.handle({ body, path, url, uploads, req, res })
        if (req.method !== 'GET') changed()
      } catch (error) {
        sendError(res, error)
      }
      return true
    }
    return false
  }
}
