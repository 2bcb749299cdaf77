// Callbacks of the gateway: tokens, accepted formats, database failures, and the cost of floods.

import type { AddressInfo } from 'node:net'
import { asc } from 'drizzle-orm'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { openDatabase } from '../../src/db/client.ts'
import { generations, taskCandidates } from '../../src/db/schema.ts'
import { end } from '../../src/http/request.ts'
import { type CallbackDeps, callbackPath, createCallbackRoutes, type Handle } from '../../src/http/routes.ts'
import { closeServer, listen } from '../../src/http/server.ts'
import { createCallbackTokens } from '../../src/orders/callback.ts'
import type { Generation } from '../../src/orders/generation.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { randomIds } from '../../src/runtime/ids.ts'
import { silentLog } from '../../src/runtime/log.ts'
import { openRelay } from '../support/database/relay.ts'
import { observedDatabase } from '../support/database/statements.ts'
import { auditedWorld } from '../support/worlds/audited.ts'
import { cut, finished, json, order, reread, step, userWith } from '../support/worlds/generations.ts'

const second = 1000
const world = await auditedWorld()
const observed = observedDatabase(world.database.url)
const { statements } = observed
let nudges = 0
const servers: Awaited<ReturnType<typeof listen>>[] = []

/** Starts a separate process. @returns its address */
async function serve(deps: Partial<CallbackDeps> = {}): Promise<string> {
  const callbackAt = createCallbackRoutes({
    ...world.deps,
    db: observed.db,
    tracker: {
      nudge() {
        nudges += 1
      },
    },
    ...deps,
  })
  const handle: Handle = async (req, res, path) => {
    const route = callbackAt(path)
    if (route) await route(req, res)
    else end(res, 418)
  }
  const server = await listen({ host: '127.0.0.1', port: 0 }, handle, silentLog)
  servers.push(server)
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

let url = await serve()
afterEach(async () => {
  world.clock.advance(10 * second)
  statements.length = 0
  nudges = 0
  url = await serve()
})
afterAll(async () => {
  await Promise.all(servers.map((server) => closeServer(server, systemClock)))
  await observed.close()
})

const call = async (token: string, body: unknown = {}, at = url): Promise<number> => {
  const answer = await fetch(at + callbackPath(token), { method: 'POST', body: JSON.stringify(body) })
  await answer.text()
  return answer.status
}

const ordered = async () => order(world, await userWith(world, 500_00n))
async function unknown(): Promise<Generation> {
  const generation = await ordered()
  world.gatewayAnswers(cut)
  await step(world, { of: ['orders'] })
  return generation
}
async function running(): Promise<Generation> {
  const generation = await ordered()
  world.gatewayAnswers(json(202, { id: `task-${generation.id}`, status: 'queued' }))
  await step(world, { of: ['orders'] })
  return generation
}
async function settled(): Promise<Generation> {
  const generation = await running()
  world.clock.advance(3 * second)
  world.gatewayAnswers(finished)
  await step(world)
  await step(world)
  return generation
}

/** All rows that a callback could change. */
async function everything() {
  const { db } = world.deps
  return {
    generations: await db.select().from(generations).orderBy(asc(generations.id)),
    candidates: await db.select().from(taskCandidates).orderBy(asc(taskCandidates.taskId)),
  }
}
const without = (all: Awaited<ReturnType<typeof everything>>, { id }: Generation) => ({
  generations: all.generations.filter((one) => one.id !== id),
  candidates: all.candidates.filter((one) => one.generationId !== id),
})

describe('a token', () => {
  it('affects only its own order', async () => {
    const ended = [await settled(), await settled()] as const
    const orders = { settled: ended[0], unknown: await unknown(), running: await running() }
    const others = [ended[1], await unknown(), await running(), await ordered()]
    for (const [state, generation] of Object.entries(orders)) {
      const before = await everything()
      expect(await call(generation.callbackToken, { id: `named-for-${state}` })).toBe(200)
      const after = await everything()
      expect(without(after, generation)).toEqual(without(before, generation))
      for (const { callbackToken } of others) expect(callbackToken).not.toBe(generation.callbackToken)
    }
    const { candidates } = await everything()
    expect(candidates).toMatchObject([
      { generationId: orders.unknown.id, taskId: 'named-for-unknown', toldAt: world.clock.now() },
    ])
    expect(await reread(world, orders.running)).toMatchObject({
      callbackAt: world.clock.now(),
      nextCheckAt: world.clock.now(),
    })
  })

  it('of nobody, of another installation or without an order is unknown and changes nothing', async () => {
    await unknown()
    await running()
    const before = await everything()
    const others = [
      createCallbackTokens('another-bot-token', randomIds).make(),
      world.deps.callbackTokens.make(),
    ]
    for (const token of ['x'.repeat(32), ...others])
      expect(await call(token, { id: 'task-of-somebody' })).toBe(404)
    expect(await everything()).toEqual(before)
    expect(nudges).toBe(0)
  })

  it('of another length or alphabet is not an address of callbacks', async () => {
    for (const token of ['', 'short', 'x'.repeat(31), 'x'.repeat(33), `${'x'.repeat(31)}%`])
      expect(await call(token), token).toBe(418)
  })
})

describe('a callback', () => {
  it('is accepted by POST with JSON, a form or a query, and by GET with a query', async () => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const formats: readonly (readonly [string, RequestInit])[] = [
      ['', { method: 'POST', body: '{"data": {"task": {"id": "ID"}}}' }],
      ['', { method: 'POST', body: 'task_id=ID&status=completed', headers }],
      ['?task_id=ID', { method: 'POST' }],
      ['?task_id=ID&status=completed', {}],
    ]
    for (const [at, [query, init]] of formats.entries()) {
      const taskId = `task-${at}`
      const generation = await unknown()
      const body = init.body === undefined ? {} : { body: String(init.body).replace('ID', taskId) }
      const to = url + callbackPath(generation.callbackToken) + query.replace('ID', taskId)
      const answer = await fetch(to, { ...init, ...body })
      expect([answer.status, await answer.text(), nudges]).toEqual([200, 'ok', at + 1])
      world.gatewayAnswers(finished)
      await step(world, { of: ['orders'] })
      expect(await reread(world, generation)).toMatchObject({ state: 'succeeded', taskId })
    }
  })

  it('without a body, with nonsense or with too much it only triggers a poll', async () => {
    for (const body of ['', '<html>{"id": ', JSON.stringify({ id: 'task-1', more: 'x'.repeat(65 * 1024) })]) {
      const generation = await running()
      const answer = await fetch(url + callbackPath(generation.callbackToken), { method: 'POST', body })
      expect(answer.status).toBe(200)
      expect(await reread(world, generation)).toMatchObject({ nextCheckAt: world.clock.now() })
    }
  })

  it('gets a 5xx while the database fails, so that the gateway repeats it, and is then received', async () => {
    const generation = await unknown()
    const relay = await openRelay(new URL(world.database.url))
    const behind = await openDatabase(relay.url, { clock: world.clock })
    const at = await serve({ db: behind.db })
    relay.cutAll()
    expect(await call(generation.callbackToken, { id: 'task-1' }, at)).toBe(500)
    relay.heal()
    world.clock.advance(second)
    await new Promise(setImmediate)
    expect(await call(generation.callbackToken, { id: 'task-1' }, at)).toBe(200)
    const { candidates } = await everything()
    expect(candidates.filter(({ generationId }) => generationId === generation.id)).toHaveLength(1)
    await behind.close()
    relay.close()
  })
})

it('a flood of unknown tokens causes no statement, and blocks no callback for an order, whose token is signed', async () => {
  const { callbackToken } = await running()
  statements.length = 0
  const named = { id: 'task-1', data: { id: 'task-2' } }
  const made = Array.from({ length: 40 }, () => randomIds.secret())
  const statuses = await Promise.all(made.map((token) => call(token, named)))
  expect(new Set(statuses)).toEqual(new Set([404]))
  expect(statements).toEqual([])
  expect(await call(callbackToken)).toBe(200)
})
