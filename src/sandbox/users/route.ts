// A router for JSON over HTTP: a route has a method, a path with `:names`, a schema of the body, and a function that answers.

import type { IncomingMessage, ServerResponse } from 'node:http'
import { z } from 'zod'
import { type Handler, sendJson } from '../http.ts'
import { Refusal } from '../telegram/refusal.ts'
import { parseRequest, type RequestBody } from '../telegram/request.ts'
import type { Answer, Body, UsersApi } from './api.ts'

export interface RouteRequest<B> {
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
  handle(request: RouteRequest<Record<string, unknown>>): Promise<void>
}

/** Refuses the request: 400 for a wrong one, 404 for something that does not exist. */
export const complain = (text: string, status: 400 | 404 = 400): never => {
  throw new Refusal(status, text)
}

function checked<B extends z.ZodType>(schema: B, body: unknown): z.output<B> {
  const parsed = schema.safeParse(body)
  return parsed.success ? parsed.data : complain(z.prettifyError(parsed.error))
}

/** Answers with the result of `run` as JSON. */
export function route<M extends string, P extends string, S extends z.ZodType>(
  method: M,
  path: `${M} ${P}` extends keyof UsersApi ? P : never,
  schema: [Body<`${M} ${P}`>] extends [z.input<S>] ? S : never,
  run: (request: RouteRequest<z.output<S>>) => Answer<`${M} ${P}`> | Promise<Answer<`${M} ${P}`>>,
): Route {
  return rawRoute(method, path, async (request) => {
    const result = await run({ ...request, body: checked(schema, request.body) })
    sendJson(request.res, 200, result)
  })
}

/** A route whose `run` writes the answer itself. */
export function rawRoute(
  method: string,
  path: string,
  run: (request: RouteRequest<Record<string, unknown>>) => void | Promise<void>,
): Route {
  const handle = async (request: RouteRequest<Record<string, unknown>>) => run(request)
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
  const text = isExpected ? error.message : 'the sandbox failed: see its stderr'
  sendJson(res, isExpected ? error.code : 500, { error: text })
}

export function router(routes: readonly Route[], changed: () => void): Handler {
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
