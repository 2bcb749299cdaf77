// The limit of unpaid payment links of a user.

import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, it } from 'vitest'
import { topUps, users } from '../../../src/db/schema.ts'
import { openSandbox, type TestSandbox } from '../../support/users/sandbox.ts'

let sandbox: TestSandbox
beforeAll(async () => {
  sandbox = await openSandbox('postgres', { TOPUP_ROUBLES_PER_STAR: '', TOPUP_RUB_PROVIDER_TOKEN: '' })
})
afterAll(() => sandbox.stop())

it.each([
  ['en', 'You already have 10 unpaid payment links. Pay by one of them above'],
  ['ru', 'Неоплаченных ссылок на оплату уже 10, больше открыть нельзя. Оплатите по одной из них выше'],
] as const)('in %s: the eleventh unpaid link is refused', async (language, refusal) => {
  const { db } = sandbox.app
  const anna = await sandbox.user('Anna', language)
  await anna.sends('/topup 500')
  await anna.seesButton(/^(Pay|Оплатить) /)
  const [one] = await db
    .select()
    .from(topUps)
    .innerJoin(users, eq(users.id, topUps.userId))
    .where(eq(users.telegramId, anna.id))
  if (!one) throw new Error('the link has a top-up')
  const copy = (at: number) => ({ ...one.top_ups, id: `${language}-${at}`, externalId: `${language}-${at}` })
  await db.insert(topUps).values(Array.from({ length: 9 }, (_, at) => copy(at)))
  await anna.sends('/topup 300')
  await anna.sees(refusal)
})
