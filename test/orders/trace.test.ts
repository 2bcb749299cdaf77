// The trace of one order in the log and in the requests to the gateway.

import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
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

describe('the trace', () => {
  const log = createLog('info')

  it('is in every log line of its work, with the subject, and in no other line', async () => {
    log.info({}, 'before')
    const begun = within({ update: 7 }, async () => {
      await Promise.resolve()
      log.info({ more: 1 }, 'inside')
    })
    log.info({}, 'beside')
    await begun
    expect(lineOf('inside')).toMatchObject({
      update: 7,
      trace: expect.stringMatching(/^[0-9a-f]{32}$/),
      more: 1,
    })
    for (const event of ['before', 'beside']) expect(Object.keys(lineOf(event) ?? {})).not.toContain('trace')
  })

  it('is the same wherever the work on a generation continues, and differs between generations', () => {
    const of = (generation: string) => within({ generation }, traceparent)
    expect(of('a')).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/)
    expect(of('a')).toBe(of('a'))
    expect(of('a')).not.toBe(of('b'))
    expect(traceparent()).toBeUndefined()
  })
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
  expect(events('update', update)).toEqual(
    expect.arrayContaining(['update begins', 'user recognised', 'confirmed', 'update ended']),
  )
  const steps = lines.filter(({ msg, generation: its }) => msg === 'step begins' && its === generation)
  expect(steps.map(({ state }) => state)).toEqual(expect.arrayContaining(['held', 'running', 'succeeded']))
  // The task id is logged as well: the gateway's operator finds the order by it.
  const { task } = lineOf('submitted') ?? expect.unreachable('it was not logged')
  expect(steps.map(({ state, task: its }) => [state, its === task])).toEqual(
    expect.arrayContaining([
      ['held', false],
      ['running', true],
    ]),
  )
  const { trace } = lineOf('submitted') ?? expect.unreachable('it was not logged')
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
