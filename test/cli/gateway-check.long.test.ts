// `npm run gateway-check` against a scripted gateway: its requests, its output and its exit code. It pays only on request and never
// prints the key.

import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { models } from '../../src/catalog/index.ts'
import { type Answer, json } from '../support/gateway/answering.ts'
import { run } from '../support/runtime/child.ts'

const key = 'sk-check-secret-key'
const requests: { line: string; key: string; body: string }[] = []
const answers: Record<string, Answer[]> = {}
let server: Server
let folder: string

const denied = json(401, { error: { message: 'unknown key' } })
const noTask = json(404, { error: { message: `no task for ${key}` } })
const concepts = json(200, { data: [{ key: 'pan', name: 'Pan' }, { key: 'tilt' }] })

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'gateway-check-'))
  server = createServer(async (req, res) => {
    const chunks: Buffer[] = []
    for await (const chunk of req) chunks.push(chunk)
    const line = `${req.method} ${req.url}`
    const sent = req.headers.authorization ?? ''
    requests.push({ line, key: sent, body: Buffer.concat(chunks).toString() })
    const script = answers[line] ?? []
    const next = script.length > 1 ? script.shift() : script[0]
    if (sent !== `Bearer ${key}`) return denied(req, res)
    return next ? next(req, res) : json(404, { error: 'no such path' })(req, res)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
})
beforeEach(() => {
  requests.length = 0
  for (const line of Object.keys(answers)) delete answers[line]
  answers['GET /v1/tasks/doctor'] = [noTask]
  answers['GET /v1/generations/concepts/list'] = [concepts]
})
afterAll(async () => {
  rmSync(folder, { recursive: true })
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})

async function check(args: string[] = [], env: Record<string, string> = {}, input = '') {
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const settings = { GATEWAY_URL: url, GATEWAY_KEY: key, POLL_INTERVAL_MS: '50', ...env }
  const ended = await run('src/cli/gateway-check.ts', settings, args, input)
  expect(ended.output + ended.complaints).not.toContain(key)
  return { ...ended, lines: ended.output.split('\n') }
}

/** Writes a catalog file that offers only this model, at a path of its own. @returns the setting of the file */
function only(id: string, settings: object = {}): Record<string, string> {
  const off = models.filter((model) => model.id !== id).map((model) => [model.id, { enabled: false }])
  const path = join(folder, 'catalog.json')
  const own = { gatewayId: 'real-id', path: '/v1/own', multiplier: '2', ...settings }
  writeFileSync(path, JSON.stringify({ ...Object.fromEntries(off), [id]: own }))
  return { CATALOG_FILE: path }
}
const offeredLine =
  'note   MODEL-IMAGE-DESIGN as real-id, POST /v1/own, costs 5,28 ₽, sold for 10,56 ₽; id and path not checked'

describe('gateway-check without --spend', () => {
  it('prints the answers and the price of each model', async () => {
    const { code, lines, complaints } = await check([], only('MODEL-IMAGE-DESIGN'))
    expect({ code, complaints }).toEqual({ code: 0, complaints: '' })
    expect(lines).toEqual([
      '       read task: HTTP 404, application/json, {error: {message: string}}',
      '       read task: HTTP 401, application/json, {error: {message: string}}',
      expect.stringMatching(/^ok {5}http:\/\/127\.0\.0\.1:\d+ answers$/),
      'ok     the key is accepted',
      '       list concepts: HTTP 200, application/json, {data: [2 x {key: string, name: string}]}',
      'ok     2 concepts: pan, tilt',
      '       read task: HTTP 404, application/json, {error: string}',
      offeredLine,
      'ok     the answer to a wrong key ("key"): as set',
      'ok     the answer about an unknown task ("task"): as set',
      'ok     the list of concepts ("requests.concepts"): as set',
      'note   the creation of a style ("requests.styles"): not seen',
      'note   the fields of a dialogue ("names"): not seen',
      'note   the id of a result ("requests.results.id"): not seen',
      'note   the id that continues a video ("requests.results.continued"): not seen',
      'note   how modes and tools of a text model are asked for: --spend and its id try each mode',
      '',
    ])
    expect(requests.map(({ line }) => line)).toEqual([
      'GET /v1/tasks/doctor',
      'GET /v1/tasks/doctor',
      'GET /v1/generations/concepts/list',
      expect.stringMatching(/^GET \/v1\/tasks\/unknown-\d+$/),
    ])
  })

  it('fails when our key is refused', async () => {
    answers['GET /v1/tasks/doctor'] = [json(403, {})]
    const told = expect.stringContaining('refuses the key (read task: ')
    expect(await check()).toMatchObject({ code: 1, output: told })
  })
})

describe('gateway-check with --spend', () => {
  const running = (status: string, more = {}) => json(200, { id: 'task-1', status, ...more })
  const done = running('completed', { data: [{ url: `https://cdn.example/1.png?sign=${key}` }] })
  const spending = (...args: string[]) => check(['--spend', ...args], only('MODEL-IMAGE-DESIGN'))

  it('orders once and polls the task until it ends, through temporary errors', async () => {
    answers['POST /v1/own'] = [json(202, { id: 'task-1', status: 'queued' })]
    answers['GET /v1/tasks/task-1'] = [running('queued'), json(503, {}), running('processing'), done]
    const { code, output } = await spending('--yes')
    expect(code).toBe(0)
    expect(output).toContain('note   spending 5,28 ₽ on MODEL-IMAGE-DESIGN\n       POST /v1/own {"')
    expect(output).toContain(
      '       create task: HTTP 202, application/json, {"id":"task-1","status":"queued"}\n',
    )
    expect(output).toMatch(/ok {5}a link: https:\/\/cdn\.example\/1\.png\n$/)
    const orders = requests.filter(({ line }) => line.startsWith('POST'))
    expect(orders.map(({ body }) => JSON.parse(body))).toEqual([
      expect.objectContaining({ model: 'real-id' }),
    ])
    expect(requests.filter(({ line }) => line.endsWith('task-1'))).toHaveLength(4)
  })

  it('fails when the order is refused, and when the task fails', async () => {
    const refused = json(400, { error: `no size for ${key}` })
    const failed = running('failed', { error: 'policy' })
    for (const [created, polled, told] of [
      [refused, done, 'FAILED create task: refused with 400: no size for ***'],
      [json(202, { id: 'task-1' }), failed, 'FAILED the task is failed: policy'],
    ] as const) {
      requests.length = 0
      answers['POST /v1/own'] = [created]
      answers['GET /v1/tasks/task-1'] = [polled]
      const { code, output } = await spending('MODEL-IMAGE-DESIGN', '--yes')
      expect([code, output]).toEqual([1, expect.stringContaining(told)])
      expect(requests.filter(({ line }) => line.startsWith('POST'))).toHaveLength(1)
    }
  })

  it('orders nothing without a yes to the price', async () => {
    const { output } = await spending()
    expect(output).toContain('nothing was ordered: MODEL-IMAGE-DESIGN would have cost 5,28 ₽')
    expect(requests.filter(({ line }) => line.startsWith('POST'))).toEqual([])
  })

  it('orders after a yes, and takes a file in the answer', async () => {
    const png = Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.alloc(92)])
    answers['POST /v1/own'] = [json(200, { data: [{ b64_json: png.toString('base64') }] })]
    const ended = await check(['--spend'], only('MODEL-IMAGE-DESIGN'), 'yes\n')
    expect([ended.code, ended.output]).toEqual([0, expect.stringContaining('Type yes: ')])
    expect(ended.output).toMatch(/ok {5}100 bytes of image\/png\n$/)
  })
})
