// Streams of the local gateway: their charges and scripted faults.

import { once } from 'node:events'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { pieceMs } from '../../../src/sandbox/gateway/text/formats.ts'
import { clock, openGateway, removeGateway, waits } from '../../support/gateway/local-gateway.ts'
import {
  chat,
  eventsIn,
  flow,
  messages,
  openTextGateway,
  responses,
  stopFlow,
  type TextSandbox,
  user,
} from '../../support/gateway/text-gateway.ts'

let sandbox: TextSandbox
beforeEach(async () => {
  flow()
  sandbox = await openTextGateway()
})
afterEach(async () => {
  stopFlow()
  await removeGateway(sandbox)
})

const order = { model: 'TEXT-GPT', messages: [user('tea [long]')], stream: true }

/** Reads the body of an answer piece by piece. */
async function reading(answer: Promise<Response>) {
  const { body } = await answer
  if (!body) throw new Error('no body')
  const reader = body.pipeThrough(new TextDecoderStream()).getReader()
  let read = ''
  return {
    read: () => read,
    cancel: () => reader.cancel(),
    async until(enough: () => boolean) {
      while (!enough()) {
        const { value, done } = await reader.read()
        if (done) return
        read += value
      }
    },
    rest() {
      return this.until(() => false)
    },
  }
}

const count = (text: string) => eventsIn(text).length

describe('the charge for a stream', () => {
  it('that is abandoned covers the sent part, and survives a restart', async () => {
    await (await sandbox.ask(chat, order)).text()
    const whole = (await sandbox.account()).charged
    stopFlow()
    const waiting = once(waits, String(pieceMs))
    const stream = await reading(sandbox.ask(chat, order))
    await waiting
    for (let pieces = 1; pieces < 80; pieces += 1) {
      const next = once(waits, String(pieceMs))
      clock.advance(pieceMs)
      await next
    }
    await stream.cancel()
    await sandbox.close()
    const again = await openGateway(sandbox.folder)
    sandbox = { ...sandbox, ...again }
    const { charged } = await again.account()
    expect(charged).toBeGreaterThan(whole + 30)
    expect(charged).toBeLessThan(1.5 * whole)
  })
})

describe('a scripted fault', () => {
  const operations = [
    ['chat', chat, order],
    ['messages', messages, { ...order, model: 'TEXT-ASSISTANT', max_tokens: 5000 }],
    ['responses', responses, { model: 'TEXT-GPT', input: 'tea [long]', stream: true }],
  ] as const

  it('can cut a stream of each operation in the middle, which charges the sent part', async () => {
    for (const [operation, path, body] of operations) {
      const before = (await sandbox.account()).charged
      const whole = count(await (await sandbox.ask(path, body)).text())
      const price = (await sandbox.account()).charged - before
      sandbox.fault(operation, { kind: 'cut', after: true })
      const stream = await reading(sandbox.ask(path, body))
      await expect(stream.rest()).rejects.toThrow()
      expect(Math.abs(count(stream.read()) - whole / 2)).toBeLessThan(10)
      const spent = (await sandbox.account()).charged - before - price
      expect(Math.abs(spent / price - 0.5)).toBeLessThan(0.1)
    }
  })

  it('can pause a stream of each operation in the middle for ever', async () => {
    for (const [operation, path, body] of operations) {
      const whole = count(await (await sandbox.ask(path, body)).text())
      sandbox.fault(operation, { kind: 'hang' })
      const paused = await reading(sandbox.ask(path, body))
      await paused.until(() => count(paused.read()) >= Math.ceil(whole / 2))
      expect(count(paused.read())).toBe(Math.ceil(whole / 2))
      await paused.cancel()
    }
  })

  it.each([
    [{ kind: 'error', status: 429, retryAfter: 3 }, 429],
    [{ kind: 'garbage' }, 200],
  ] as const)('%j takes effect before anything is sent, without a charge', async (fault, status) => {
    sandbox.fault('chat', fault)
    const answer = await sandbox.ask(chat, order)
    expect(answer.status).toBe(status)
    expect(answer.headers.get('content-type')).not.toContain('event-stream')
    expect((await sandbox.account()).charged).toBe(0)
  })

  it('can cut a whole answer after it was charged', async () => {
    sandbox.fault('native', { kind: 'cut', after: true })
    const contents = [{ role: 'user', parts: [{ text: 'tea' }] }]
    const body = { model: 'TEXT-GEMINI', contents }
    await expect(sandbox.ask('/v1/gemini/generateContent', body)).rejects.toThrow()
    expect((await sandbox.account()).charged).toBeGreaterThan(0)
  })
})
