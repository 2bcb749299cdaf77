// A load balancer in front of the processes: requests go in turn to the processes that are up. The open requests of a process that dies are
// lost; when no process is up the response is 502.

import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { listening } from './listening.ts'

export interface Target {
  readonly port: number
  isUp(): boolean
}

export interface Balancer {
  readonly url: string
  /** Sets the processes that receive the requests. */
  lead(to: readonly Target[]): void
  close(): Promise<void>
}

export async function createBalancer(): Promise<Balancer> {
  const agent = new Agent({ keepAlive: true })
  let targets: readonly Target[] = []
  let turn = 0
  const next = (): Target | undefined => {
    const up = targets.filter((target) => target.isUp())
    turn += 1
    return up[turn % up.length]
  }
  const server = createServer((req, res) => {
    const target = next()
    if (target) pass(agent, target.port, req, res)
    else res.writeHead(502).end()
  })
  const port = await listening(server)
  return {
    url: `http://127.0.0.1:${port}`,
    lead(to) {
      targets = to
    },
    close: () =>
      new Promise((resolve) => {
        agent.destroy()
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function pass(agent: Agent, port: number, req: IncomingMessage, res: ServerResponse): void {
  const { method, url, headers } = req
  const onward = request({ agent, host: '127.0.0.1', port, method, path: url, headers }, (answer) => {
    res.writeHead(answer.statusCode ?? 502, answer.headers)
    answer.pipe(res)
    answer.once('error', () => res.destroy())
  })
  onward.once('error', () => (res.headersSent ? res.destroy() : res.writeHead(502).end()))
  res.once('close', () => onward.destroy())
  req.pipe(onward)
}
