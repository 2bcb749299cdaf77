// The local gateway under scripted faults.

import { once } from 'node:events'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  clock,
  endpoint,
  errorSchema,
  openNewGateway,
  removeGateway,
  type Sandbox,
  waits,
} from '../../support/gateway/local-gateway.ts'

let sandbox: Sandbox

beforeEach(async () => {
  sandbox = await openNewGateway()
})

afterEach(() => removeGateway(sandbox))

describe('a scripted fault', () => {
  it('of the kind error creates no task, and its answer has retry-after', async () => {
    sandbox.fault('create', { kind: 'error', status: 429, retryAfter: 7 })
    const answer = await sandbox.create()
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([429, '7'])
    expect(errorSchema.parse(await answer.json()).error.type).toBe('rate_limit_error')
    sandbox.fault('poll', { kind: 'error', status: 503, description: 'busy' })
    expect((await sandbox.call('/gateway/v1/tasks/x')).status).toBe(503)
    expect((await sandbox.account()).tasks).toEqual([])
  })

  it('of the kind cut creates no task before the work, and a task without an answer after it', async () => {
    sandbox.fault('create', { kind: 'cut', after: false })
    await expect(sandbox.create()).rejects.toThrow()
    expect((await sandbox.account()).tasks).toEqual([])
    sandbox.fault('create', { kind: 'cut', after: true })
    await expect(sandbox.create()).rejects.toThrow()
    expect(await sandbox.account()).toMatchObject({
      tasks: [{}],
      requests: [{ status: null }, { status: null }],
    })
  })

  it('of the kind hang delays a reading, and prevents a creation', async () => {
    const { id } = await sandbox.created()
    sandbox.fault('poll', { kind: 'hang', ms: 777 })
    const held = once(waits, '777')
    const reading = sandbox.poll(id)
    await held
    clock.advance(777)
    expect((await reading).id).toBe(id)
    sandbox.fault('create', { kind: 'hang', ms: 888 })
    const heldUp = once(waits, '888')
    const answering = sandbox.create()
    await heldUp
    clock.advance(888)
    expect((await answering).status).toBe(504)
    sandbox.fault('create', { kind: 'hang' })
    const hasGivenUp = new AbortController()
    const taken = once(waits, 'fault')
    const creating = sandbox.post(endpoint, {}, hasGivenUp.signal)
    await taken
    hasGivenUp.abort()
    await expect(creating).rejects.toThrow()
    expect((await sandbox.account()).tasks).toHaveLength(1)
  })

  it('of the kind redirect leads to the file, or to another address', async () => {
    const [{ url } = { url: '' }] = (await sandbox.finished()).data ?? []
    for (let hop = 0; hop < 2; hop += 1) sandbox.fault('cdn', { kind: 'redirect', status: 307 })
    const first = await fetch(url, { redirect: 'manual' })
    expect([first.status, first.headers.get('location')]).toEqual([307, '?again'])
    const last = await fetch(url)
    expect([last.status, last.redirected, last.headers.get('content-type')]).toEqual([200, true, 'video/mp4'])
    sandbox.fault('cdn', { kind: 'redirect', status: 302, to: 'http://10.0.0.1/' })
    expect((await fetch(url, { redirect: 'manual' })).headers.get('location')).toBe('http://10.0.0.1/')
  })
})
