// Alarms: what each check finds in orders and answers, and how the operators are told: when a trouble begins, every six hours while it
// lasts, and when it ends. The clock is moved by hand.

import { eq } from 'drizzle-orm'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { answer } from '../../src/chat/answer.ts'
import { assemble } from '../../src/chat/dialogue.ts'
import {
  alarms,
  generations,
  lastRuns,
  reports,
  salesStops,
  turns,
  unmatchedPayments,
  updates,
} from '../../src/db/schema.ts'
import { post } from '../../src/ledger/ledger.ts'
import { promotion, refundPayment, rewardBackOf } from '../../src/ledger/moves.ts'
import { type AlarmReport, createAlarms } from '../../src/operator/alarms.ts'
import { watched } from '../../src/operator/checks.ts'
import { recordUnmatched } from '../../src/payments/payment.ts'
import { silentLog } from '../../src/runtime/log.ts'
import type { Loop } from '../../src/runtime/loop.ts'
import { stopSales } from '../../src/sales/sales.ts'
import { events, json } from '../support/gateway/answering.ts'
import { handClock } from '../support/runtime/clock.ts'
import { createAnswers, model } from '../support/worlds/answers.ts'
import { order, userWith } from '../support/worlds/generations.ts'

const minute = 60_000
const hour = 60 * minute
const answers = await createAnswers()
afterAll(() => answers.close())

const { world } = answers
const db = () => world.deps.db
const now = () => world.deps.clock.now()
const ago = (ms: number) => new Date(now().getTime() - ms)
const check = (kind: (typeof watched)[number]['kind'], at = now()) =>
  (watched.find((one) => one.kind === kind) ?? expect.unreachable()).check(db(), at)

/** Orders whose rows are set to this end, without the transfers of an end. */
async function ended(count: number, row: Partial<typeof generations.$inferInsert>): Promise<void> {
  const user = await userWith(world, 1000_00n)
  for (let at = 0; at < count; at += 1) {
    const { id } = await order(world, user)
    await db()
      .update(generations)
      .set({ nextCheckAt: null, settledAt: now(), ...row })
      .where(eq(generations.id, id))
  }
}

const givenUp = { state: 'succeeded', delivery: 'undeliverable', captured: 92_45n } as const

