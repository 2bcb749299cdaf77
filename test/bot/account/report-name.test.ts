// A name on an operator's button is shortened, but never inside a character (a surrogate pair).

import { afterAll, beforeAll, expect, it } from 'vitest'
import { order } from '../../support/users/order.ts'
import { openSandbox, type TestSandbox } from '../../support/users/sandbox.ts'
import { createUser, labelsOf, type SandboxUser } from '../../support/users/user.ts'

let sandbox: TestSandbox
let operator: SandboxUser
beforeAll(async () => {
  sandbox = await openSandbox('postgres', { ADMIN_IDS: '777001', WELCOME_CREDIT: '500' })
  operator = await createUser(sandbox.url, { id: 777001, first_name: 'Olga', language_code: 'en' })
  await operator.sends('/start')
  await operator.sees(/Olga/)
})
afterAll(() => sandbox.stop())

it('a report from a user with a long name reaches the operator', async () => {
  const anna = await sandbox.user(`${'x'.repeat(39)}😀 Anna`)
  await order(sandbox, anna, '/image a fox')
  await anna.taps(/Problem/)
  await anna.taps(/^✏️ In my own words/)
  await anna.sends('it is a wolf')
  await anna.sees(/Sent to the operator/)
  const told = await operator.sees(/it is a wolf/)
  for (const label of labelsOf(told)) expect(label.isWellFormed()).toBe(true)
})

it('a user with a long name is found by the operator', async () => {
  await sandbox.user('nobody')
  const boris = await sandbox.user(`${'y'.repeat(59)}😀`)
  await boris.sends('/start')
  await boris.sees(/yyy/)
  const other = await sandbox.user(`${'y'.repeat(58)}😀`)
  await other.sends('/start')
  await other.sees(/yyy/)
  await operator.sends('/user yyyy')
  const found = await operator.seesButton(/yyyyyy/)
  for (const label of labelsOf(found)) expect(label.isWellFormed()).toBe(true)
})
