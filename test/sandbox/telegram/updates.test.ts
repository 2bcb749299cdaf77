// How updates of the local Telegram reach a bot, by long polling and the webhook, and payments, which wait for its answer.

import { type Bot, InlineKeyboard } from 'grammy'
import type { Update } from 'grammy/types'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { receiver } from '../../support/gateway/local-gateway.ts'
import { type HandClock, handClock } from '../../support/runtime/clock.ts'
import { type LocalTelegram, startTelegram, token } from '../../support/telegram/local-telegram.ts'
import { createUser, labelsOf, type SandboxUser } from '../../support/users/user.ts'

let local: LocalTelegram
let bot: Bot
let anna: SandboxUser
let clock: HandClock

beforeEach(async () => {
  clock = handClock()
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
    await fetch(`${local.url}/api/updates/redeliver`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ update_id: first?.update_id }),
    })
    expect(await bot.api.getUpdates({ offset })).toEqual([first])
    expect(await bot.api.getUpdates({ offset })).toEqual([])
  })
})

describe('the webhook', () => {
  let hook: Awaited<ReturnType<typeof receiver>>
  /** The texts of updates, which are answered with `statuses`, then with 200. */
  async function answering(...statuses: number[]) {
    hook = await receiver(() => statuses.shift() ?? 200)
    return {
      async sees(count: number) {
        const updates: Update[] = []
        while (updates.length < count) updates.push(JSON.parse(String((await hook.next()).body)))
        return textsOf(updates)
      },
    }
  }
  afterEach(() => hook.close())

  it('retries at once, then after 2 and 4 seconds, while the rest of the queue waits', async () => {
    const { sees } = await answering(500, 500, 500)
    const secrets: unknown[] = []
    hook.events.on('call', ({ secret }) => secrets.push(secret))
    await bot.api.setWebhook(hook.url, { secret_token: 'hush' })
    await anna.sends('one')
    await anna.sends('two')
    expect(await sees(2)).toEqual(['one', 'one'])
    await clock.asked(2000)
    expect(await bot.api.getWebhookInfo()).toMatchObject({
      pending_update_count: 2,
      last_error_message: 'Wrong response from the webhook: 500 Internal Server Error',
    })
    clock.advance(2000)
    await clock.asked(4000)
    clock.advance(4000)
    expect(await sees(3)).toEqual(['one', 'one', 'two'])
    expect(new Set(secrets)).toEqual(new Set(['hush']))
  })

  it('delivers an update twice under a fault', async () => {
    const { sees } = await answering()
    await bot.api.setWebhook(hook.url)
    twice()
    await anna.sends('once?')
    expect(await sees(2)).toEqual(['once?', 'once?'])
    await anna.sends('once')
    expect(await sees(1)).toEqual(['once'])
  })
})

describe('a payment', () => {
  beforeEach(() => anna.sends('/topup'))
  const prices = [{ label: 'Top-up', amount: 50 }]
  const invoice = (other = {}) =>
    bot.api.sendInvoice(11, 'Top-up', 'For 100 ₽', 'order-1', 'XTR', prices, other)

  it('fails when the bot does not answer within ten seconds, and a later answer is refused', async () => {
    const paying = anna.pays(await invoice({ reply_markup: new InlineKeyboard().pay('Pay').row().text('x') }))
    await clock.asked(10_000)
    const query = (await bot.api.getUpdates()).at(-1)?.pre_checkout_query
    expect(query).toMatchObject({
      currency: 'XTR',
      total_amount: 50,
      invoice_payload: 'order-1',
      from: { id: 11 },
    })
    expect(labelsOf(await anna.seesButton('x'))).toEqual(['Pay', 'x'])
    clock.advance(10_000)
    expect(await paying).toEqual({ ok: false, error: expect.stringContaining('10 seconds') })
    await expect(bot.api.answerPreCheckoutQuery(query?.id ?? '', true)).rejects.toThrow('query is too old')
  })

  it('is refunded once, which the chat and the list of transactions show', async () => {
    const paying = anna.pays(await invoice())
    await clock.asked(10_000)
    await bot.api.answerPreCheckoutQuery(
      (await bot.api.getUpdates()).at(-1)?.pre_checkout_query?.id ?? '',
      true,
    )
    const paid = await paying
    const charge = paid.ok ? paid.telegram_payment_charge_id : ''
    await expect(bot.api.refundStarPayment(12, charge)).rejects.toThrow('CHARGE_NOT_FOUND')
    await bot.api.refundStarPayment(anna.id, charge)
    await expect(bot.api.refundStarPayment(anna.id, charge)).rejects.toThrow('CHARGE_ALREADY_REFUNDED')
    await anna.sees((message) => message.refunded_payment?.telegram_payment_charge_id === charge)
    const { transactions } = await bot.api.getStarTransactions({ offset: 0, limit: 100 })
    expect(transactions.map((one) => [one.id, one.receiver !== undefined])).toEqual([
      [charge, false],
      [charge, true],
    ])
  })
})
