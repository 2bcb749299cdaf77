// The cached list of the gateway's concepts: refreshed rarely, and not delayed by a slow or unavailable gateway.

import { beforeEach, expect, it } from 'vitest'
import { type Concept, cachedConcepts } from '../../src/orders/styles.ts'
import { silentLog } from '../../src/runtime/log.ts'
import { type HandClock, handClock } from '../support/runtime/clock.ts'

const minute = 60_000
const zoom = { key: 'zoom_in', name: 'Zoom in' }
const orbit = { key: 'orbit', name: 'Orbit' }

let clock: HandClock
let asked: PromiseWithResolvers<readonly Concept[]>[]
let concepts: () => Promise<readonly Concept[]>
beforeEach(() => {
  clock = handClock()
  asked = []
  const ask = () => {
    const one = Promise.withResolvers<readonly Concept[]>()
    asked.push(one)
    return one.promise
  }
  concepts = cachedConcepts(ask, clock, silentLog)
})

async function learned(...list: Concept[]): Promise<readonly Concept[]> {
  const shown = concepts()
  asked.at(-1)?.resolve(list)
  return shown
}

it('the list is refreshed once an hour, kept when that fails, and then refreshed after a minute', async () => {
  expect(await learned(zoom)).toEqual([zoom])
  clock.advance(60 * minute - 1)
  expect(await concepts()).toEqual([zoom])
  expect(asked).toHaveLength(1)
  clock.advance(1)
  const shown = concepts()
  asked[1]?.reject(new Error('the gateway is gone'))
  expect(await shown).toEqual([zoom])
  clock.advance(minute - 1)
  expect(await concepts()).toEqual([zoom])
  expect(asked).toHaveLength(2)
  clock.advance(1)
  expect(await learned(orbit)).toEqual([orbit])
})

it('a slow gateway is asked once, delays callers only briefly, and its late answer is used by the next caller', async () => {
  const shown = Promise.all([concepts(), concepts(), concepts()])
  clock.advance(3000)
  expect(await shown).toEqual([[], [], []])
  asked[0]?.resolve([zoom])
  expect(await concepts()).toEqual([zoom])
  expect(asked).toHaveLength(1)
})