describe('a check', () => {
  const cancelAll = async () => {
    const old = { state: 'canceled', settledAt: new Date(0) } as const
    await db()
      .update(generations)
      .set({ ...old, nextCheckAt: null, delivery: 'none', attempts: 0 })
  }
  afterEach(cancelAll)

  it('finds a stop of sales, also for a while after its end', async () => {
    expect(await check('sales')).toEqual([])
    await stopSales(db(), 'unreachable', now())
    expect(await check('sales')).toEqual([{ what: 'unreachable', fact: 'unreachable' }])
    expect(await check('sales', ago(-15 * minute))).toHaveLength(1)
    expect(await check('sales', ago(-16 * minute))).toEqual([])
    await db().delete(salesStops)
  })

  it('finds a model of which half of the orders within the hour failed', async () => {
    await ended(4, { state: 'failed', reason: 'task-failed' })
    expect(await check('failures')).toEqual([])
    await ended(1, { state: 'failed', reason: 'refused' })
    expect(await check('failures')).toMatchObject([{ fact: 'MODEL-VIDEO-REEL: 5 / 5' }])
    await ended(5, { state: 'succeeded' })
    expect(await check('failures')).toMatchObject([{ fact: 'MODEL-VIDEO-REEL: 5 / 10' }])
    await ended(1, { state: 'succeeded' })
    expect(await check('failures')).toEqual([])
    expect(await check('failures', ago(-hour))).toEqual([])
  })

  it('finds an order that runs or waits too long, has an unknown outcome, or is due without a lease', async () => {
    const cases = [
      { state: 'running', submittedAt: 21 * minute },
      { state: 'held', createdAt: 6 * minute },
      { state: 'unknown', submittedAt: 3 * minute },
      { state: 'running', submittedAt: 7 * minute, nextCheckAt: 6 * minute },
    ] as const
    const one = { fact: expect.stringMatching(/^1: [a-z0-9]{10}$/) }
    for (const { state, ...times } of cases) {
      const back = (share: number) =>
        Object.fromEntries(Object.entries(times).map(([name, ms]) => [name, ago(ms * share)]))
      await ended(1, { state, settledAt: null, nextCheckAt: now(), ...back(1) })
      expect(await check('stuck')).toMatchObject([one])
      await db().update(generations).set(back(0.25)).where(eq(generations.state, state))
      expect(await check('stuck')).toEqual([])
      await cancelAll()
    }
  })

  it('finds a result that was given up, also a month later, until it is fetched, refunded, removed or deleted', async () => {
    const found = async (at = now()) => (await check('undelivered', at)).map(({ fact }) => fact)
    await ended(4, { ...givenUp, attempts: 1 })
    expect(await found()).toEqual([])
    await ended(1, { ...givenUp, attempts: 12 })
    const change = (row: Partial<typeof generations.$inferInsert>) =>
      db().update(generations).set(row).where(eq(generations.attempts, 12))
    const lost = { delivery: 'undeliverable', refunded: 92_44n, hiddenAt: null, chatId: 1 } as const
    for (const end of [
      { delivery: 'delivered' },
      { refunded: 92_45n },
      { hiddenAt: new Date(0) },
      { chatId: 0 },
    ] as const) {
      await change(lost)
      expect(await found(ago(-30 * 24 * hour))).toEqual([expect.stringMatching(/^1: /)])
      await change(end)
      expect(await found()).toEqual([])
    }
    await change(lost)
    await ended(1, { ...givenUp, attempts: 1 })
    expect(await found()).toEqual([expect.stringMatching(/^6: .*…$/)])
  })

  it('finds updates that are not handled, and those that were set aside', async () => {
    const arrived = { body: '{}', receivedAt: ago(4 * minute), dueAt: now() }
    await db()
      .insert(updates)
      .values([71, 72].map((id) => ({ id, ...arrived })))
    expect(await check('updates')).toEqual([])
    expect(await check('updates', ago(-2 * minute))).toEqual([{ fact: '2: 71, 72' }])
    await db().update(updates).set({ doneAt: now() })
    expect(await check('updates', ago(-2 * minute))).toEqual([])
    expect(await check('set-aside')).toEqual([])
    await db().update(updates).set({ setAsideAt: now() })
    expect(await check('set-aside')).toEqual([{ fact: '2: 71, 72' }])
    await db().delete(updates)
  })

  it('finds payments that fit no top-up', async () => {
    const paid = { provider: 'stars', topUpId: 'x', userId: null, charge: 100n, currency: 'XTR' }
    await recordUnmatched(world.deps, paid, 'c1', 'unknown')
    expect(await check('payments')).toEqual([{ fact: '1: stars:c1' }])
    await db().delete(unmatchedPayments)
    expect(await check('payments')).toEqual([])
  })

  it('finds people who owe money because a payment was refunded within the last day', async () => {
    const user = await userWith(world, 100_00n)
    const paid = { provider: 'stars', chargeId: 'spent', topUpId: 'spent', userId: user.id, credit: 112_34n }
    expect(await check('debts')).toEqual([])
    await post(db(), { ...refundPayment(paid), mayOwe: true }, now())
    expect(await check('debts')).toEqual([{ fact: `1: #${user.id} 12.34 ₽` }])
    expect(await check('debts', ago(-25 * hour))).toEqual([])
    await post(db(), promotion(user.id, 'ENOUGH', 12_34n), now())
    expect(await check('debts')).toEqual([])
    const inviter = await userWith(world, 0n)
    const share = { name: 'partner', of: 'stars:spent', userId: inviter.id, amount: 5_00n } as const
    await post(db(), { ...rewardBackOf(share, 0n), mayOwe: true }, now())
    expect(await check('debts'), 'of an inviter').toEqual([{ fact: `1: #${inviter.id} 5.00 ₽` }])
    await post(db(), promotion(inviter.id, 'AGAIN', 5_00n), now())
  })

  it('finds a problem report that has been open for twelve hours', async () => {
    const [user, told] = [await userWith(world, 1000_00n), { said: 'six legs', createdAt: now() }]
    const filed = [await order(world, user), await order(world, user)].map(({ id }) => ({
      ...{ id: `r-${id}`, generationId: id, userId: user.id },
      ...told,
    }))
    await db().insert(reports).values(filed)
    expect(await check('reports', ago(-12 * hour))).toEqual([])
    expect(await check('reports', ago(-12 * hour - 1))).toEqual([
      { fact: `2: ${filed.map(({ generationId }) => generationId).join(', ')}` },
    ])
    await db().update(reports).set({ state: 'declined' })
    expect(await check('reports', ago(-13 * hour))).toEqual([])
  })

  it('reports the findings of the audit', async () => {
    // The orders above ended without transfers, which the audit reports.
    expect(await check('audit')).toMatchObject([{ fact: expect.stringMatching(/^\d+: /) }])
  })

  it('finds a failed backup and an old one, where backups are made', async () => {
    const backup = (doneAt: Date | null, failedAt: Date | null) =>
      db()
        .insert(lastRuns)
        .values({ name: 'backup', doneAt, failedAt })
        .onConflictDoUpdate({ target: lastRuns.name, set: { doneAt, failedAt } })
    const overdue = () => check('no-backup')
    expect(await overdue()).toEqual([])
    await backup(null, ago(hour))
    expect(await overdue()).toEqual([{ fact: '–' }])
    await backup(ago(minute), ago(hour))
    expect(await overdue()).toEqual([])
    await backup(ago(hour), ago(minute))
    expect(await overdue()).toHaveLength(1)
    await backup(ago(27 * hour), null)
    expect(await overdue()).toHaveLength(1)
  })
})

