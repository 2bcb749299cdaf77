// Reads that are combined: none waits alone, and a failure concerns only the calls of its own read.

import { expect, it } from 'vitest'
import { batchReads } from '../../src/runtime/batch-reads.ts'

function slowly() {
  const reads: { keys: readonly string[]; end(): void; fail(error: Error): void }[] = []
  const value = batchReads((keys: readonly string[]) => {
    const { promise, resolve, reject } = Promise.withResolvers<ReadonlyMap<string, string>>()
    const found = new Map(keys.filter((key) => key !== 'missing').map((key) => [key, `value of ${key}`]))
    reads.push({ keys, end: () => resolve(found), fail: reject })
    return promise
  })
  return { value, reads }
}

const settled = () => new Promise((resolve) => setImmediate(resolve))

it('a read begins at once, and the calls that come during it share the next one', async () => {
  const { value, reads } = slowly()
  const first = value('a')
  await settled()
  const others = ['b', 'missing', 'b', 'a'].map(value)
  await settled()
  expect(reads.map(({ keys }) => keys)).toEqual([['a']])
  reads[0]?.end()
  expect(await first).toBe('value of a')
  await settled()
  expect(reads.map(({ keys }) => keys)).toEqual([['a'], ['b', 'missing', 'a']])
  reads[1]?.end()
  expect(await Promise.all(others)).toEqual(['value of b', undefined, 'value of b', 'value of a'])
})

it('a read that fails rejects its own calls only', async () => {
  const { value, reads } = slowly()
  const first = value('a')
  await settled()
  const second = value('b')
  reads[0]?.fail(new Error('the database is gone'))
  await expect(first).rejects.toThrow('gone')
  await settled()
  reads[1]?.end()
  expect(await second).toBe('value of b')
})
