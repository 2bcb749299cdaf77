// Every mutant of the fault harness still fits the app: what it changes is there, once. That each is found out is for
// `npm run chaos -- --mutants`, which takes minutes.

import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { timesFound } from '../chaos/mutants/copy.ts'
import { mutants } from '../chaos/mutants/index.ts'

const root = join(import.meta.dirname, '../..')

it('there are at least a dozen, each with a name of its own', () => {
  expect(mutants.length).toBeGreaterThanOrEqual(12)
  expect(new Set(mutants.map(({ name }) => name)).size).toBe(mutants.length)
})

describe.each(mutants)('$name', ({ changes }) => {
  it('fits', async () => {
    const times = await Promise.all(changes.map((change) => timesFound(root, change)))
    expect(times).toEqual(changes.map(() => 1))
  })

  it('differs', () => {
    expect(changes.length).toBeGreaterThan(0)
    for (const { find, put } of changes) expect(put).not.toBe(find)
  })
})
