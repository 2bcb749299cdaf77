// Nudges between processes that share a database.

import { sql } from 'drizzle-orm'
import { afterAll, expect, it } from 'vitest'
import { openDatabase } from '../../src/db/client.ts'
import { notifyOver } from '../../src/db/nudges.ts'
import { freshDatabase, type TestDatabase } from '../support/database/database.ts'

const one = await freshDatabase()
const other = await openDatabase(one.url)
afterAll(() => Promise.all([one.close(), other.close()]))

function heardBy({ nudges }: Pick<TestDatabase, 'nudges'>) {
  const heard: string[] = []
  const hear = (topic: 'updates' | 'notices' | 'stop') =>
    nudges.on(topic, (about) => heard.push(`${topic} ${about}`.trim()))
  for (const topic of ['updates', 'notices', 'stop'] as const) hear(topic)
  return heard
}

async function listeners(): Promise<number> {
  const listening = sql`
    select count(*)::integer as count from pg_stat_activity
    where datname = current_database() and query ilike 'listen%' and state = 'idle'`
  const [found] = await one.db.execute(listening, 'objects')
  return Number(found?.count)
}

it('nudges reach every process once, also the process that sends them', async () => {
  const [own, others] = [heardBy(one), heardBy(other)]
  await expect.poll(listeners).toBe(2)
  one.nudges.send('stop', 'turn')
  one.nudges.send('updates')
  await expect.poll(() => others).toEqual(['stop turn', 'updates'])
  // Notifications arrive in the order of their commits: a repetition of its own nudges would have come before this one.
  other.nudges.send('notices')
  await expect.poll(() => own).toEqual(['stop turn', 'updates', 'notices'])
})

it('nudges that come while others are being sent are sent together', async () => {
  const payloads: string[] = []
  const sent = Promise.withResolvers<void>()
  const send = (_channel: string, payload: string) => {
    payloads.push(payload)
    return sent.promise
  }
  const nudges = notifyOver(send, { listen: () => Promise.reject(new Error('nobody listens')) })
  nudges.send('updates')
  await expect.poll(() => payloads).toHaveLength(1)
  for (const kind of ['submit', 'deliver', 'submit']) nudges.send('generations', kind)
  sent.resolve()
  await expect.poll(() => payloads.slice(1)).toEqual([expect.stringContaining('deliver')])
  expect(payloads[1]).toContain('[["generations","submit"],["generations","deliver"]]')
})
