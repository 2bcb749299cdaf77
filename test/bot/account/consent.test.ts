// With CONSENT_VERSION nobody orders, asks or pays before agreeing to the terms, once for each version.

import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { generations, topUps, turns, users } from '../../../src/db/schema.ts'
import { exportData } from '../../../src/privacy/export.ts'
import { openSandbox, type TestSandbox } from '../../support/users/sandbox.ts'
import type { SandboxUser } from '../../support/users/user.ts'

let sandbox: TestSandbox
beforeAll(async () => {
  sandbox = await openSandbox('postgres', { WELCOME_CREDIT: '500', CONSENT_VERSION: '2026-11' })
})
afterAll(() => sandbox.stop())

const rowOf = async ({ id }: SandboxUser) => {
  const [row] = await sandbox.app.db.select().from(users).where(eq(users.telegramId, id))
  return row ?? expect.unreachable()
}

it('an order waits for the consent, which is stored, shown, exported, asked again for a new version, and deleted', async () => {
  const anna = await sandbox.user('Anna')
  await anna.sends('/image a fox')
  await anna.taps(/^Generate/)
  await anna.sees(/accept the \/terms/)
  expect(await sandbox.app.db.$count(generations)).toBe(0)
  await anna.taps(/I agree/)
  await anna.sees(/You’ve agreed/)
  await anna.taps(/^Generate/)
  await anna.seesButton(/Animate/)
  const row = await rowOf(anna)
  expect(row).toMatchObject({ consentVersion: '2026-11', consentedAt: expect.any(Date) })
  expect(row.consentUpdateId).toBeGreaterThan(0)
  expect(JSON.parse(await exportData(sandbox.app.db, row.id, new Date())).profile).toMatchObject({
    consentVersion: '2026-11',
  })
  await anna.sends('/privacy')
  await anna.sees(/agreed to the terms.*version 2026-11/)

  await sandbox.app.db.update(users).set({ consentVersion: '2025-01' }).where(eq(users.id, row.id))
  await anna.sends('/image a hare')
  await anna.taps(/^Generate/)
  await anna.taps(/I agree/)
  await expect.poll(async () => (await rowOf(anna)).consentVersion).toBe('2026-11')
  await anna.sends('/delete_me')
  await anna.taps(/Continue/)
  await anna.taps(/Yes, delete for good/)
  await expect
    .poll(async () => (await sandbox.app.db.select().from(users).where(eq(users.id, row.id)))[0])
    .toMatchObject({
      consentVersion: null,
      consentedAt: null,
      consentUpdateId: null,
    })
})

it('a question is offered again after the consent, and a payment is not opened before it', async () => {
  const boris = await sandbox.user('Boris')
  await boris.sends('How deep is the sea?')
  await boris.sees(/accept the \/terms/)
  expect(await sandbox.app.db.$count(turns)).toBe(0)
  await boris.taps(/I agree/)
  await boris.sees('Thank you! Here’s your question:')
  await boris.taps(/^💬 Ask/)
  await boris.sees(/How deep is the sea/)
  await expect.poll(() => sandbox.app.db.$count(turns)).toBe(1)

  const vera = await sandbox.user('Вера', 'ru')
  await vera.asks('/topup 100', /вы принимаете условия \(\/terms\)/)
  expect(await sandbox.app.db.$count(topUps)).toBe(0)
  await vera.tapsFor('✅ Принимаю', /Вы согласились с условиями/)
  await vera.asks('/topup 100', /Как оплатить/)
  await vera.asks('/privacy', /Вы согласились с условиями и обработкой данных \(версия 2026-11\)/)
})
