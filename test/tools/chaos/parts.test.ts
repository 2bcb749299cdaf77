// The basic parts of the fault harness: chance, the clock, the relay and the balancer.

import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer as createHttp } from 'node:http'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { systemClock } from '../../../src/runtime/clock.ts'
import { createChance } from './chance.ts'
import { createBalancer } from './machine/balancer.ts'
import { listening } from './machine/listening.ts'
import { createRelay } from './machine/relay.ts'
import { createPacedClock } from './time/clock.ts'
import { readPace } from './time/pace.ts'
import { createRunClock } from './time/run-clock.ts'

describe('the seeded chance', () => {
  const drawn = (seed: number, name: string) => {
    const chance = createChance(seed).stream(name)
    return Array.from({ length: 20 }, () => chance.between(1, 1000))
  }

  it('gives the same numbers for the same seed and stream, and other numbers for another seed or stream', () => {
    expect(drawn(7, 'a')).toEqual(drawn(7, 'a'))
    expect(drawn(7, 'a')).not.toEqual(drawn(8, 'a'))
    expect(drawn(7, 'a')).not.toEqual(drawn(7, 'b'))
  })

  it('chooses options in proportion to their weights', () => {
    const chance = createChance(1)
    const options = [
      { weight: 9, name: 'often' },
      { weight: 1, name: 'seldom' },
    ]
    const names = Array.from({ length: 1000 }, () => chance.weighed(options).name)
    const seldom = names.filter((name) => name === 'seldom').length
    expect(seldom).toBeGreaterThan(60)
    expect(seldom).toBeLessThan(150)
  })
})

describe('the clock of a run', () => {
  const hour = 3_600_000

  /** Creates the clock of a run, and a clock that follows it as the one of an app process does. */
  async function follow(times: number) {
    const folder = await mkdtemp(join(tmpdir(), 'chaos-clock-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    const own = createRunClock(join(folder, 'pace'), times)
    const app = createPacedClock(readPace(own.file))
    own.onChange(() => app.reset())
    return { own, app }
  }

  it('runs faster than real time in the app, by the given factor', async () => {
    const { app } = await follow(1000)
    const began = app.now().getTime()
    const reallyBegan = performance.now()
    await app.wait(30_000)
    expect(app.now().getTime() - began).toBeGreaterThanOrEqual(30_000)
    expect(performance.now() - reallyBegan).toBeLessThan(5000)
  })

  it('does not jump back when it is slowed', async () => {
    const { own, app } = await follow(hour)
    const before = app.now().getTime()
    own.slowTo(1 / hour)
    const after = app.now().getTime()
    expect(after).toBeGreaterThanOrEqual(before)
    expect(readPace(own.file)().times).toBeCloseTo(1)
    expect(app.now().getTime() - after).toBeLessThan(hour)
  })

  it('lengthens running waits when it is slowed', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] })
    onTestFinished(() => void vi.useRealTimers())
    const { own, app } = await follow(1000)
    const woken: string[] = []
    const slept = app.wait(30_000).then(() => woken.push('the app'))
    const patient = own.wait(30).then(() => woken.push('the harness'))
    own.slowTo(1 / 1000)
    await vi.advanceTimersByTimeAsync(29_999)
    expect(woken).toEqual([])
    await vi.advanceTimersByTimeAsync(1)
    await Promise.all([slept, patient])
  })

  it('ends the waits whose time a leap has passed, and no others', async () => {
    const { own, app } = await follow(1)
    const woken: string[] = []
    const leaving = new AbortController()
    const soon = app.wait(hour).then(() => woken.push('after an hour'))
    const later = app.wait(3 * hour, leaving.signal).then(() => woken.push('after three'))
    own.leap(2 * hour)
    await soon
    expect(woken).toEqual(['after an hour'])
    expect(own.now().getTime() - Date.now()).toBeLessThan(1000)
    leaving.abort()
    await later
  })
})

describe('the database relay', () => {
  /** Starts a server that echoes its input, and connects a client to it through a relay. */
  async function echo(lateMs = 0) {
    const heard: Socket[] = []
    const server = createServer((socket) => {
      heard.push(socket)
      socket.on('error', () => undefined)
      socket.pipe(socket)
    })
    const relay = await createRelay('127.0.0.1', await listening(server), { lateMs, clock: systemClock })
    const client = connect(relay.port, '127.0.0.1')
    await once(client, 'connect')
    return {
      relay,
      client,
      async close() {
        client.destroy()
        await relay.close()
        for (const socket of heard) socket.destroy()
        server.close()
      },
    }
  }

  async function hears(client: Socket, length: number): Promise<string> {
    let text = ''
    for await (const chunk of client.iterator({ destroyOnReturn: false })) {
      text += String(chunk)
      if (text.length >= length) return text
    }
    return text
  }

  it('passes all data on in its order, including data held back by a stall', async () => {
    const { relay, client, close } = await echo(1)
    client.write('one ')
    expect(await hears(client, 4)).toBe('one ')
    const began = performance.now()
    relay.stall(60, () => true)
    for (const word of ['two ', 'three ', 'four']) client.write(word)
    expect(await hears(client, 14)).toBe('two three four')
    expect(performance.now() - began).toBeGreaterThanOrEqual(55)
    await close()
  })

  it('closes the connections that it is told to cut', async () => {
    const { relay, client, close } = await echo()
    client.write('one')
    await hears(client, 3)
    client.on('error', () => undefined)
    const ended = new Promise((resolve) => client.once('close', resolve))
    relay.cut(() => true)
    await ended
    await close()
  })
})

describe('the load balancer', () => {
  it('sends requests in turn to the processes that are up, and answers 502 if none is up', async () => {
    const servers = ['a', 'b'].map((name) => createHttp((_, res) => res.end(name)))
    const ports = await Promise.all(servers.map((server) => listening(server)))
    const up = new Set(ports)
    const balancer = await createBalancer()
    balancer.lead(ports.map((port) => ({ port, isUp: () => up.has(port) })))
    const ask = async () => {
      const answer = await fetch(balancer.url)
      return answer.ok ? answer.text() : answer.status
    }
    expect([await ask(), await ask()].toSorted()).toEqual(['a', 'b'])
    up.delete(Number(ports[0]))
    expect([await ask(), await ask()]).toEqual(['b', 'b'])
    up.clear()
    expect(await ask()).toBe(502)
    await balancer.close()
    for (const server of servers) {
      server.closeAllConnections()
      server.close()
    }
  })
})
