// Worker threads for untrusted bytes: whatever happens in one, the job ends and the caller continues.

import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import { threadId } from 'node:worker_threads'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createGate, type Gate } from '../../src/media/gate.ts'
import { runInThread, runInThreadWithin, warmUp } from '../../src/media/thread.ts'

const script = (text: string) => new URL(`data:text/javascript,${encodeURIComponent(text)}`)
const answering = (text: string) =>
  script(`import { parentPort, threadId } from 'node:worker_threads'
    parentPort.on('message', (bytes) => { ${text} })`)

const ask = async (to: URL, text = 'input', timeoutMs = 30_000) => {
  const answer = await runInThread(to, Buffer.from(text), { timeoutMs })
  return answer && String(answer)
}

type Limits = Parameters<typeof runInThread>[2]

describe('a thread', () => {
  it.each([
    ['never ends', answering('for (;;);'), 300],
    ['never begins', script('for (;;);'), 300],
    ['throws', answering('throw new Error("broken")'), 30_000],
    ['rejects', answering('return Promise.reject(new Error("broken"))'), 30_000],
    ['is broken', script('throw new Error("broken")'), 30_000],
    ['says nothing', script(''), 30_000],
    ['does not exist', new URL('file:///nowhere.js'), 30_000],
    [
      'takes all of the memory',
      answering('for (const all = []; ; ) all.push(new Array(1e6).fill(1.5))'),
      60_000,
    ],
    [
      'takes all of the memory outside of its heap',
      answering('for (const all = []; ; ) all.push(new Uint8Array(1e7).fill(1))'),
      60_000,
    ],
    ['answers with something else than bytes', answering('parentPort.postMessage("text")'), 30_000],
  ])(
    'that %s returns undefined, and the next job gets a new thread',
    async (_, text, timeoutMs) => {
      expect(await ask(text, 'input', timeoutMs)).toBeUndefined()
      expect(await ask(text, 'input', timeoutMs)).toBeUndefined()
    },
    60_000,
  )

  it('is ended when its processor time is used up, and not while it waits', async () => {
    const limits = { timeoutMs: 60_000, cpuMs: 300 }
    const began = performance.now()
    const endless = answering('for (;;);')
    expect(await runInThread(endless, Buffer.from('x'), limits)).toBeUndefined()
    expect(performance.now() - began).toBeLessThan(30_000)
    const waiting = answering('setTimeout(() => parentPort.postMessage(bytes), 1500)')
    expect(String(await runInThread(waiting, Buffer.from('x'), limits))).toBe('x')
  })

  it('that cannot be interrupted for a while is ended once, without a warning', async () => {
    const warnings: string[] = []
    const warn = ({ message }: Error) => void warnings.push(message)
    process.on('warning', warn)
    onTestFinished(() => void process.off('warning', warn))
    const native = script(`import { pbkdf2Sync } from 'node:crypto'
      import { parentPort } from 'node:worker_threads'
      parentPort.on('message', () => { for (;;) pbkdf2Sync('', '', 4e6, 64, 'sha512') })`)
    const limits = { timeoutMs: 60_000, cpuMs: 300 }
    expect(await runInThread(native, Buffer.from('x'), limits)).toBeUndefined()
    expect(warnings).toEqual([])
  })

  it('can have a lower memory limit', async () => {
    const taking = answering(`const all = Array.from({ length: 20 }, () => new Uint8Array(1e7).fill(1))
      setTimeout(() => parentPort.postMessage(bytes.fill(all.length)), 3000)`)
    const limits = { timeoutMs: 30_000, memoryBytes: 1e8 }
    expect(await runInThread(taking, Buffer.from('x'), limits)).toBeUndefined()
    expect(await runInThread(taking, Buffer.from('x'), { ...limits, memoryBytes: 1e9 })).toEqual(
      Buffer.from([20]),
    )
  })

  it('gets a copy of the bytes and answers with others', async () => {
    const input = Buffer.from('HAL')
    const next = answering('parentPort.postMessage(bytes.map((byte) => byte + 1))')
    expect(String(await runInThread(next, input, { timeoutMs: 30_000 }))).toBe('IBM')
    expect(String(input)).toBe('HAL')
  })

  it('that has answered is reused, unless it has exited', async () => {
    const telling = answering(`parentPort.postMessage(new TextEncoder().encode(String(threadId)))
      if (bytes.length === 3) process.exit()`)
    const first = await ask(telling)
    expect(Number(first)).toBeGreaterThan(threadId)
    expect(await ask(telling)).toBe(first)
    expect(await ask(telling, 'die')).toBe(first)
    const late = await ask(telling, 'input', 5000)
    expect(late === undefined || late !== first).toBe(true)
    expect(await ask(telling)).not.toBe(first)
  })

  it('does not block the event loop of its caller', async () => {
    let turns = 0
    const turning = setInterval(() => {
      turns += 1
    }, 10)
    await ask(answering('for (;;);'), 'input', 500)
    clearInterval(turning)
    expect(turns).toBeGreaterThan(10)
  })

  it('is one of a limited number of threads', async () => {
    const most = Math.min(4, availableParallelism())
    const telling = answering(`setTimeout(() =>
      parentPort.postMessage(new TextEncoder().encode(String(threadId))), 50)`)
    const asked = await Promise.all(Array.from({ length: 12 }, () => ask(telling)))
    expect(new Set(asked).size).toBe(most)
  })
})

