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

it('updates and a checkout are answered by each of two processes with different keys', async () => {
  const world = await openWorld({ UPDATES: 'webhook' })
  const old = await world.start()
  // It sets the webhook anew.
  const young = await world.start({ GATEWAY_KEY: 'another' })
  const api = new Api(world.outside.env.BOT_TOKEN ?? '', { apiRoot: world.outside.url })
  for (const process of [old, young]) {
    world.route(process)
    const anna = await world.user('Anna')
    await anna.sends('/start')
    await anna.sees(greeted)
    await anna.sends('/topup 500')
    await anna.taps(/Stars/)
    await anna.pays(await anna.sees((one) => one.invoice !== undefined))
    await anna.sees(/500 added/)
    expect((await api.getWebhookInfo()).last_error_message).toBeUndefined()
  }
  await world.close()
})

it('one of two processes polls; when it ends, the other one continues and no update is lost', async () => {
  const world = await openWorld()
  const first = await world.start()
  await world.start()
  const webhook = `${world.outside.url}/app/telegram`
  expect((await fetch(webhook, { method: 'POST', body: '{}' })).status).toBe(404)
  const anna = await world.user('Anna')
  await anna.sends('/start')
  await anna.sees(greeted)
  const stopping = first.stop()
  for (let at = 0; at < 5; at += 1) await anna.sends(`/video a cat number ${at}`)
  await stopping
  for (let at = 0; at < 5; at += 1) await anna.sees(new RegExp(`cat number ${at}[\\s\\S]*Price`))
  await world.close()
})

it('updates that waited for the start of the app are answered before the background work begins', async () => {
  const world = await openWorld()
  const anna = await world.user('Anna')
  await anna.sends('/start')
  // The pause between the answers and the background work ends when the test opens it.
  const { opened, open } = gate()
  const wait: Clock['wait'] = (ms, signal) =>
    ms === 150 ? Promise.race([opened, systemClock.wait(60_000, signal)]) : systemClock.wait(ms, signal)
  const app = await world.create({}, { ...systemClock, wait })
  const started = app.start(() => undefined)
  await anna.sees(greeted)
  const api = new Api(world.outside.env.BOT_TOKEN ?? '', { apiRoot: world.outside.url })
  const menu = () => api.getMyCommands({ scope: { type: 'all_private_chats' } })
  expect(await menu()).toEqual([])
  open()
  await started
  await expect.poll(menu).not.toEqual([])
  await world.close()
})

it('with separate roles web receives updates that have its secret, bot handles them, worker delivers the results', async () => {
  const world = await openWorld({ UPDATES: 'webhook' })
  await world.start({ ROLE: 'web' })
  const token = world.outside.env.BOT_TOKEN ?? ''
  const madeOfToken = createHmac('sha256', token).update('telegram webhook').digest('base64url')
  for (const secret of ['', 'a'.repeat(43), madeOfToken]) {
    const headers: Record<string, string> = secret ? { 'x-telegram-bot-api-secret-token': secret } : {}
    const forged = { method: 'POST', headers, body: '{"update_id":1}' }
    expect((await fetch(`${world.outside.url}/app/telegram`, forged)).status).toBe(401)
  }
  await world.start({ ROLE: 'worker' })
  const anna = await world.user('Anna')
  await anna.sends('/start')
  await world.start({ ROLE: 'bot' })
  await anna.sees(greeted)
  await anna.sends('/video a cat surfing')
  await anna.taps(/Generate/)
  await anna.sees((one) => one.video !== undefined)
  await anna.sees(/Done in/)
  await world.close()
})
