// The consent to the terms, and the commands /export and /delete_me, as a user sees them.

import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { mostGuesses } from '../../../src/bot/account/promo.ts'
import { generations, topUps, turns, users } from '../../../src/db/schema.ts'
import { audit } from '../../../src/ledger/audit.ts'
import { readBalance } from '../../../src/ledger/ledger.ts'
import { exportData } from '../../../src/privacy/export.ts'
import { taps } from '../../../src/telegram/taps.ts'
import { ensureUser } from '../../../src/users/user.ts'
import { groupOf } from '../../support/users/group.ts'
import { isHandled } from '../../support/users/handled-again.ts'
import { order } from '../../support/users/order.ts'
import { openSandbox, type TestSandbox } from '../../support/users/sandbox.ts'
import { createUser, type SandboxUser } from '../../support/users/user.ts'
import { makePromos } from '../../support/worlds/promo-codes.ts'

let sandbox: TestSandbox
beforeAll(async () => {
  const env = { WELCOME_CREDIT: '200', SUPPORT_CONTACT: '@help_me', REFERRAL_BONUS: '10' }
  sandbox = await openSandbox('postgres', env)
})
afterAll(async () => {
  expect(await audit(sandbox.app.db)).toEqual([])
  await sandbox.stop()
})

const rowOf = async ({ id }: SandboxUser, { app } = sandbox) => {
  const [found] = await app.db.select().from(users).where(eq(users.telegramId, id))
  return found
}
const isThere = async (user: SandboxUser) => expect(await rowOf(user)).toMatchObject({ forgottenAt: null })

async function deletesEverything(user: SandboxUser): Promise<void> {
  await user.opens('/delete_me', /Continue/)
  await user.sees(/Really delete/)
  await user.tapsFor(/Yes, delete for good/, /Your data is deleted/)
}

it('/export sends the data as a file, and /delete_me deletes it after two more taps', async () => {
  const anna = await createUser(sandbox.url, { first_name: 'Anna', language_code: 'en', username: 'anna' })
  await order(sandbox, anna, '/image a secret fox')
  const before = await rowOf(anna)
  expect(before).toMatchObject({ name: 'Anna', username: 'anna' })
  await anna.asks('/delete_me', /will be lost.*@help_me/s)
  const { document } = await anna.tapsFor(/Download my data/, (message) =>
    /\.json$/.test(message.document?.file_name ?? ''),
  )
  const text = await (await fetch(`${sandbox.url}/api/files/${document?.file_id}`)).text()
  expect(JSON.parse(text)).toMatchObject({
    profile: { telegramId: anna.id, name: 'Anna' },
    balance: { available: 194_72, held: 0 },
    generations: [{ amount: 5_28, captured: 5_28, request: { prompt: 'a secret fox' } }],
    transfers: [{ kind: 'promotion' }, { kind: 'hold' }, { kind: 'capture' }],
  })
  expect(text).not.toMatch(/callbackToken|gatewayCost|multiplier|lease/)
  await deletesEverything(anna)
  expect(await rowOf(anna)).toBeUndefined()
  const id = before?.id ?? 0n
  const [old] = await sandbox.app.db.select().from(users).where(eq(users.id, id))
  expect(old).toMatchObject({ telegramId: null, name: null, username: null, telegramLanguage: null })
  expect(await readBalance(sandbox.app.db, id)).toMatchObject({ available: 194_72n })
  for (const isBlocked of [true, false]) {
    await anna.blocks(isBlocked)
    await isHandled(sandbox, ({ my_chat_member: change }) => change?.from.id === anna.id)
  }
  expect(await rowOf(anna)).toBeUndefined()
})

describe('a user who comes back after the deletion', () => {
  const amounts = { amount: 70_00n, maxUses: 9, createdAt: new Date('2026-01-01') }

  it('gets a new account without the welcome credit, the inviter and a second use of a promo code', async () => {
    await makePromos(sandbox.app.db, { code: 'OLD', ...amounts })
    const anna = await sandbox.user('Anna')
    const link = /ref_[0-9a-z]+/.exec((await anna.asks('/invite', /ref_/)).text ?? '')
    const boris = await sandbox.user('Boris')
    await boris.asks('/promo OLD', /Balance: ₽270/)
    const first = await rowOf(boris)
    await deletesEverything(boris)
    await boris.asks(`/start ${link}`, /Balance: ₽0/)
    const again = await rowOf(boris)
    expect(again?.id).not.toBe(first?.id)
    expect(again?.referrerId).toBeNull()
    await boris.asks('/promo OLD', /came out before you deleted your data/)
    await boris.asks('/history', /Nothing here yet/)
  })

  it('cannot guess promo codes any more often: wrong codes before the deletion count, and codes older than it, too', async () => {
    await makePromos(sandbox.app.db, { code: 'OLDER', ...amounts })
    const eve = await sandbox.user('Eve')
    for (let at = 1; at < mostGuesses; at += 1) {
      await eve.asks(`/promo GUESS${at}`, /no such promo code/)
    }
    await deletesEverything(eve)
    await eve.asks('/promo OLDER', /came out before you deleted your data/)
    await eve.asks('/promo OLDER', /5 wrong codes/)
  })
})

