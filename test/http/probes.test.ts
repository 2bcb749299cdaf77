// Probes of a supervisor: liveness, readiness and metrics; and the address at which the server listens.

import { afterAll, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { answersInTime } from '../../src/db/client.ts'
import { end } from '../../src/http/request.ts'
import { createReadiness } from '../../src/http/routes.ts'
import { closeServer, listen } from '../../src/http/server.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { silentLog } from '../../src/runtime/log.ts'
import { freshDatabase } from '../support/database/database.ts'
import { handClock } from '../support/runtime/clock.ts'
import { openSandbox, sharedSandbox, type TestSandbox } from '../support/users/sandbox.ts'

const token = 'a-token-for-metrics'
let sandbox: TestSandbox
beforeAll(async () => {
  sandbox = await openSandbox('postgres', { METRICS_TOKEN: token })
})
afterAll(() => sandbox.stop())

const other = await sharedSandbox()
const get = (path: string, authorization?: string) =>
  fetch(`${sandbox.url}/app${path}`, { headers: authorization ? { authorization } : {} })

it('/healthz and /readyz answer 200', async () => {
  for (const path of ['/healthz', '/readyz']) {
    const answer = await get(path)
    expect([answer.status, await answer.text()]).toEqual([200, 'ok'])
  }
})

it('the app is not ready without its database', async () => {
  const database = await freshDatabase('postgres')
  expect(await answersInTime(database.db, systemClock)).toBe(true)
  await database.close()
  expect(await answersInTime(database.db, systemClock)).toBe(false)
})

it('requests to /readyz share one check while it runs and for a second', async () => {
  const clock = handClock()
  const answers: ((isReady: boolean) => void)[] = []
  const check = () => new Promise<boolean>((resolve) => answers.push(resolve))
  const isReady = createReadiness(check, clock)
  const asked = [isReady(), isReady()]
  clock.advance(3000)
  asked.push(isReady())
  expect(answers.length).toBe(1)
  answers[0]?.(true)
  expect(await Promise.all(asked)).toEqual([true, true, true])
  clock.advance(999)
  expect(await isReady()).toBe(true)
  expect(answers.length).toBe(1)
  clock.advance(1)
  const next = isReady()
  answers[1]?.(false)
  expect(await next).toBe(false)
})

it('/metrics requires the token', async () => {
  expect((await get('/metrics')).status).toBe(401)
  expect((await get('/metrics', 'Bearer a-token-for-metricz')).status).toBe(401)
  const answer = await get('/metrics', `Bearer ${token}`)
  expect(answer.status).toBe(200)
  expect(answer.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/)
  expect(await answer.text()).toMatch(/^bot_database_up 1$/m)
})

it('/metrics does not exist without a configured token', async () => {
  expect((await fetch(`${other.url}/app/metrics`)).status).toBe(404)
})

it('a server is reached only at the address that it listens at', async () => {
  const server = await listen({ host: '127.0.0.1', port: 0 }, async (_, res) => end(res, 200), silentLog)
  const { port } = z.object({ port: z.int() }).parse(server.address())
  expect((await fetch(`http://127.0.0.1:${port}/`)).status).toBe(200)
  await expect(fetch(`http://127.0.0.2:${port}/`)).rejects.toThrow('fetch failed')
  await closeServer(server, systemClock)
})
