// Callbacks of the local gateway: when they are sent, with what content, and how they are retried.

import { once } from 'node:events'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { videoDream } from '../../../src/catalog/video-dream.ts'
import { bodyOf, eachModel, mostResults, openRichGateway, saying } from '../../support/gateway/contract.ts'
import {
  clock,
  closing,
  openGateway,
  openNewGateway,
  receiver,
  removeGateway,
  type Sandbox,
  waits,
} from '../../support/gateway/local-gateway.ts'

let sandbox: Sandbox

beforeEach(async () => {
  sandbox = await openNewGateway()
})

afterEach(() => removeGateway(sandbox))

describe('callbacks', () => {
  it('are sent by each model as often as documented, with the content of a poll', async () => {
    const answered = z.looseObject({
      status: z.string(),
      data: z.array(z.object({ url: z.url() })).optional(),
    })
    const rich = await openRichGateway()
    for (const [, model] of eachModel) {
      const field = model.callbackPath
      if (field === undefined) continue
      await using there = closing(await receiver())
      const told = async () => answered.parse(JSON.parse(String((await there.next()).body)))
      const begun = async (body: object) => {
        const id = await rich.order(model, { ...body, [field]: there.url })
        clock.advance(2000)
        if (field === 'callback_url') {
          expect((await told()).status).toBe('dreaming')
          // The gateway has to read the answer to this call before its time limit passes.
          await rich.look(id)
        }
        clock.advance(60_000)
        return answered.parse(await rich.look(id))
      }
      const { body, answers } = mostResults(model)
      const poll = await begun(body)
      const each = (poll.data ?? []).map((one) => ({ ...poll, data: [one] }))
      const expected = field === 'webhookURL' ? each : [poll]
      const calls: unknown[] = []
      while (calls.length < expected.length) calls.push(await told())
      expect(calls).toEqual(expect.arrayContaining(expected))
      // Calls are read in order, so an extra one would be read in place of the next.
      const failed = await begun(bodyOf(model, saying(model, 'a cat [fail]', answers)))
      expect(await told()).toEqual(failed)
    }
    await removeGateway(rich)
  })

  it('are sent up to four times, 100 ms apart, until the answer is 200', async () => {
    let calls = 0
    await using deaf = closing(
      await receiver(() => {
        calls += 1
        return 204
      }),
    )
    let pause = once(waits, '100')
    await sandbox.finished({ webhookURL: deaf.url })
    for (let n = 1; n < 4; n += 1) {
      await deaf.next()
      await pause
      expect(calls).toBe(n)
      pause = once(waits, '100')
      clock.advance(100)
    }
    await deaf.next()
    await using there = closing(await receiver())
    await sandbox.finished({ webhookURL: there.url })
    await there.next()
    clock.advance(100)
    await sandbox.account()
    expect(calls).toBe(4)
  })

  describe('of Dream', () => {
    const order = (url: string, prompt = 'a cat') => ({ model: videoDream.id, prompt, callback_url: url })

    it('report the beginning only once, also after a restart of the sandbox', async () => {
      await using there = closing(await receiver())
      await sandbox.ordered(order(there.url))
      clock.advance(2000)
      expect((await there.nextTask()).status).toBe('dreaming')
      await sandbox.close()
      sandbox = await openGateway(sandbox.folder)
      clock.advance(15_000)
      expect((await there.nextTask()).status).toBe('completed')
    })
  })

  it('can be lost, repeated, delayed and replaced with garbage by faults', async () => {
    await using there = closing(await receiver())
    const webhookURL = there.url
    sandbox.fault('callback', { kind: 'cut', after: false })
    await sandbox.finished({ webhookURL })
    sandbox.fault('callback', { kind: 'twice' })
    const doubled = await sandbox.finished({ webhookURL })
    expect([(await there.nextTask()).id, (await there.nextTask()).id]).toEqual([doubled.id, doubled.id])
    sandbox.fault('callback', { kind: 'hang', ms: 123_456 })
    const late = once(waits, '123456')
    const { id } = await sandbox.finished({ webhookURL })
    await late
    sandbox.fault('callback', { kind: 'garbage', body: 'meow' })
    await sandbox.finished({ webhookURL })
    expect(String((await there.next()).body)).toBe('meow')
    clock.advance(123_456)
    expect((await there.nextTask()).id).toBe(id)
  })
})
