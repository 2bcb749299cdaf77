// How updates of the local Telegram reach a bot: long polling and the webhook.

import { createServer } from 'node:http'
import type { Bot } from 'grammy'
import type { Update } from 'grammy/types'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  type LocalTelegram,
  startTelegram,
  token,
  watchedClock,
} from '../../support/telegram/local-telegram.ts'
import { createUser, type SandboxUser } from '../../support/users/user.ts'

let local: LocalTelegram
let bot: Bot
let anna: SandboxUser
let clock: ReturnType<typeof watchedClock>

beforeEach(async () => {
  clock = watchedClock()
  local = await startTelegram({ clock })
  bot = local.bot()
  anna = await createUser(local.url, { first_name: 'Anna', id: 11 })
})
afterEach(() => local.discard())

const textsOf = (updates: Update[]) => updates.map((one) => one.message?.text)
const twice = () =>
  local.faults.add({ target: 'telegram', operation: 'update', fault: { kind: 'twice' }, times: 1 })

describe('long polling', () => {
  it('returns an update until a higher offset confirms it', async () => {
    await anna.sends('one')
    await anna.sends('two')
    const both = await bot.api.getUpdates()
    expect(textsOf(both)).toEqual(['one', 'two'])
    expect(textsOf(await bot.api.getUpdates({ limit: 1 }))).toEqual(['one'])
    const first = both[0]?.update_id ?? 0
    expect(textsOf(await bot.api.getUpdates({ offset: first + 1 }))).toEqual(['two'])
    expect(textsOf(await bot.api.getUpdates())).toEqual(['two'])
    expect(await bot.api.getUpdates({ offset: first + 2 })).toEqual([])
    expect(await bot.api.getUpdates()).toEqual([])
  })

  it('waits for an update, or for the timeout', async () => {
    const waiting = bot.api.getUpdates({ timeout: 30 })
    await clock.asked(30_000)
    await anna.sends('at last')
    expect(textsOf(await waiting)).toEqual(['at last'])
    const last = (await bot.api.getUpdates())[0]?.update_id ?? 0
    const silent = bot.api.getUpdates({ offset: last + 1, timeout: 30 })
    await clock.asked(30_000)
    clock.advance(30_000)
    expect(await silent).toEqual([])
  })

  it('ends the first poll when a second one begins', async () => {
    const first = bot.api.getUpdates({ timeout: 30 })
    await clock.asked(30_000)
    const refused = expect(first).rejects.toMatchObject({
      error_code: 409,
      description:
        'Conflict: terminated by other getUpdates request; make sure that only one bot instance is running',
    })
    const second = bot.api.getUpdates({ timeout: 30 })
    await refused
    await anna.sends('for the second')
    expect(textsOf(await second)).toEqual(['for the second'])
  })

  it('loses no update when the poller hangs up', async () => {
    const gone = new AbortController()
    const left = fetch(`${local.url}/bot${token}/getUpdates?timeout=30`, { signal: gone.signal })
    await clock.asked(30_000)
    gone.abort()
    await expect(left).rejects.toThrow()
    await anna.sends('still here')
    expect(textsOf(await bot.api.getUpdates())).toEqual(['still here'])
  })

  it('is refused while a webhook is set, and ended by setting one', async () => {
    const waiting = bot.api.getUpdates({ timeout: 30 })
    await clock.asked(30_000)
    const ended = expect(waiting).rejects.toThrow('Conflict: terminated by setWebhook request')
    await bot.api.setWebhook('http://127.0.0.1:9/')
    await ended
    await expect(bot.api.getUpdates()).rejects.toThrow(
      "Conflict: can't use getUpdates method while webhook is active",
    )
    await bot.api.deleteWebhook()
    expect(await bot.api.getUpdates()).toEqual([])
  })

  it('drops a callback query after 150 seconds and a message after a day', async () => {
    const said = await anna.sends('hello')
    await anna.tapsData(said.message_id, 'x')
    clock.advance(151_000)
    expect(textsOf(await bot.api.getUpdates())).toEqual(['hello'])
    clock.advance(24 * 3600_000)
    expect(await bot.api.getUpdates()).toEqual([])
  })

  it('can deliver an update twice, by a fault and by the API of the users', async () => {
    twice()
    await anna.sends('pay')
    const [first] = await bot.api.getUpdates()
    const offset = (first?.update_id ?? 0) + 1
    expect(await bot.api.getUpdates({ offset })).toEqual([first])
    expect(await bot.api.getUpdates({ offset })).toEqual([])
    const body = JSON.stringify({ update_id: first?.update_id })
    await fetch(`${local.url}/api/updates/redeliver`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    })
    expect(await bot.api.getUpdates({ offset })).toEqual([first])
    expect(await bot.api.getUpdates({ offset })).toEqual([])
  })
})

describe('the webhook', () => {
  /** Starts a server that records updates and answers with `statuses`, then with 200. */
  async function receiver(statuses: number[] = []) {
    const seen: { text: string | undefined; secret: unknown }[] = []
    let notify = () => {}
    const server = createServer(async (req, res) => {
      const chunks: Buffer[] = []
      for await (const chunk of req) chunks.push(chunk)
      const update: Update = JSON.parse(Buffer.concat(chunks).toString())
      seen.push({ text: update.message?.text, secret: req.headers['x-telegram-bot-api-secret-token'] })
      res.writeHead(statuses.shift() ?? 200).end()
      notify()
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const address = server.address()
    const port = typeof address === 'object' ? address?.port : undefined
    return {
      url: `http://127.0.0.1:${port}/hook`,
      seen,
      async sees(count: number) {
        while (seen.length < count) {
          await new Promise<void>((resolve) => {
            notify = resolve
          })
        }
      },
      close: () => server.close(),
    }
  }

  it('retries at once, then after 2 and 4 seconds, while the rest of the queue waits', async () => {
    const hook = await receiver([500, 500, 500])
    await bot.api.setWebhook(hook.url, { secret_token: 'hush' })
    await anna.sends('one')
    await anna.sends('two')
    await hook.sees(2)
    await clock.asked(2000)
    expect(await bot.api.getWebhookInfo()).toMatchObject({
      pending_update_count: 2,
      last_error_message: 'Wrong response from the webhook: 500 Internal Server Error',
    })
    clock.advance(2000)
    await clock.asked(4000)
    clock.advance(4000)
    await hook.sees(5)
    expect(hook.seen.map((one) => one.text)).toEqual(['one', 'one', 'one', 'one', 'two'])
    expect(hook.seen[0]?.secret).toBe('hush')
    hook.close()
  })

  it('delivers an update twice under a fault', async () => {
    const hook = await receiver()
    await bot.api.setWebhook(hook.url)
    twice()
    await anna.sends('once?')
    await hook.sees(2)
    await anna.sends('once')
    await hook.sees(3)
    expect(hook.seen.map((one) => one.text)).toEqual(['once?', 'once?', 'once'])
    hook.close()
  })

  it('refuses addresses that Telegram would refuse', async () => {
    await expect(bot.api.setWebhook('http://example.com/')).rejects.toThrow('An HTTPS URL must be provided')
    await expect(bot.api.setWebhook('nonsense')).rejects.toThrow('invalid webhook URL specified')
    const secret = bot.api.setWebhook('http://127.0.0.1:9/', { secret_token: 'no spaces' })
    await expect(secret).rejects.toThrow('secret token contains unallowed characters')
  })
})
