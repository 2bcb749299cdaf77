// Where users come from: the first link of a person counts, and the money of the people of each source adds up.

import { afterAll, expect, it } from 'vitest'
import { runCommand } from '../../src/cli/admin/commands.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { randomIds } from '../../src/runtime/ids.ts'
import { bossId, openDesk } from '../support/users/desk.ts'
import { createUser, type SandboxMessage } from '../support/users/user.ts'

const aideId = 900_002
const { sandbox, boss, desk } = await openDesk({ ADMIN_IDS: `${bossId},${aideId}` })
afterAll(() => desk.close())

const arrives = (first_name: string) => createUser(sandbox.url, { first_name, language_code: 'en' })
const hasPhoto = ({ photo }: SandboxMessage) => photo !== undefined

it('the desk makes a link, and tells what the people who came by it first have done', async () => {
  await boss.sends('/sources my blog')
  await boss.sees(/Write \/sources and a period/)
  await boss.sends('/sources blog-1')
  await boss.sees(/\?start=src_blog-1/)
  const anna = await arrives('Anna')
  await anna.sends('/start src_blog-1')
  await anna.sends('/start src_other')
  await anna.sends('/image a fox')
  await anna.taps('Generate · ₽5.28')
  await anna.sees(hasPhoto)
  const boris = await arrives('Boris')
  await boris.sends('/start src_blog-1')
  const clara = await arrives('Clara')
  await clara.sends('/start src_not a name')
  await clara.sees(/Clara/)
  await boris.sees(/Boris/)
  await boss.sends('/sources 7')
  const { text = '' } = await boss.sees(/Where people come from/)
  expect(text).toContain(
    'blog-1: 2 came, 1 ordered, 0 paid · top-ups ₽0 · revenue ₽5.28, of it from newcomers ₽5.28 (refunds ₽0) · margin ₽0',
  )
  expect(text).toContain('direct: 2 came, 0 ordered, 0 paid')
  expect(text).not.toContain('other')
  await boss.sends('/sources csv')
  await boss.sees(({ document }) => document?.file_name?.startsWith('sources-20') === true)
  const { db } = sandbox.app
  const deps = { db, clock: systemClock, ids: randomIds, timeZone: 'Europe/Moscow', ask: undefined }
  expect(await runCommand(deps, ['sources', '7', '--csv'])).toEqual({
    code: 0,
    lines: [
      '\uFEFFby,name,came,ordered,paid,top-ups,revenue from newcomers,done,failed,sales,refunds,revenue,cost,margin before commissions',
      'source,blog-1,2,1,0,0.00,5.28,,,5.28,0.00,5.28,5.28,0.00',
      'source,direct,2,0,0,0.00,0.00,,,0.00,0.00,0.00,0.00,0.00',
    ],
  })
  const aide = await createUser(sandbox.url, { first_name: 'Aide', language_code: 'ru', id: aideId })
  await aide.asks('/sources blog-2', /Ссылка источника[\s\S]*\?start=src_blog-2/)
  await aide.asks('/sources 7', /blog-1: пришло 2, заказали 1, заплатили 0 · пополнения 0 ₽ · выручка 5,28 ₽/)
  await aide.asks('/accounting', /🎁 Приветственные бонусы: 5, 2 500 ₽/)
})
