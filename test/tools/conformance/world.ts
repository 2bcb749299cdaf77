// The real app with a local Telegram and the conformance gateway, configured as an operator of that gateway would configure it.

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import { createApp } from '../../../src/app.ts'
import { parseConfig } from '../../../src/config.ts'
import { accounts, users } from '../../../src/db/schema.ts'
import { type Clock, systemClock } from '../../../src/runtime/clock.ts'
import { randomIds } from '../../../src/runtime/ids.ts'
import { startOutside } from '../../../src/sandbox/outside.ts'
import { loggingTo } from '../../support/runtime/log.ts'
import { letAllKnowPrices } from '../../support/users/sandbox.ts'
import { createUser, type SandboxUser } from '../../support/users/user.ts'
import { key, startGateway } from './gateway/gateway.ts'
import { mediaModels, textModels } from './gateway/models.ts'

export type ConformanceWorld = Awaited<ReturnType<typeof openWorld>>

/** The initial balance of every user, in roubles. */
export const credit = 3000

const common = { rates: { input: '100', output: '1000' }, context: 64_000, maxOutput: 4000 }

const catalog = {
  ...Object.fromEntries(mediaModels.map(({ label, id, path }) => [label, { gatewayId: id, path }])),
  textModels: textModels.map(({ id, family, vision }) => ({
    ...common,
    id,
    label: family,
    family,
    abilities: ['thinking', 'search', 'code', 'tools', ...(vision ? ['vision'] : [])],
  })),
}

export async function openWorld(databaseUrl: string) {
  const dataDir = await mkdtemp(join(tmpdir(), 'bot-conformance-'))
  let skippedMs = 0
  const clock: Clock = { now: () => new Date(Date.now() + skippedMs), wait: systemClock.wait }
  const gateway = await startGateway(clock)
  const outside = await startOutside({ port: 0, dataDir, speed: 160, random: Math.random, clock })
  const file = join(dataDir, 'catalog.json')
  await writeFile(file, JSON.stringify(catalog))
  const parsed = parseConfig({
    ...outside.env,
    DATABASE_URL: databaseUrl,
    WELCOME_CREDIT: String(credit),
    GATEWAY_URL: gateway.url,
    GATEWAY_KEY: key,
    CATALOG_FILE: file,
    PORT: '0',
    POLL_INTERVAL_MS: '100',
  })
  if (!parsed.ok) throw new Error(parsed.problems.join('\n'))
  const log = loggingTo()
  const app = await createApp(parsed.config, { clock, ids: randomIds, random: Math.random, log })
  outside.open(async (request, response, { pathname }) => {
    if (!pathname.startsWith('/app/')) return false
    await app.handle(request, response, pathname.slice('/app'.length))
    return true
  })
  await letAllKnowPrices(app.db)
  await app.start((error) => log.error({ error }, 'polling ended'))
  return {
    app,
    gateway,
    /** Moves the clock of the app forward. Waits that have begun keep their length; the polls of the queues are short. */
    skip(ms: number) {
      skippedMs += ms
    },
    /** What a user has, and what is held. */
    async fundsOf({ id }: SandboxUser) {
      const all = app.db.select().from(accounts).innerJoin(users, eq(users.id, accounts.ownerId))
      const [row] = await all.where(eq(users.telegramId, id))
      return { available: row?.accounts.available, held: row?.accounts.held }
    },
    user: (first_name: string) => createUser(outside.url, { first_name, language_code: 'en' }),
    async close() {
      await app.stop()
      await outside.close()
      await gateway.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
