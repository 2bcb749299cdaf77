// Decoder processes for untrusted bytes: whatever happens in one, the job ends, the caller continues, and no secret is there.

import assert from 'node:assert/strict'
import type { ChildProcess } from 'node:child_process'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { existsSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { describe, expect, it, onTestFinished } from 'vitest'
import { z } from 'zod'
import { createGate, decode, filesOfUsers } from '../../src/media/decoders.ts'
import { clip, glbOfJson } from '../support/media/media-files.ts'
import { pdfOf } from '../support/media/pdf.ts'

/** A video whose table claims four billion samples in each chunk after the millionth. */
async function endless(): Promise<Buffer> {
  const bytes = Buffer.from(await clip('640x640.mp4'))
  const table = bytes.indexOf('stsc')
  assert(table > 0)
  bytes.writeUInt32BE(0x0fff_ffff, table + 13)
  return bytes
}

const facts = z.object({ video: z.object({ width: z.number() }) })
const probe = (bytes: Buffer, limits: { timeoutMs: number; cpuMs?: number }) =>
  decode('facts', bytes, facts, limits)
const isWell = async () =>
  expect(await probe(await clip('640x640.mp4'), { timeoutMs: 30_000 })).toEqual({ video: { width: 640 } })

/** The processes that the test starts. */
function startedHere(): ChildProcess[] {
  const started: ChildProcess[] = []
  const note = (message: unknown) => {
    started.push(z.object({ process: z.custom<ChildProcess>() }).parse(message).process)
  }
  subscribe('child_process', note)
  onTestFinished(() => void unsubscribe('child_process', note))
  return started
}

/** Ends the processes that other tests have left idle: a job is given to each, and ends with its process at its time limit. */
async function endIdle(): Promise<void> {
  const started = startedHere()
  while (started.length === 0) await decode('facts', await endless(), facts, { timeoutMs: 1 })
}

describe('a decoder process', () => {
  it('that never answers is ended at the time limit, and the next job gets another one', async () => {
    expect(await probe(await endless(), { timeoutMs: 500 })).toBeUndefined()
    await isWell()
  })

  it('is ended when its processor time is used up', async () => {
    const began = performance.now()
    expect(await probe(await endless(), { timeoutMs: 60_000, cpuMs: 300 })).toBeUndefined()
    expect(performance.now() - began).toBeLessThan(30_000)
    await isWell()
  })

  it.each([['GLB', 'preview', () => glbOfJson({ extras: Array(7_000_000).fill({}) })]] as const)(
    'that takes all of its memory for a %s is ended',
    async (_, job, made) => {
      expect(await decode(job, made(), z.unknown(), { timeoutMs: 60_000 })).toBeUndefined()
      await isWell()
    },
  )

  it('is one of a limited number', async () => {
    await endIdle()
    const started = startedHere()
    const mp4 = await clip('640x640.mp4')
    await Promise.all(Array.from({ length: 12 }, () => probe(mp4, { timeoutMs: 60_000 })))
    expect(started).toHaveLength(Math.min(4, availableParallelism()))
  })

  it('of files of users does not wait for those of results', async () => {
    const bomb = await endless()
    await endIdle()
    const started = startedHere()
    let isFree = false
    const results = Array.from({ length: 4 }, () => probe(bomb, { timeoutMs: 30_000 }))
    void Promise.any(results).then(() => {
      isFree = true
    })
    const limits = { timeoutMs: 30_000, gate: filesOfUsers }
    expect(await decode('pdf', pdfOf('page'), z.string(), limits)).toBe('page')
    expect(isFree).toBe(false)
    const settled = Promise.all(results)
    const ending = setInterval(() => {
      for (const child of started) child.kill('SIGKILL')
    }, 10)
    await settled
    clearInterval(ending)
  })

  it.skipIf(!existsSync('/proc/self/environ'))('has nothing of the environment of the app', async () => {
    await endIdle()
    process.env.MADE_UP_SECRET = 'hunter2'
    onTestFinished(() => void delete process.env.MADE_UP_SECRET)
    const started = startedHere()
    await isWell()
    const [child] = started
    assert(child?.pid !== undefined)
    const names = readFileSync(`/proc/${child.pid}/environ`, 'latin1')
      .split('\0')
      .filter(Boolean)
      .map((one) => one.split('=')[0])
    expect(names.filter((name) => !name?.startsWith('NODE_CHANNEL_'))).toEqual([])
    expect(child.spawnargs.join(' ')).not.toContain('env-file')
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
