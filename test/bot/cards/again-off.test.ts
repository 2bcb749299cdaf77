// “Again” below a result whose model has been switched off: the card says so and has another model.

import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { generations, switches } from '../../../src/db/schema.ts'
import { modelSwitch } from '../../../src/sales/sales.ts'
import { order } from '../../support/users/order.ts'
import { openSandbox, type TestSandbox } from '../../support/users/sandbox.ts'

let sandbox: TestSandbox
beforeAll(async () => {
  sandbox = await openSandbox('postgres', { WELCOME_CREDIT: '1000' })
})
afterEach(async () => void (await sandbox.app.db.delete(switches)))
afterAll(() => sandbox.stop())

const switchOff = async (...ids: string[]) =>
  void (await sandbox.app.db
    .insert(switches)
    .values(ids.map((id) => ({ name: modelSwitch(id), since: new Date(), operatorId: 1 }))))

describe.each([
  [
    'en',
    /^🔁 Again · /,
    /⚠️ Design is not available right now, so this is Photo/,
    /^🖼 Photo[\s\S]*a fox[\s\S]*Price/,
  ],
  [
    'ru',
    /^🔁 Ещё раз · /,
    /⚠️ Модель «Дизайн» сейчас недоступна, вместо неё «Фото»/,
    /^🖼 Фото[\s\S]*a fox[\s\S]*Цена/,
  ],
] as const)('in %s', (language, again, why, card) => {
  it('“Again” opens a card of another model and orders nothing', async () => {
    const anna = await sandbox.user('Anna', language)
    await order(sandbox, anna, '/image a fox')
    const count = await sandbox.app.db.$count(generations)
    await switchOff('MODEL-IMAGE-DESIGN')
    await anna.taps(again)
    await anna.sees(why)
    await anna.sees(card)
    expect(await sandbox.app.db.$count(generations)).toBe(count)
    expect((await anna.answers()).filter(({ text }) => /changed|изменились/.test(text ?? ''))).toEqual([])
  })
})

it('“Again” opens a card that says that its model is unavailable when no other model can replace it', async () => {
  const anna = await sandbox.user('Anna')
  await order(sandbox, anna, '/image a fox')
  await switchOff('MODEL-IMAGE-DESIGN', 'MODEL-IMAGE-PHOTO')
  await anna.taps(/^🔁 Again · /)
  await anna.sees(/a fox[\s\S]*This model is unavailable/)
})

it('a new prompt for the result of a model that is off opens a card of another model', async () => {
  const anna = await sandbox.user('Anna')
  await order(sandbox, anna, '/image a fox')
  await switchOff('MODEL-IMAGE-DESIGN')
  await anna.taps(/What next/)
  await anna.taps(/^✏️/)
  await anna.sees(/Write the answer/)
  await anna.sends('a wolf')
  await anna.sees(/Photo[\s\S]*a wolf[\s\S]*Price/)
})

it('“Again” names the settings that the other model lacks', async () => {
  const anna = await sandbox.user('Anna')
  await anna.sends('/video a cat')
  await anna.taps('🎛 Model')
  await anna.taps(/^Dream/)
  await anna.taps('⚙️ More settings')
  await anna.taps('Loop: off')
  await anna.seesButton('Loop: on')
  await anna.taps(/^Generate/)
  await anna.seesButton(/^🔁 Again · /)
  await switchOff('MODEL-VIDEO-DREAM')
  await anna.taps(/^🔁 Again · /)
  await anna.sees(/Dream is not available right now[\s\S]*No longer fits, so it was reset: Loop/)
})
