// What every payment provider of the list must do, each against its local double.

import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import { configureProviders, providerIds, providerOfInvoicesIn } from '../../src/payments/providers.ts'
import { refundPayment, resumeRefunds } from '../../src/payments/refunds.ts'
import { checkPayment, openTopUp } from '../../src/payments/top-ups.ts'
import { credit, openProviders, type ProviderCase } from '../support/worlds/payment-providers.ts'

const providers = await openProviders()
const world = providers.world
afterAll(async () => {
  expect(await world.audit()).toEqual([])
  await providers.close()
})
afterEach(() => world.faults.clear())

const environment = () => Object.entries(world.env)
const times = 5

describe.each(providerIds)('%s', (id) => {
  let one: ProviderCase
  let user: { id: bigint; telegramId: number }
  beforeEach(async () => {
    one = providers.cases[id]
    user = await world.user()
    await world.forgetTold()
    world.lines.length = 0
  })

  const configuredBy = (env: readonly (readonly [string, unknown])[]) =>
    configureProviders(Object.fromEntries(env.map(([name, value]) => [name, String(value)])))
  const idsOf = ({ configured }: ReturnType<typeof configureProviders>) =>
    configured.map((provider) => provider.id)

  it('is configured by its own variables, and not when one of them is missing', () => {
    const own = environment().filter(([name]) => one.variables.includes(name))
    expect(idsOf(configuredBy(own))).toEqual([id])
    for (const missing of one.variables) {
      const rest = environment().filter(([name]) => name !== missing)
      expect(idsOf(configuredBy(rest))).not.toContain(id)
    }
  })

  it('is offered at its price, and not when it is not configured', async () => {
    const { currency, amount } = one.charge
    const offered = { provider: id, credit, currency, charge: amount }
    const topUp = await world.open(user.id, credit, id)
    expect(topUp).toMatchObject(offered)
    const deps = { ...world.deps, providers: world.deps.providers.filter((provider) => provider.id !== id) }
    expect(await openTopUp(deps, user.id, credit, id)).toEqual({ ok: false, reason: 'off' })
    const paid = { topUpId: topUp.id, userId: user.id, currency: topUp.currency, charge: topUp.charge }
    expect(await checkPayment(deps, paid)).toEqual({ ok: false, reason: 'off' })
    expect(await refundPayment(deps, id, 'unknown')).toEqual({ ok: false, reason: 'unknown' })
  })

  it('credits a payment once, however often it is reported', async () => {
    const { report } = await one.pay(user)
    expect(await world.available(user.id)).toBe(0n)
    await report()
    for (let at = 0; at < times; at += 1) await report()
    await Promise.all(Array.from({ length: times }, report))
    expect(await world.available(user.id)).toBe(credit)
    expect(await world.told()).toEqual([`credited ${credit}`])
  })

  it('takes the credit of a refunded payment back once, however often the operator asks', async () => {
    const { chargeId, report, refundElsewhere, reportRefund } = await one.pay(user)
    await report()
    const refund = () => refundPayment(world.deps, id, chargeId)
    const refunded = await refund()
    expect(refunded).toEqual(one.refunds ? { ok: true, credit } : { ok: false, reason: 'by-hand' })
    if (!one.refunds) {
      expect(await world.available(user.id)).toBe(credit)
      await refundElsewhere()
      await reportRefund()
    }
    for (const again of await Promise.all(Array.from({ length: times }, refund)))
      expect(again).toEqual({ ok: false, reason: 'already-refunded' })
    await resumeRefunds(world.deps)
    await reportRefund()
    await report()
    expect(await world.available(user.id)).toBe(0n)
    expect(await world.told()).toEqual([`credited ${credit}`, `refunded ${credit}`])
  })

  it('takes the credit back once when the payment was refunded elsewhere, also before it is reported', async () => {
    for (const isReported of one.refunds ? [true, false] : [true]) {
      const { chargeId, report, refundElsewhere, reportRefund } = await one.pay(user)
      if (isReported) await report()
      await refundElsewhere()
      for (let at = 0; at < times; at += 1) await reportRefund()
      await Promise.all([report(), report()])
      expect(await refundPayment(world.deps, id, chargeId)).toEqual({ ok: false, reason: 'already-refunded' })
      expect(await world.available(user.id)).toBe(0n)
      expect(await world.told()).toEqual([`credited ${credit}`, `refunded ${credit}`])
      await world.forgetTold()
    }
  })

  it('names its secrets, and puts them into no log line, no result and no error message', async () => {
    const { configured } = configuredBy(environment())
    expect(configured.find((provider) => provider.id === id)?.secrets).toEqual(one.secrets)
    const { chargeId, report } = await one.pay(user)
    await report()
    const echo = one.secrets.join(' ')
    const refusal = { kind: 'error', status: 401, description: `wrong key ${echo}` }
    for (const fault of [refusal, { kind: 'garbage', body: echo }, { kind: 'cut' }])
      world.fault('*', fault, 1, one.double)
    const results = [await refundPayment(world.deps, id, chargeId)]
    await report()
    world.faults.clear()
    // A refund that was not answered is asked for again after two minutes, and not in the next test.
    world.clock.advance(130_000)
    await resumeRefunds(world.deps)
    const wrong = one.variables.map((name) => [name, ` ${echo}\n`] as const)
    const messages = configuredBy(wrong).issues.map(({ message }) => message)
    const written = JSON.stringify([world.lines, results, messages], (_, value) =>
      typeof value === 'bigint' ? String(value) : value,
    )
    expect(world.lines.length).toBeGreaterThan(0)
    for (const secret of one.secrets) {
      expect(written).not.toContain(secret)
      expect(written).not.toContain(Buffer.from(secret).toString('base64').slice(0, -4))
    }
  })
})

it('every currency of invoices is known by the list', () => {
  const byInvoice = world.deps.providers.filter(({ way }) => way.by === 'invoice')
  expect(byInvoice.length).toBeGreaterThan(0)
  for (const provider of byInvoice) {
    const found = providerOfInvoicesIn(provider.charge(credit).currency)
    expect(byInvoice.map(({ id }) => id)).toContain(found)
  }
})

it('the list has no two providers with the same variable', () => {
  const variables = providerIds.flatMap((id) => providers.cases[id].variables)
  expect(new Set(variables).size).toBe(variables.length)
})
