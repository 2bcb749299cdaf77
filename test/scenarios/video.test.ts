// One user's path from /start to a delivered video and a top-up, through the user side of the sandbox, on both engines.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openSandbox, type TestSandbox } from '../support/users/sandbox.ts'
import type { SandboxUser } from '../support/users/user.ts'

interface Recent {
  update: { update_id: number; message?: { successful_payment?: object } }
}

describe.each(['pglite', 'postgres'] as const)('on %s', (engine) => {
  let sandbox: TestSandbox
  let anna: SandboxUser
  beforeAll(async () => {
    sandbox = await openSandbox(engine)
    anna = await sandbox.user('Anna')
  })
  afterAll(() => sandbox.stop())

  it('/start greets and shows the balance', async () => {
    await anna.sends('/start')
    await anna.sees(/Hello, Anna![\s\S]*Balance: 500,00 ₽/)
  })

  it('/video a cat surfing opens a card with the exact price', async () => {
    await anna.sends('/video a cat surfing')
    await anna.sees(/Prompt: a cat surfing[\s\S]*Price: 92,45 ₽ \(5 s × 18,49 ₽\)[\s\S]*Balance: 500,00 ₽/)
  })

  it('Generate delivers a playable video and charges exactly that price', async () => {
    await anna.taps('Generate · 92,45 ₽')
    const result = await anna.sees((message) => message.video !== undefined)
    expect(result.video).toMatchObject({ width: 1920, height: 1088, duration: 5, mime_type: 'video/mp4' })
    await anna.sees(/Done in \d:\d\d · 92,45 ₽ charged/)
    await anna.sends('/balance')
    await anna.sees('Balance: 407,55 ₽')
    expect(await sandbox.get('/api/gateway/account')).toMatchObject({ charged: 9245 })
  })

  it('a generation that fails costs nothing and says so', async () => {
    await sandbox.breaks('gateway', 'create', { kind: 'task', status: 'failed', error: 'no <cats> today' })
    await anna.taps('🔁 Again')
    await anna.taps('Generate · 92,45 ₽')
    await anna.sees(/It did not work\.[\s\S]*no <cats> today[\s\S]*92,45 ₽ is back on your balance/)
    await anna.sends('/balance')
    await anna.sees('Balance: 407,55 ₽')
    expect(await sandbox.get('/api/gateway/account')).toMatchObject({ charged: 9245 })
  })

  it('a canceled generation costs nothing and says so', async () => {
    await sandbox.breaks('gateway', 'create', { kind: 'task', status: 'canceled' })
    await anna.taps('🔁 Again')
    await anna.taps('Generate · 92,45 ₽')
    await anna.sees(/cancelled on the model's side/)
  })

  it('a top-up paid once and reported twice is credited once', async () => {
    await anna.sends('/topup 500')
    await anna.taps('💳 Card')
    const invoice = await anna.sees((message) => message.invoice !== undefined)
    expect(invoice.invoice).toMatchObject({ currency: 'RUB', total_amount: 50000 })
    expect(await anna.pays(invoice)).toMatchObject({ ok: true })
    await anna.sees(/500,00 ₽ added\.\s+Balance: 907,55 ₽/)
    const updates = await sandbox.get<Recent[]>('/api/updates')
    const paid = updates.find(({ update }) => update.message?.successful_payment)
    await sandbox.post('/api/updates/redeliver', { update_id: paid?.update.update_id })
    await anna.sends('/balance')
    await anna.sees(/^Balance: 907,55 ₽/)
    const told = (await anna.transcript()).match(/500,00 ₽ added/g)
    expect(told).toHaveLength(1)
  })

  it('the same invoice cannot be paid again', async () => {
    const invoice = await anna.sees((message) => message.invoice !== undefined)
    expect(await anna.pays(invoice)).toMatchObject({
      ok: false,
      error: expect.stringContaining('has been paid'),
    })
  })

  it('another user cannot pay it either', async () => {
    const boris = await sandbox.user('Boris')
    const group = await sandbox.post<{ id: number }>('/api/chats', {
      title: 'We',
      members: [anna.id, boris.id],
    })
    await anna.in(group.id).sends('/topup 60')
    await anna.in(group.id).taps('💳 Card')
    const invoice = await anna.in(group.id).sees((message) => message.invoice !== undefined)
    const paid = await boris.in(group.id).pays(invoice)
    expect(paid).toMatchObject({ ok: false, error: expect.stringContaining('somebody else') })
  })

  it('the audit is clean', async () => {
    expect(await sandbox.get('/api/audit')).toMatchObject({ clean: true, findings: [] })
  })
})
