// Receiving updates: by polling, where the next request confirms them; by webhook, where the status 200 does; and by several processes with
// one database.

import { createHmac } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Api } from 'grammy'
import { expect, it } from 'vitest'
import { type App, createApp } from '../../src/app.ts'
import type { Runtime } from '../../src/compose.ts'
import { parseConfig } from '../../src/config.ts'
import { type Clock, systemClock } from '../../src/runtime/clock.ts'
import { randomIds } from '../../src/runtime/ids.ts'
import { silentLog } from '../../src/runtime/log.ts'
import { startOutside } from '../../src/sandbox/outside.ts'
import { freshUrl } from '../support/database/database.ts'
import { createUser } from '../support/users/user.ts'
import { gate } from '../support/worlds/generations.ts'

const runtime: Runtime = { clock: systemClock, ids: randomIds, random: Math.random, log: silentLog }

/** The outside world with any number of app processes on one database. */
async function openWorld(settings: Record<string, string> = {}) {
  const dataDir = await mkdtemp(join(tmpdir(), 'bot-processes-'))
  const outside = await startOutside({ port: 0, dataDir, speed: 40, random: Math.random })
  const databaseUrl = await freshUrl('postgres')
  const apps: App[] = []
  let web: App | undefined
  outside.open(async (req, res, { pathname }) => {
    if (!pathname.startsWith('/app/')) return false
    if (web) await web.handle(req, res, pathname.slice('/app'.length))
    else res.writeHead(502).end()
    return true
  })
  const start = async (more: Record<string, string> = {}) => {
    const app = await create(more)
    await app.start(() => undefined)
    return app
  }
  const create = async (more: Record<string, string> = {}, clock: Clock = systemClock) => {
    const usual = { ...outside.env, WELCOME_CREDIT: '500', DATABASE_URL: databaseUrl, PORT: '0' }
    const parsed = parseConfig({ ...usual, ...settings, ...more })
    if (!parsed.ok) throw new Error(parsed.problems.join('\n'))
    const app = await createApp(parsed.config, { ...runtime, clock })
    apps.push(app)
    if (['all', 'web', undefined].includes(more.ROLE)) web = app
    return app
  }
  return {
    outside,
    create,
    start,
    api: new Api(outside.env.BOT_TOKEN ?? '', { apiRoot: outside.url }),
    asTelegram: (secret: string, update: object) =>
      fetch(`${outside.url}/app/telegram`, {
        method: 'POST',
        headers: secret ? { 'x-telegram-bot-api-secret-token': secret } : {},
        body: JSON.stringify(update),
      }),
    /** Sends what comes over HTTP to this process. */
    route(app: App) {
      web = app
    },
    user: (name: string) => createUser(outside.url, { first_name: name, language_code: 'en' }),
    async close() {
      for (const app of apps) await app.stop()
      await outside.close()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
const greeted = /A gift for you: \D?500/

it('one of two processes polls, which answers what waited before its background work begins; when it ends, the other one continues and no update is lost', async () => {
  const world = await openWorld()
  const anna = await world.user('Anna')
  await anna.sends('/start')
  // The pause between the answers and the background work ends when the test opens it.
  const { opened, open } = gate()
  const wait: Clock['wait'] = (ms, signal) =>
    ms === 150 ? Promise.race([opened, systemClock.wait(60_000, signal)]) : systemClock.wait(ms, signal)
  const first = await world.create({}, { ...systemClock, wait })
  const started = first.start(() => undefined)
  await anna.sees(greeted)
  const menu = () => world.api.getMyCommands({ scope: { type: 'all_private_chats' } })
  expect(await menu()).toEqual([])
  open()
  await started
  await expect.poll(menu).not.toEqual([])

  await world.start()
  expect((await world.asTelegram('', {})).status).toBe(404)
  const stopping = first.stop()
  for (let at = 0; at < 5; at += 1) await anna.sends(`/video a cat number ${at}`)
  await stopping
  for (let at = 0; at < 5; at += 1) await anna.sees(new RegExp(`cat number ${at}[\\s\\S]*Price`))
  await world.close()
})

it('by webhook each of two installations with different keys takes updates and a checkout; one has a process for each role', async () => {
  const world = await openWorld({ UPDATES: 'webhook' })
  const web = await world.start({ ROLE: 'web' })
  const token = world.outside.env.BOT_TOKEN ?? ''
  const madeOfToken = createHmac('sha256', token).update('telegram webhook').digest('base64url')
  for (const secret of ['', 'a'.repeat(43), madeOfToken])
    expect((await world.asTelegram(secret, { update_id: 1 })).status).toBe(401)
  await world.start({ ROLE: 'worker' })
  const anna = await world.user('Anna')
  await anna.sends('/start')
  await world.start({ ROLE: 'bot' })
  await anna.sees(greeted)
  await anna.sends('/image a cat surfing')
  await anna.taps(/Generate/)
  await anna.sees((one) => one.photo !== undefined || one.document !== undefined)
  await anna.sees(/Done in/)

  // It sets the webhook anew.
  const young = await world.start({ GATEWAY_KEY: 'another' })
  for (const process of [web, young]) {
    world.route(process)
    const boris = await world.user('Boris')
    await boris.sends('/topup 500')
    await boris.taps(/Stars/)
    await boris.pays(await boris.sees((one) => one.invoice !== undefined))
    await boris.sees(/500 added/)
    expect((await world.api.getWebhookInfo()).last_error_message).toBeUndefined()
  }
  await world.close()
})
