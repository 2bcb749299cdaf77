// Our cost of orders compared with the gateway's account, which can be read in the sandbox.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openSandbox, type TestSandbox } from '../support/users/sandbox.ts'

describe('our cost and the account of the gateway', () => {
  let sandbox: TestSandbox
  beforeAll(async () => {
    sandbox = await openSandbox()
  })
  afterAll(() => sandbox.stop())

  interface Told {
    clean: boolean
    gateway: { ours: number; charged: number; difference: number; live: number; answers: number }
  }

  it('agree to the kopeck for full, partial and failed orders', async () => {
    const anna = await sandbox.user('Anna')
    const makes = async (command: string, price: string, end: string) => {
      await anna.sends(command)
      await anna.taps(`Generate · ${price}`)
      await anna.sees(end)
    }
    await makes('/video a cat', '₽92.45', '₽92.45 charged')
    await makes('/video a dog [fail]', '₽92.45', 'back on your balance')
    await makes('/speech Good morning!', '₽0.01', '₽0.01 charged')
    await anna.sends('/video two cats [partial]')
    await anna.taps('⚙️ More')
    await anna.taps(/How many/)
    await anna.taps('2')
    await anna.taps('Generate · ₽184.90')
    await anna.sees('Partly done')
    const told = await sandbox.get<Told>('/api/audit')
    expect(told).toMatchObject({
      clean: true,
      gateway: { ours: 184_91, charged: 184_91, difference: 0, live: 0 },
    })
  })
})
