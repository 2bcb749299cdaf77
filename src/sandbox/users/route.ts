// A router for JSON over HTTP: a route has a method, a path with `:names`, a schema of the body (./api.ts), and a function that answers.

import type { IncomingMessage, ServerResponse } from 'node:http'
import { z } from 'zod'
import { type Handler, sendJson } from '../http.ts'
import { Refusal } from '../telegram/refusal.ts'
import { parseRequest } from '../telegram/request.ts'
import { type Answers, type Body, bodies } from './api.ts'

export interface RouteRequest<B> {
  readonly body: B
  readonly path: Readonly<Record<string, string>>
  readonly url: URL
  readonly req: IncomingMessage
  readonly res: ServerResponse
}

type Call = keyof typeof bodies
/** What each call does. */
export type Routes = {
  readonly [K in Call]: (request: RouteRequest<Body<K>>) => Answers[K] | Promise<Answers[K]>
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
const schemas: { readonly [K in Call]: Pick<z.ZodType<Body<K>>, 'safeParse'> } = bodies

/** Answers with the result as JSON. */
const jsonRoute = <K extends Call>(call: K, act: Routes[K]): Route => ({
  call,
  async run(request) {
    const { data: body, error } = schemas[call].safeParse(request.body)
    if (error) return complain(z.prettifyError(error))
    sendJson(request.res, 200, await act({ ...request, body }))
  },
})

const isCall = (call: string): call is Call => Object.hasOwn(bodies, call)

export const jsonRoutes = (routes: Routes): Route[] =>
  Object.keys(bodies)
    .filter(isCall)
    .map((call) => jsonRoute(call, routes[call]))

function sendError(res: ServerResponse, error: unknown): void {
  if (error instanceof Refusal) {
    sendJson(res, error.code, { error: error.message })
    return
  }
  process.stderr.write(`sandbox users failed: ${error instanceof Error ? error.stack : String(error)}\n`)
  sendJson(res, 500, { error: 'the sandbox failed: see its stderr' })
}

export function router(routes: readonly Route[], changed: () => void): Handler {
  const known = routes.map(({ call, run }) => ({
    run,
    pattern: new RegExp(`^${call.replaceAll(/:(\w+)/g, '(?<$1>[^/]+)')}$`),
  }))
  return async (req, res, url) => {
    const called = `${req.method === 'HEAD' ? 'GET' : req.method} ${url.pathname}`
    const found = known.find(({ pattern }) => pattern.test(called))
    if (!found) return false
    try {
      const names = Object.entries(found.pattern.exec(called)?.groups ?? {})
      const path = Object.fromEntries(names.map(([name, value]) => [name, decodeURIComponent(value)]))
      const { params: body } = await parseRequest(req, url)
      await found.run({ body, path, url, req, res })
      if (req.method !== 'GET') changed()
    } catch (error) {
      sendError(res, error)
    }
    return true
  }
}
