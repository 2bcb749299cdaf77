// The cached list of the gateway's concepts: refreshed rarely, and not delayed by a slow or unavailable gateway.

import { beforeEach, describe, expect, it } from 'vitest'
import { type Concept, cachedConcepts } from '../../src/orders/styles.ts'
import { silentLog } from '../../src/runtime/log.ts'
import { type HandClock, handClock } from '../support/runtime/clock.ts'

const minute = 60_000
const zoom = { key: 'zoom_in', name: 'Zoom in' }
const orbit = { key: 'orbit', name: 'Orbit' }

let clock: HandClock
let asked: { answer(list: readonly Concept[]): void; fail(): void }[]
let concepts: () => Promise<readonly Concept[]>
beforeEach(() => {
  clock = handClock()
  asked = []
  const ask = () =>
    new Promise<readonly Concept[]>((resolve, reject) => {
      asked.push({ answer: resolve, fail: () => reject(new Error('the gateway is gone')) })
    })
  concepts = cachedConcepts(ask, clock, silentLog)
})

async function learned(...list: Concept[]): Promise<readonly Concept[]> {
  const shown = concepts()
  asked.at(-1)?.answer(list)
  return shown
}

describe('the list', () => {
  it('is refreshed once an hour', async () => {
    expect(await learned(zoom)).toEqual([zoom])
    clock.advance(60 * minute - 1)
    expect(await concepts()).toEqual([zoom])
    expect(asked).toHaveLength(1)
    clock.advance(1)
    expect(await learned(orbit)).toEqual([orbit])
    expect(asked).toHaveLength(2)
  })

  it('is requested once for concurrent callers', async () => {
    const shown = Promise.all([concepts(), concepts(), concepts()])
    asked[0]?.answer([zoom])
    expect(await shown).toEqual([[zoom], [zoom], [zoom]])
    expect(asked).toHaveLength(1)
  })

  it('is kept when a refresh fails, and refreshed again after a minute', async () => {
    await learned(zoom)
    clock.advance(60 * minute)
    const shown = concepts()
    asked[1]?.fail()
    expect(await shown).toEqual([zoom])
    clock.advance(minute - 1)
    expect(await concepts()).toEqual([zoom])
    expect(asked).toHaveLength(2)
    clock.advance(1)
    expect(await learned(orbit)).toEqual([orbit])
  })
})

describe('a slow gateway', () => {
  it('delays callers only briefly, and its late answer is used by the next caller', async () => {
    const shown = concepts()
    clock.advance(3000)
    expect(await shown).toEqual([])
    asked[0]?.answer([zoom])
    expect(await concepts()).toEqual([zoom])
    expect(asked).toHaveLength(1)
  })
})
