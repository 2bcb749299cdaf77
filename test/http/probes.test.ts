// Probes of a supervisor: liveness, readiness and metrics.

import { afterAll, beforeAll, expect, it } from 'vitest'
import { answersInTime } from '../../src/db/client.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { freshDatabase } from '../support/database/database.ts'
import { openSandbox, type TestSandbox } from '../support/users/sandbox.ts'

const token = 'a-token-for-metrics'
let sandbox: TestSandbox
beforeAll(async () => {
  sandbox = await openSandbox('postgres', { METRICS_TOKEN: token })
})
afterAll(() => sandbox.stop())

const get = (path: string, authorization?: string) =>
  fetch(`${sandbox.url}/app${path}`, { headers: authorization ? { authorization } : {} })

it.each(['/healthz', '/readyz'])('%s answers 200', async (path) => {
  const answer = await get(path)
  expect([answer.status, await answer.text()]).toEqual([200, 'ok'])
})

it('the app is not ready without its database', async () => {
  const database = await freshDatabase('postgres')
  expect(await answersInTime(database.db, systemClock)).toBe(true)
  await database.close()
  expect(await answersInTime(database.db, systemClock)).toBe(false)
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
  const other = await openSandbox('postgres')
  expect((await fetch(`${other.url}/app/metrics`)).status).toBe(404)
  await other.stop()
})
