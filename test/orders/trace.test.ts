// The trace of one order in the log and in the requests to the gateway.

import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { createLog, traceparent, within } from '../../src/runtime/log.ts'
import { openSandbox, type TestSandbox } from '../support/users/sandbox.ts'

type Line = Record<string, unknown> & { msg: string }

let lines: Line[] = []
let sandbox: TestSandbox
beforeAll(async () => {
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    if (typeof text === 'string' && text.startsWith('{')) lines.push(JSON.parse(text))
    return true
  })
  sandbox = await openSandbox('postgres', { WELCOME_CREDIT: '500' }, 40, createLog('debug'))
})
afterAll(async () => {
  await sandbox.stop()
  vi.restoreAllMocks()
})
beforeEach(() => {
  lines = []
})

const lineOf = (event: string) => lines.find(({ msg }) => msg === event)

it('the trace is in every log line of its work, with the subject, and in no other line; it is that of its order', async () => {
  const log = createLog('info')
  log.info({}, 'before')
  const begun = within({ update: 7 }, async () => {
    await Promise.resolve()
    log.info({ more: 1 }, 'inside')
  })
  log.info({}, 'beside')
  await begun
  const trace = expect.stringMatching(/^[0-9a-f]{32}$/)
  expect(lineOf('inside')).toMatchObject({ update: 7, trace, more: 1 })
  for (const event of ['before', 'beside']) expect(Object.keys(lineOf(event) ?? {})).not.toContain('trace')
  const of = (generation: string) => within({ generation }, traceparent)
  expect(of('a')).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/)
  expect(of('a')).toBe(of('a'))
  expect(of('a')).not.toBe(of('b'))
  expect(traceparent()).toBeUndefined()
})

it('the log shows each step of an order, from the tap to the delivery, under its user, its id and its trace, which the gateway gets', async () => {
  const carl = await sandbox.user('Carl')
  await carl.sends('/image a dog')
  await carl.taps(/^Generate/)
  await carl.sees((message) => message.photo !== undefined)
  await expect.poll(() => lineOf('delivery ended')).toBeDefined()
  const { generation, user, update } = lineOf('confirmed') ?? expect.unreachable('it was not logged')
  const events = (field: string, value: unknown) =>
    lines.filter((line) => line[field] === value).map(({ msg }) => msg)
  const path = [
    'confirmed',
    'step begins',
    'submitted',
    'task read',
    'settled',
    'delivery ended',
    'step ended',
  ]
  expect(user).toMatch(/^\d+$/)
  expect(events('generation', generation)).toEqual(expect.arrayContaining(path))
  expect(events('user', user)).toEqual(expect.arrayContaining(path))
  const ofUpdate = ['update begins', 'user recognised', 'confirmed', 'update ended']
  expect(events('update', update)).toEqual(expect.arrayContaining(ofUpdate))
  const steps = lines.filter(({ msg, generation: its }) => msg === 'step begins' && its === generation)
  // The task id is logged as well: the gateway's operator finds the order by it.
  const { task, trace } = lineOf('submitted') ?? expect.unreachable('it was not logged')
  const found = steps.map(({ state, task: its }) => `${state} ${its === task}`)
  expect(found).toEqual(expect.arrayContaining(['held false', 'running true', 'succeeded true']))
  for (const event of ['submitted', 'settled', 'delivery ended'])
    expect(lineOf(event), event).toMatchObject({ generation, trace })
  interface Asked {
    requests: { path: string; trace?: string }[]
  }
  const { requests } = await sandbox.get<Asked>('/api/gateway/account')
  const ofTasks = requests.filter(({ path }) => !path.startsWith('/cdn/'))
  expect(ofTasks.length).toBeGreaterThan(1)
  expect(ofTasks.filter((one) => one.trace !== trace)).toEqual([])
})
