// Replays the recorded statements of an order for other orders, over as many connections as the app has, to measure the database alone.

import assert from 'node:assert/strict'
import { drizzle } from 'drizzle-orm/postgres-js'
import postgres, { type ParameterOrJSON, type Sql } from 'postgres'
import type { BenchDatabase } from '../machine/server.ts'
import { quoteOf } from './orders.ts'
import { type Recorded, valuesFor } from './recorded.ts'

export interface Replay {
  /** Replays the orders of the quotes with these numbers. @returns orders per second */
  run(from: number, count: number): Promise<number>
  close(): Promise<void>
}

const connections = 10

export async function openReplay({ url }: BenchDatabase, recorded: Recorded): Promise<Replay> {
  const client = postgres(url, { max: connections, onnotice: () => undefined })
  // This call configures the client to pass values on as they were recorded.
  drizzle({ client })
  return {
    async run(from, count) {
      const owners = await ownersOf(client, from, count)
      let next = 0
      const work = async () => {
        for (let at = next++; at < count; at = next++)
          await replay(client, recorded, from + at, owners[at] ?? '')
      }
      const start = performance.now()
      await Promise.all(Array.from({ length: connections }, work))
      const rate = (count / (performance.now() - start)) * 1000
      await assertDelivered(client, from, count)
      return rate
    },
    close: () => client.end({ timeout: 5 }),
  }
}

/** Checks that the replay delivered the orders: statements that change nothing would be fast. */
async function assertDelivered(client: Sql, from: number, count: number): Promise<void> {
  const [found] = await client`
    select count(*)::integer as delivered from generations
    where quote_id between ${quoteOf(from)} and ${quoteOf(from + count - 1)} and delivery = 'delivered'`
  assert.equal(found?.delivered, count, 'each replayed order is delivered')
}

async function ownersOf(client: Sql, from: number, count: number): Promise<string[]> {
  const quotes = Array.from({ length: count }, (_, at) => quoteOf(from + at))
  const found = await client`select id, user_id::text from quotes where id = any(${quotes}) order by id`
  return found.map((row) => String(row.user_id))
}

async function replay(client: Sql, { steps, own }: Recorded, n: number, user: string): Promise<void> {
  const order = { n, user, task: `replayed-${n}` }
  for (const step of steps) {
    if (step.kind !== 'statement') continue
    const values = valuesFor(own, order, step.values)
    // The cast is safe: the driver accepts more types than it declares, and these values were recorded from it.
    await client.unsafe(step.text, values as ParameterOrJSON<never>[], { prepare: true })
  }
}