describe('a budget', () => {
  const within = async (to: URL, budgetMs: number, limits: Partial<Limits> = {}) => {
    const answer = await runInThreadWithin(to, Buffer.from('input'), budgetMs, {
      timeoutMs: 30_000,
      ...limits,
    })
    return answer && String(answer)
  }
  /** Asks when all earlier jobs of this gate of one job have ended. */
  const askNext = async (to: URL, one: Gate) => {
    const answer = await runInThread(to, Buffer.from('the next'), { timeoutMs: 30_000, gate: one })
    return answer && String(answer)
  }

  it('includes the wait for a free thread, and no job starts after it', async () => {
    const most = Math.min(4, availableParallelism())
    const busy = Array.from({ length: most }, () => ask(answering('for (;;);'), 'input', 800))
    let isFree = false
    const freed = Promise.any(busy).finally(() => {
      isFree = true
    })
    const marking = answering('parentPort.postMessage(bytes)')
    expect(await within(marking, 100)).toBeUndefined()
    expect(isFree).toBe(false)
    await Promise.all([freed, ...busy])
    expect(await within(marking, 30_000)).toBe('input')
  })

  it('that is over lets the job finish, and the thread is reused', async () => {
    const telling = answering(`setTimeout(() =>
      parentPort.postMessage(new TextEncoder().encode(String(threadId))), bytes.length === 5 ? 500 : 0)`)
    const first = await ask(telling, 'warm up')
    const one = createGate(1)
    expect(await within(telling, 100, { gate: one })).toBeUndefined()
    expect(await askNext(telling, one)).toBe(first)
  })

  it('that is over does not suspend the timeout of the job', async () => {
    const endless = answering('if (bytes.length === 5) for (;;); else parentPort.postMessage(bytes)')
    const one = createGate(1)
    expect(await within(endless, 100, { timeoutMs: 300, gate: one })).toBeUndefined()
    expect(await askNext(endless, one)).toBe('the next')
  })

  it('is not spent on starting a thread that is already warm', async () => {
    const begun = new BroadcastChannel('a slow thread has begun')
    onTestFinished(() => begun.close())
    const slow = script(`import { parentPort } from 'node:worker_threads'
      await new Promise((resolve) => setTimeout(resolve, 3000))
      parentPort.on('message', (bytes) => parentPort.postMessage(bytes))
      const begun = new BroadcastChannel('a slow thread has begun')
      begun.postMessage('')
      begun.close()`)
    expect(await within(slow, 300, { timeoutMs: 300 })).toBeUndefined()
    const isWarm = once(begun, 'message')
    for (let time = 0; time < 3; time += 1) warmUp(slow)
    await isWarm
    expect(await within(slow, 2500)).toBe('input')
  })
})

describe('a gate', () => {
  it('admits up to its width, and the others in order, also after failures', async () => {
    const gate = createGate(2)
    const begun: number[] = []
    const ends: (() => void)[] = []
    const outcomes = [0, 1, 2, 3].map((at) =>
      gate(async () => {
        begun.push(at)
        await new Promise<void>((resolve) => ends.push(resolve))
        if (at === 0) throw new Error('broken')
        return at
      }).catch(() => 'failed'),
    )
    await Promise.resolve()
    expect(begun).toEqual([0, 1])
    ends[0]?.()
    expect(await outcomes[0]).toBe('failed')
    expect(begun).toEqual([0, 1, 2])
    ends[1]?.()
    ends[2]?.()
    expect(await Promise.all(outcomes.slice(1, 3))).toEqual([1, 2])
    ends[3]?.()
    expect(await outcomes[3]).toBe(3)
    const after = await Promise.all([5, 6].map((at) => gate(async () => at)))
    expect(after).toEqual([5, 6])
  })
})
