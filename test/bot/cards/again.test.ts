// “Again” below a result: a double tap, a request that has changed since, a model that has been switched off since.

import { eq } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { generations, switches } from '../../../src/db/schema.ts'
import { modelSwitch } from '../../../src/sales/sales.ts'
import { order } from '../../support/users/order.ts'
import { openSandbox, type TestSandbox } from '../../support/users/sandbox.ts'
import { dataOf } from '../../support/users/user.ts'

// Its own sandbox: the audit would find the changed request of the first test.
let sandbox: TestSandbox
let db: TestSandbox['app']['db']
beforeAll(async () => {
  sandbox = await openSandbox('postgres', { WELCOME_CREDIT: '1000' })
  ;({ db } = sandbox.app)
})
afterEach(async () => void (await db.delete(switches)))
afterAll(() => sandbox.stop())

const switchOff = async (...ids: string[]) => {
  const rows = ids.map((id) => ({ name: modelSwitch(id), since: new Date(), operatorId: 1 }))
  await db.insert(switches).values(rows)
}

it('a double tap orders once, also when the request now has another value of the operator', async () => {
  const anna = await sandbox.user('Anna')
  const id = await order(sandbox, anna, '/image a fox')
  await anna.taps(/^⋯/)
  const result = await anna.seesButton(/^🔁 Again · /)
  const [{ request } = { request: {} }] = await db.select().from(generations).where(eq(generations.id, id))
  const formerly = Object.assign({}, request, { formerly: 'sent' })
  await db.update(generations).set({ request: formerly }).where(eq(generations.id, id))
  const again = dataOf(result, /Again/)
  const taps = () => anna.tapsData(result.message_id, again)
  await Promise.all([taps(), taps()])
  await expect.poll(async () => (await anna.answers()).length).toBeGreaterThanOrEqual(4)
  expect(await db.$count(generations, eq(generations.chatId, anna.chatId))).toBe(2)
})

describe('when the model of the result has been switched off,', () => {
  it('“Again” opens a card of another model and orders nothing', async () => {
    const anna = await sandbox.user('Anna', 'ru')
    await order(sandbox, anna, '/image a fox')
    await switchOff('MODEL-IMAGE-DESIGN')
    await anna.tapsFor([/^⋯/, /^🔁 Ещё раз · /], /⚠️ Модель «Дизайн» сейчас недоступна, вместо неё «Фото»/)
    await anna.sees(/^🖼 Картинка · Фото[\s\S]*a fox[\s\S]*Цена/)
    expect(await db.$count(generations, eq(generations.chatId, anna.chatId))).toBe(1)
    expect((await anna.answers()).filter(({ text }) => /изменились/.test(text ?? ''))).toEqual([])
  })

  it('“Change” opens a card of another model, and “Again” one that says that none can replace it', async () => {
    const [anna, boris] = [await sandbox.user('Anna'), await sandbox.user('Boris')]
    for (const one of [anna, boris]) await order(sandbox, one, '/image a fox')
    await switchOff('MODEL-IMAGE-DESIGN')
    await anna.tapsFor(/^✏️/, /Photo[\s\S]*a fox[\s\S]*Price/)
    await switchOff('MODEL-IMAGE-PHOTO')
    await boris.tapsFor([/^⋯/, /^🔁 Again · /], /a fox[\s\S]*This model is unavailable/)
  })

  it('“Again” names the settings that the other model lacks', async () => {
    const anna = await sandbox.user('Anna')
    await anna.sends('/video a cat')
    for (const button of ['🎛 Model', /^Dream/, '⚙️ More', 'Loop: off']) await anna.taps(button)
    await anna.seesButton('Loop: on')
    await anna.tapsAll(/^Generate/, /^⋯/)
    await anna.seesButton(/^🔁 Again · /)
    await switchOff('MODEL-VIDEO-DREAM')
    await anna.tapsFor(
      /^🔁 Again · /,
      /Dream isn’t available right now[\s\S]*No longer fits, so I reset it: Loop/,
    )
  })
})
