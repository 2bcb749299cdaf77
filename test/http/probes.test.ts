// What a supervisor and Prometheus read: liveness, readiness, and metrics, of which the dashboard and the alerts use only existing ones.
// Also the address at which the server listens.

import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { z } from 'zod'
import { answersInTime } from '../../src/db/client.ts'
import { lastRuns } from '../../src/db/schema.ts'
import { GatewayOutOfBalance, GatewayRefused } from '../../src/gateway/errors.ts'
import { createProbes, createReadiness } from '../../src/http/routes.ts'
import { closeServer, listen } from '../../src/http/server.ts'
import { createMetrics, type Figures } from '../../src/metrics.ts'
import { createGauges } from '../../src/operator/gauges.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { silentLog } from '../../src/runtime/log.ts'
import { freshDatabase } from '../support/database/database.ts'
import { startAnswering } from '../support/gateway/answering.ts'
import { metricNamesIn, readAlerts, readDashboard } from '../support/project/ops-files.ts'
import { handClock } from '../support/runtime/clock.ts'
import {
  createWorld,
  finished,
  type GenerationWorld,
  json,
  order,
  step,
  taskCreated,
  userWith,
} from '../support/worlds/generations.ts'

/** The lines of one metric, without those that have not been incremented. */
const linesOf = (text: string, name: string) =>
  text.split('\n').filter((line) => line.startsWith(name) && !line.endsWith(' 0'))

describe('counters', () => {
  it('count orders by model and ending, and measure their duration', async () => {
    const { orders, render } = createMetrics()
    orders.confirmed('MODEL-VIDEO-REEL')
    orders.settled('MODEL-VIDEO-REEL', 'succeeded', 17_000)
    orders.settled('MODEL-VIDEO-REEL', 'lost', 600_000)
    orders.delivered('later', 1000)
    orders.delivered('delivered', 3000)
    orders.looked('processing')
    orders.calledBack(true)
    orders.calledBack(false)
    const text = await render()
    for (const line of [
      'bot_orders_confirmed_total{model="MODEL-VIDEO-REEL"} 1',
      'bot_generations_settled_total{model="MODEL-VIDEO-REEL",ending="succeeded"} 1',
      'bot_generations_settled_total{model="MODEL-VIDEO-REEL",ending="lost"} 1',
      'bot_settle_seconds_bucket{le="20",model="MODEL-VIDEO-REEL"} 1',
      'bot_settle_seconds_sum{model="MODEL-VIDEO-REEL"} 617',
      'bot_deliveries_total{outcome="later"} 1',
      'bot_deliver_seconds_count 1',
      'bot_looks_total{status="processing"} 1',
      'bot_callbacks_total{known="yes"} 1',
      'bot_callbacks_total{known="no"} 1',
    ])
      expect(text.split('\n')).toContain(line)
  })

  it('exist with 0 for each label value, so that alerts see the first increments', async () => {
    const values = {
      models: ['MODEL-MUSIC'],
      endings: ['succeeded', 'lost'],
      textModels: ['gpt'],
      operations: ['create'],
    }
    const lines = (await createMetrics({ values }).render()).split('\n')
    for (const line of [
      'bot_orders_confirmed_total{model="MODEL-MUSIC"} 0',
      'bot_generations_settled_total{model="MODEL-MUSIC",ending="lost"} 0',
      'bot_lost_results_total{model="MODEL-MUSIC"} 0',
      'bot_deliveries_total{outcome="undeliverable"} 0',
      'bot_answers_total{model="gpt",ending="refused"} 0',
      'bot_gateway_requests_total{operation="create",outcome="malformed"} 0',
      'bot_telegram_calls_total{method="sendMessage",code="429"} 0',
    ])
      expect(lines).toContain(line)
  })

  it('keep only the method from the URL of a call to Telegram', async () => {
    const { telegram, render } = createMetrics()
    const root = 'https://api.telegram.org'
    telegram.called(`${root}/bot4242:secret/sendMessage`, 200, 100)
    telegram.called(new URL(`${root}/bot4242:secret/getUpdates`), 200, 30_000)
    telegram.called(`${root}/bot4242:secret/sendVideo`, undefined, 60_000)
    telegram.called(`${root}/bot4242:secret/`, 404, 10)
    const text = await render()
    expect(linesOf(text, 'bot_telegram_calls_total')).toEqual([
      'bot_telegram_calls_total{method="getUpdates",code="200"} 1',
      'bot_telegram_calls_total{method="sendMessage",code="200"} 1',
      'bot_telegram_calls_total{method="sendVideo",code="none"} 1',
      'bot_telegram_calls_total{method="other",code="404"} 1',
    ])
    expect(text).toContain('bot_telegram_seconds_count 3')
    expect(text).not.toMatch(/4242|secret/)
  })
})

it('the outcome and the duration of each request to the gateway are counted', async () => {
  const clock = handClock()
  const server = await startAnswering()
  onTestFinished(() => server.close())
  const answers = [json(200, { status: 'queued' }), json(404, {}), json(402, {})]
  server.answer((req, res) => {
    clock.advance(2000)
    answers.shift()?.(req, res)
  })
  const { gateway, render } = createMetrics()
  const client = server.client({ measure: { clock, asked: gateway.asked } })
  expect(await client.readTask('t')).toMatchObject({ status: 'queued' })
  await expect(client.readTask('bad')).rejects.toBeInstanceOf(GatewayRefused)
  const cut = client.chatStream({ model: 'm', messages: [] })
  await expect(cut.next()).rejects.toBeInstanceOf(GatewayOutOfBalance)
  const text = await render()
  const line = (operation: string, outcome: string) =>
    `bot_gateway_requests_total{operation="${operation}",outcome="${outcome}"} 1`
  expect(linesOf(text, 'bot_gateway_requests_total').toSorted()).toEqual([
    line('chatStream', 'out-of-balance'),
    line('readTask', 'done'),
    line('readTask', 'refused'),
  ])
  expect(text).toContain('bot_gateway_seconds_sum{operation="readTask"} 4')
})