const troubles = () => check('failures')
const refusing = json(400, { error: { message: 'no such model', type: 't', code: 'c' } })
const fine = events([{ choices: [{ delta: { content: 'Because.' } }] }, '[DONE]'])
const brokenOff = events([{ choices: [{ delta: { content: 'Be' } }] }])
const nothing = events([{ choices: [], usage: { prompt_tokens: 1, completion_tokens: 5 } }, '[DONE]'])

/** Asks and answers questions. @param stop stops each answer before its first word */
async function asked(count: number, gateway: Parameters<typeof world.gatewayAnswers>[0], stop = false) {
  for (let at = 0; at < count; at += 1) {
    const { turn } = await answers.asked()
    world.reset()
    world.gatewayAnswers(gateway)
    const user = { role: 'user', text: 'Why?', images: [] } as const
    const dialogue = assemble(undefined, [], user, 1000)
    const modes = { thinking: false, search: false, code: false }
    const request = { model, dialogue, maxOutput: 4000, modes, tools: [] }
    const live = { show: () => undefined, close: async () => undefined }
    const texts = { thinking: '', sources: '', note: () => 'note' }
    const signal = stop ? AbortSignal.abort() : new AbortController().signal
    await answer(world.deps, turn, request, live, texts, signal)
  }
}

describe('failing answers of a text model', () => {
  afterEach(async () => {
    await db()
      .update(turns)
      .set({ settledAt: new Date(0) })
    await db().delete(salesStops)
  })

  it('are an alarm when five failed or broke off within an hour, and were half of all', async () => {
    await asked(3, refusing)
    await asked(1, brokenOff)
    expect(await troubles()).toEqual([])
    await asked(1, json(503, { error: { message: 'busy', type: 't', code: 'c' } }))
    expect(await troubles()).toEqual([{ what: 'T', fact: 'T: 5 / 5' }])
    await asked(5, fine)
    expect(await troubles()).toMatchObject([{ fact: 'T: 5 / 10' }])
    await asked(1, fine)
    expect(await troubles()).toEqual([])
    expect(await check('failures', new Date(now().getTime() + 3_600_000))).toEqual([])
  })

  it('are no alarm when their users stopped them, when they are empty, or when our account is', async () => {
    const poor = json(402, { error: { message: 'no money' } })
    for (const [gateway, failure] of [
      [fine, null],
      [nothing, 'empty'],
      [poor, 'paused'],
    ] as const) {
      world.clock.advance(minute)
      await asked(5, gateway, failure === null)
      const of = db().select({ state: turns.state, failure: turns.failure }).from(turns)
      const ends = await of.where(eq(turns.settledAt, now()))
      expect(ends).toEqual(Array(5).fill({ state: 'failed', failure }))
      expect(await troubles()).toEqual([])
    }
  })

  it('do not end the alarm about an empty account at the gateway; an answer does', async () => {
    await asked(1, json(402, { error: { message: 'no money' } }))
    world.clock.advance(21 * 60_000)
    await asked(1, refusing)
    expect(await check('sales')).toMatchObject([{ what: 'out-of-balance' }])
    await asked(1, fine)
    expect(await check('sales')).toEqual([])
  })
})