describe('nothing is deleted', () => {
  it('by a button that has expired or whose expiry is forged, nor after “Don’t delete”', async () => {
    const anna = await sandbox.user('Anna')
    await anna.opens('/delete_me', /Continue/)
    const { message_id } = await anna.sees(/Really delete/)
    const times = [Date.now() - 60_000, Date.now() + 11 * 60_000, 999_999_999_999_999]
    for (const until of times) await anna.tapsData(message_id, taps.deleteDataNow.data({ until }))
    const expired = async () => (await anna.answers()).filter(({ text }) => /has expired/.test(text ?? ''))
    await expect.poll(expired).toHaveLength(times.length)
    await anna.hears('Don’t delete', /nothing was deleted/)
    await isThere(anna)
  })

  it('or exported in a group', async () => {
    const anna = await sandbox.user('Anna')
    const id = await groupOf(sandbox, anna)
    for (const command of ['/delete_me', '/export']) {
      const { message_id } = await anna.in(id).asks(command, /Open our private chat and press “Start”/)
      await anna.in(id).tapsData(message_id, `d2:${Date.now() + 60_000}`)
      await anna.in(id).isTold(/Only in the private chat/)
    }
    await isThere(anna)
  })

  it('while an order is in progress, and the user is told', async () => {
    const anna = await sandbox.user('Anna')
    await sandbox.breaks('gateway', 'create', { kind: 'task', status: 'stuck' })
    await anna.opens('/image a fox', /^Generate/)
    await anna.sees(/In the queue|Drawing|Filming/)
    await anna.asks('/delete_me', /orders in progress/)
    await isThere(anna)
  })

  it('while a payment is open at YooKassa; when it is cancelled there, the user is told and can delete', async () => {
    const boris = await sandbox.user('Boris')
    await boris.opens('/topup 200', /YooKassa/)
    await boris.seesButton(/^Pay /)
    const told = await boris.asks('/delete_me', /^You have an unfinished payment/)
    expect(told.text).toMatch(/₽200\b(?!\.\d)[^\n]*at the latest \d\d\/\d\d/)
    const [topUp] = (await sandbox.app.db.select().from(topUps)).filter(({ nextCheckAt }) => nextCheckAt)
    await sandbox.post(`/api/yookassa/payments/${topUp?.externalId}`, { action: 'cancel' })
    await boris.sees(/didn’t go through/)
    await boris.asks('/delete_me', /Deleting your data/)
  })
})

it('an unpaid invoice cannot be paid after the deletion', async () => {
  const anna = await sandbox.user('Anna')
  await anna.opens('/topup 300', /Stars/)
  const invoice = await anna.sees((message) => message.invoice !== undefined)
  await deletesEverything(anna)
  const refused = /invoice was made for someone else|no longer|does not exist/i
  expect(await anna.pays(invoice)).toMatchObject({ ok: false, error: expect.stringMatching(refused) })
})

it('the stored name follows the name in Telegram, and stays when an update has no name', async () => {
  const { db } = sandbox.app
  const person = { telegramId: 515151, languageCode: 'en' }
  const see = async (more: { name?: string; username?: string | null }) => {
    await ensureUser(db, { ...person, ...more }, new Date())
    const [row] = await db.select().from(users).where(eq(users.telegramId, person.telegramId))
    return [row?.name, row?.username]
  }
  expect(await see({ name: 'Eva', username: 'eva' })).toEqual(['Eva', 'eva'])
  expect(await see({})).toEqual(['Eva', 'eva'])
  expect(await see({ name: 'Eva Star', username: null })).toEqual(['Eva Star', null])
})

describe('where an installation asks for consent,', () => {
  let asking: TestSandbox
  beforeAll(async () => {
    asking = await openSandbox('postgres', { WELCOME_CREDIT: '500', CONSENT_VERSION: '2026-11' })
  })
  afterAll(() => asking.stop())

  it('an order waits for it; it is stored, shown, exported, asked again for a new version, and deleted', async () => {
    const { db } = asking.app
    const anna = await asking.user('Anna')
    await anna.opens('/image a fox', /^Generate/)
    await anna.sees(/accept the \/terms/)
    expect(await db.$count(generations)).toBe(0)
    await anna.tapsFor(/I agree/, /You’ve agreed/)
    await anna.taps(/^Generate/)
    await anna.seesButton(/Animate/)
    const row = await rowOf(anna, asking)
    if (!row) return expect.unreachable()
    expect(row).toMatchObject({ consentVersion: '2026-11', consentedAt: expect.any(Date) })
    expect(row.consentUpdateId).toBeGreaterThan(0)
    const { profile } = JSON.parse(await exportData(db, row.id, new Date()))
    expect(profile).toMatchObject({ consentVersion: '2026-11' })
    await anna.asks('/privacy', /agreed to the terms.*version 2026-11/)

    await db.update(users).set({ consentVersion: '2025-01' }).where(eq(users.id, row.id))
    await anna.opens('/image a hare', /^Generate/, /I agree/)
    await expect.poll(async () => (await rowOf(anna, asking))?.consentVersion).toBe('2026-11')
    await deletesEverything(anna)
    const none = { consentVersion: null, consentedAt: null, consentUpdateId: null }
    expect(await db.select().from(users).where(eq(users.id, row.id))).toMatchObject([none])
  })

  it('a question is offered again after it, and a payment is not opened before it', async () => {
    const { db } = asking.app
    const boris = await asking.user('Boris')
    await boris.asks('How deep is the sea?', /accept the \/terms/)
    expect(await db.$count(turns)).toBe(0)
    await boris.tapsFor(/I agree/, 'Thank you! Here’s your question:')
    await boris.tapsFor(/^💬 Answer/, /How deep is the sea/)
    await expect.poll(() => db.$count(turns)).toBe(1)

    const vera = await asking.user('Вера', 'ru')
    await vera.asks('/topup 100', /вы принимаете условия \(\/terms\)/)
    expect(await db.$count(topUps)).toBe(0)
    await vera.tapsFor('✅ Принимаю', /Вы согласились с условиями/)
    await vera.asks('/topup 100', /Как оплатить/)
    await vera.asks('/privacy', /Вы согласились с условиями и обработкой данных \(версия 2026-11\)/)
  })
})