describe('figures of the database', () => {
  let world: GenerationWorld
  beforeAll(async () => {
    world = await createWorld()
  })
  afterAll(() => world.close())

  it('report totals, waiting work and its age', async () => {
    const { deps, clock, gatewayAnswers } = world
    const read = createGauges(deps)
    const user = await userWith(world, 1000_00n)
    await order(world, user)
    gatewayAnswers(taskCreated)
    await step(world)
    gatewayAnswers(finished)
    clock.advance(60_000)
    await step(world)
    await order(world, user)
    await deps.db.execute(
      sql`insert into alarms values ('failures:X', 'x', now()), ('failures:Y', 'y', now())`,
    )
    await deps.db.execute(sql`insert into updates (id, received_at, due_at, done_at) values
      (1, ${clock.now()}::timestamptz, ${clock.now()}::timestamptz, null), (2, now(), now(), now())`)
    await deps.db.insert(lastRuns).values({ name: 'backup', doneAt: clock.now() })
    clock.advance(30_000)
    expect(await read()).toEqual({
      money: { available: 815_10, corrections: -1000_00, held: 92_45, revenue: 92_45 },
      balances: { available: 815_10, held: 92_45 },
      users: 1,
      generations: { held: 1, succeeded: 1 },
      dueSeconds: 30,
      undeliveredSeconds: 30,
      updateSeconds: 30,
      waitingUpdates: 1,
      alarms: { failures: 2 },
      salesStops: {},
      lastRuns: { backup: 30 },
    } satisfies Figures)
  })

  it('are missing while the database is unavailable, which is reported', async () => {
    let isUp = true
    const read = createGauges(world.deps)
    const { render } = createMetrics({
      figures: () => (isUp ? read() : Promise.reject(new Error('gone'))),
    })
    expect(await render()).toMatch(/^bot_database_up 1$/m)
    isUp = false
    const text = await render()
    expect(text).toMatch(/^bot_database_up 0$/m)
    const values = text.split('\n').filter((line) => /^bot_(money|users|alarms|due|balances)/.test(line))
    expect(values).toEqual([])
    isUp = true
    expect(await render()).toMatch(/^bot_users \d+$/m)
  })
})

describe('the monitoring files', () => {
  it('use only existing metrics', async () => {
    const read = async () => Promise.reject(new Error('no database is needed for names'))
    const told = metricNamesIn(await createMetrics({ figures: read, ofProcess: true }).render())
    const asked = [...readDashboard().queries, ...readAlerts().map(({ expr }) => expr)]
    expect(asked.length).toBeGreaterThan(20)
    const names = asked.flatMap((query) => query.match(/\b(bot|nodejs|process)_\w+/g) ?? [])
    expect(names.length).toBeGreaterThan(20)
    expect([...new Set(names)].filter((name) => !told.has(name))).toEqual([])
  })
})

describe('a process', () => {
  /** Answers the probes at an address of its own. */
  async function serve(metricsToken?: string) {
    const figures = async () => Promise.reject(new Error('no database'))
    const metrics = createMetrics({ figures })
    const probes = createProbes({ isReady: async () => metricsToken !== undefined, metrics, metricsToken })
    const server = await listen({ host: '127.0.0.1', port: 0 }, probes, silentLog)
    onTestFinished(() => closeServer(server, systemClock))
    const { port } = z.object({ port: z.int() }).parse(server.address())
    const get = async (path: string, authorization?: string, host = '127.0.0.1') => {
      const headers = authorization ? { authorization } : {}
      const answer = await fetch(`http://${host}:${port}${path}`, { headers })
      return { status: answer.status, type: answer.headers.get('content-type'), text: await answer.text() }
    }
    return get
  }

  it('is alive, says whether it is ready, and is reached only at the address that it listens at', async () => {
    const [ready, other] = [await serve('a-token'), await serve()]
    expect(await ready('/healthz')).toMatchObject({ status: 200, text: 'ok' })
    expect(await ready('/readyz')).toMatchObject({ status: 200, text: 'ok' })
    expect([(await other('/healthz')).status, (await other('/readyz')).status]).toEqual([200, 503])
    expect((await other('/nothing')).status).toBe(404)
    await expect(ready('/healthz', undefined, '127.0.0.2')).rejects.toThrow('fetch failed')
  })

  it('shows its metrics with the token only, and not at all when no token is configured', async () => {
    const [get, other] = [await serve('a-token-for-metrics'), await serve()]
    expect((await get('/metrics')).status).toBe(401)
    expect((await get('/metrics', 'Bearer a-token-for-metricz')).status).toBe(401)
    expect(await get('/metrics', 'Bearer a-token-for-metrics')).toMatchObject({
      status: 200,
      type: expect.stringMatching(/^text\/plain; version=0\.0\.4/),
      text: expect.stringMatching(/^bot_database_up 0$/m),
    })
    expect((await other('/metrics', 'Bearer undefined')).status).toBe(404)
  })

  it('is not ready without its database', async () => {
    const database = await freshDatabase()
    expect(await answersInTime(database.db, systemClock)).toBe(true)
    await database.close()
    expect(await answersInTime(database.db, systemClock)).toBe(false)
  })

  it('makes one check of its readiness for all who ask while it runs and for a second', async () => {
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
})
