// Gathering: items that come shortly after one another are written together, and each caller learns how its own batch ended.

import { expect, it } from 'vitest'
import { gather } from '../../src/runtime/gather.ts'
import { handClock } from '../support/runtime/clock.ts'

/** A gathering whose writes end when the test says so. */
function world() {
  const clock = handClock()
  const writes: (PromiseWithResolvers<void> & { readonly items: readonly string[] })[] = []
  const add = gather<string>(clock, { ms: 2, mostMs: 100 }, (items) => {
    const write = { ...Promise.withResolvers<void>(), items }
    writes.push(write)
    return write.promise
  })
  const pass = async () => {
    clock.advance(2)
    await settled()
  }
  return { add, pass, writes, written: () => writes.map(({ items }) => items) }
}

const settled = () => new Promise<void>((resolve) => setImmediate(resolve))

it('items of the same two milliseconds are written together', async () => {
  const { add, pass, written } = world()
  for (const item of ['a', 'b', 'c']) void add(item)
  expect(written()).toEqual([])
  await pass()
  expect(written()).toEqual([['a', 'b', 'c']])
})

it('an item waits until its own batch is written', async () => {
  const { add, pass, writes } = world()
  const ended: string[] = []
  void add('a').then(() => ended.push('a'))
  await pass()
  expect(ended).toEqual([])
  writes[0]?.resolve()
  await settled()
  expect(ended).toEqual(['a'])
})

it('items that come while a batch is written are written together after it', async () => {
  const { add, pass, writes, written } = world()
  void add('a')
  await pass()
  for (const item of ['b', 'c']) {
    void add(item)
    await pass()
  }
  expect(written()).toEqual([['a']])
  writes[0]?.resolve()
  await settled()
  expect(written()).toEqual([['a'], ['b', 'c']])
})

it('items do not wait for a write that hangs', async () => {
  const { add, pass, written } = world()
  void add('a')
  await pass()
  void add('b')
  for (let ms = 2; ms < 100; ms += 2) await pass()
  expect(written()).toEqual([['a']])
  await pass()
  expect(written()).toEqual([['a'], ['b']])
})

it('a failed write fails for all items of its batch and for no others', async () => {
  const { add, pass, writes } = world()
  const outcomes = Promise.allSettled([add('a'), add('b')])
  await pass()
  const later = add('c')
  writes[0]?.reject(new Error('no database'))
  await pass()
  writes[1]?.resolve()
  expect((await outcomes).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  await later
})
