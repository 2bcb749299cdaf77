// From /start to a delivered video and a top-up, as a user of the sandbox, on the embedded database.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openSandbox, type TestSandbox } from '../support/users/sandbox.ts'
import type { SandboxUser } from '../support/users/user.ts'

interface Recent {
  update: { update_id: number; message?: { from?: { id: number }; successful_payment?: object } }
}

describe('on the embedded database', () => {
  let sandbox: TestSandbox
  beforeAll(async () => {
    sandbox = await openSandbox('pglite')
  })
  afterAll(async () => {
    expect(await sandbox.get('/api/audit')).toMatchObject({ clean: true, findings: [] })
    await sandbox.stop()
  })

  const charged = async () => (await sandbox.get<{ charged: number }>('/api/gateway/account')).charged
  const balanceIs = async (user: SandboxUser, amount: string) => expect(await user.balance()).toBe(amount)

  it('a card shows the exact price, a video is charged at it, and an order that fails or is cancelled costs nothing', async () => {
    const boris = await sandbox.user('Boris')
    await boris.asks('/start', /Hello, Boris![\s\S]*A gift for you: \D?500/)
    await boris.asks(
      '/video a cat surfing',
      /Prompt: a cat surfing[\s\S]*Price: ₽92.45 \(5 s × ₽18.49\)[\s\S]*Balance: ₽500/,
    )
    const result = await boris.tapsFor('Generate · ₽92.45', (message) => message.video !== undefined)
    expect(result.video).toMatchObject({ width: 1920, height: 1088, duration: 5, mime_type: 'video/mp4' })
    await boris.sees(/Done in \d:\d\d · ₽92.45 charged/)
    await balanceIs(boris, '₽407.55')
    await sandbox.breaks('gateway', 'create', { kind: 'task', status: 'failed', error: 'no <cats> today' })
    await boris.tapsFor(
      [/^⋯/, '🔁 Again · ₽92.45'],
      /Something went wrong\.[\s\S]*no <cats> today[\s\S]*₽92.45 is back on your balance/,
    )
    await balanceIs(boris, '₽407.55')
    await sandbox.breaks('gateway', 'create', { kind: 'task', status: 'canceled' })
    await boris.opens('/video a dog', 'Generate · ₽92.45')
    await boris.sees(/cancelled on the model’s side/)
    await balanceIs(boris, '₽407.55')
    expect(await charged()).toBe(9245)
  })

  it('a payment that is reported twice is credited once, and its invoice cannot be paid again', async () => {
    const eva = await sandbox.user('Eva')
    await eva.sends('/topup 500')
    const invoice = await eva.tapsFor('💳 Card', (message) => message.invoice !== undefined)
    expect(invoice.invoice).toMatchObject({ currency: 'RUB', total_amount: 50000 })
    expect(await eva.pays(invoice)).toMatchObject({ ok: true })
    await eva.sees(/₽500 added\.\s+Balance: ₽1,000/)
    const updates = await sandbox.get<Recent[]>('/api/updates')
    const paid = updates.find(
      ({ update: { message } }) => message?.successful_payment && message.from?.id === eva.id,
    )
    await sandbox.post('/api/updates/redeliver', { update_id: paid?.update.update_id })
    await balanceIs(eva, '₽1,000')
    expect((await eva.transcript()).match(/₽500 added/g)).toHaveLength(1)
    const error = expect.stringContaining('already been paid')
    expect(await eva.pays(invoice)).toMatchObject({ ok: false, error })
  })
})
