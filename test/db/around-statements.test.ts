// A query with a wrapped execution stays a promise: it is executed once, however often its answer is awaited.

import postgres from 'postgres'
import { expect, it } from 'vitest'
import { aroundStatements } from '../../src/db/around-statements.ts'
import { freshUrl } from '../support/database/database.ts'

it('a query that is awaited twice is executed once', async () => {
  const plain = postgres(await freshUrl('postgres'), { max: 1, fetch_types: false })
  let executions = 0
  const client = aroundStatements(plain, (execute) => {
    executions += 1
    return execute()
  })
  await client.unsafe('create temporary table taps (tap integer)')
  const query = client.unsafe('insert into taps values (1)')
  await Promise.all([query, query.catch(() => undefined)])
  expect(await client.unsafe('select tap from taps').values()).toEqual([[1]])
  expect(executions).toBe(3)
  await plain.end()
})

it('a repeated execution gives the rows in the requested form', async () => {
  const plain = postgres(await freshUrl('postgres'), { max: 1, fetch_types: false })
  const client = aroundStatements(plain, async (execute) => {
    await execute()
    return execute()
  })
  expect(await client.unsafe('select 1 as one').values()).toEqual([[1]])
  expect([...(await client.unsafe('select 1 as one'))]).toEqual([{ one: 1 }])
  await plain.end()
})