describe('the operators', () => {
  const clock = handClock()
  const started: Loop[] = []
  afterEach(async () => {
    await Promise.all(started.splice(0).map((one) => one.stop()))
    await db().delete(alarms)
    await db().delete(salesStops)
  })

  /** A process that runs the checks; all rows but sales stops are too old to count. */
  function watcher(...tells: (() => Promise<boolean>)[]) {
    const said: string[] = []
    const one = createAlarms({
      db: db(),
      clock,
      log: silentLog,
      async tell({ is, kind, fact }: AlarmReport) {
        if (kind !== 'sales') return true
        said.push(`${is} ${fact}`)
        return tells.shift()?.() ?? true
      },
    })
    started.push(one)
    one.start()
    return said
  }
  /** Lets time pass, and resolves after the next checks. */
  const look = async (ms = minute) => {
    clock.advance(ms)
    await clock.asked(minute)
  }

  it('are told when a trouble begins, after six hours, and when it ends', async () => {
    const said = watcher()
    await clock.asked(minute)
    await stopSales(db(), 'unreachable', new Date(clock.now().getTime() + 10 * hour))
    await look()
    expect(said).toEqual(['begins unreachable'])
    await look(hour)
    await look(4 * hour)
    expect(said).toHaveLength(1)
    await look(hour)
    expect(said).toEqual(['begins unreachable', 'lasts unreachable'])
    await look(5 * hour)
    expect(said.at(-1)).toBe('over unreachable')
    await look()
    expect(said).toHaveLength(3)
    await stopSales(db(), 'unreachable', clock.now())
    await look()
    expect(said.at(-1)).toBe('begins unreachable')
  })

  it('are told by only one of several processes', async () => {
    await stopSales(db(), 'unreachable', clock.now())
    const said = [watcher(), watcher(), watcher()]
    for (const _ of said) await clock.asked(minute)
    expect(said.flat()).toEqual(['begins unreachable'])
    clock.advance(2 * hour)
    for (const _ of said) await clock.asked(minute)
    // The two messages may come from different processes.
    expect(said.flat().toSorted()).toEqual(['begins unreachable', 'over unreachable'])
  })

  it('are told by the next check when none of them could be reached, or the message failed', async () => {
    await stopSales(db(), 'unauthorised', clock.now())
    const fails = () => Promise.reject(new Error('the database is gone'))
    const said = watcher(async () => false, fails)
    await clock.asked(minute)
    await look()
    await look()
    expect(said).toEqual(Array(3).fill('begins unauthorised'))
    await look(6 * hour)
    expect(said.at(-1)).toBe('lasts unauthorised')
  })

  it('are told by another process after five minutes when the first one ended before it sent the alarm', async () => {
    await stopSales(db(), 'unauthorised', clock.now())
    const { promise: isEnded, resolve: end } = Promise.withResolvers<boolean>()
    const begun = Promise.withResolvers<void>()
    watcher(() => {
      begun.resolve()
      return isEnded
    })
    await begun.promise
    const said = watcher()
    await clock.asked(minute)
    for (let minutes = 1; minutes <= 4; minutes += 1) await look()
    expect(said).toEqual([])
    await look()
    expect(said).toEqual(['begins unauthorised'])
    end(false)
  })

  it('are not told of the end of an alarm of which nobody was told', async () => {
    await stopSales(db(), 'unreachable', clock.now())
    const said = watcher(async () => false)
    await clock.asked(minute)
    await db().delete(salesStops)
    await look()
    expect(said).toEqual(['begins unreachable'])
  })
})
