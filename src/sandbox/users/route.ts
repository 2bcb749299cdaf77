// A router for JSON over HTTP: a route has a method, a path with `:names`, a schema of the body, and a function that answers.

import type { IncomingMessage, ServerResponse } from 'node:http'
import { z } from 'zod'
import { type Handler, sendJson } from '../http.ts'
import { Refusal } from '../telegram/refusal.ts'
import { parseRequest, type RequestBody } from '../telegram/request.ts'
import { type Answers, type Body, bodies } from './api.ts'

export interface RouteRequest<B> {
  body: B
  path: Readonly<Record<string, string>>
  url: URL
  uploads: RequestBody['uploads']
  req: IncomingMessage
  res: ServerResponse
}

export interface Route {
  readonly call: string
  run(request: RouteRequest<unknown>): void | Promise<void>
}

/** Refuses the request: 400 for a wrong one, 404 for something that does not exist. */
export const complain = (text: string, status: 400 | 404 = 400): never => {
  throw new Refusal(status, text)
}

/** The schemas with their outputs by name, so that a generic call knows its own. */
const schemas: { readonly [K in keyof typeof bodies]: Pick<z.ZodType<Body<K>>, 'safeParse'> } = bodies

/** Answers with the result of `run` as JSON. */
export const route = <K extends keyof typeof bodies>(
  call: K,
  run: (request: RouteRequest<Body<K>>) => Answers[K] | Promise<Answers[K]>,
): Route => ({
  call,
  async run(request) {
    const { data: body, error } = schemas[call].safeParse(request.body)
    if (error) return complain(z.prettifyError(error))
    sendJson(request.res, 200, await run({ ...request, body }))
  },
})

/** The names in the path; undefined for the call of another route. */
function match({ call }: Route, called: string): Record<string, string> | undefined {
  const parts = called.split('/')
  const segments = call.split('/')
  if (parts.length !== segments.length) return undefined
  const names: Record<string, string> = {}
  for (const [index, segment] of segments.entries()) {
    const part = parts[index] ?? ''
    if (segment.startsWith(':')) names[segment.slice(1)] = decodeURIComponent(part)
    else if (segment !== part) return undefined
  }
  return names
}

function sendError(res: ServerResponse, error: unknown): void {
  if (error instanceof Refusal) {
    sendJson(res, error.code, { error: error.message })
    return
  }
  process.stderr.write(`sandbox users failed: ${error instanceof Error ? error.stack : String(error)}\n`)
  sendJson(res, 500, { error: 'the sandbox failed: see its stderr' })
}

export function router(routes: readonly Route[], changed: () => void): Handler {
  return async (req, res, url) => {
    const called = `${req.method === 'HEAD' ? 'GET' : req.method} ${url.pathname}`
    for (const route of routes) {
      const path = match(route, called)
      if (!path) continue
      try {
        const { params: body, uploads } = await parseRequest(req, url)
        await route.run({ body, path, url, uploads, req, res })
        if (req.method !== 'GET') changed()
      } catch (error) {
        sendError(res, error)
      }
      return true
    }
    return false
  }
}
