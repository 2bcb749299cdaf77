// The statement in the chat and in the CSV file. Its sums are in test/ledger/statement.test.ts.

import { eq, inArray } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { generations, transfers, users } from '../../../src/db/schema.ts'
import { csv, csvAmount } from '../../../src/runtime/csv.ts'
import { groupOf } from '../../support/users/group.ts'
import { order } from '../../support/users/order.ts'
import { openSandbox, type TestSandbox } from '../../support/users/sandbox.ts'
import { labelsOf } from '../../support/users/user.ts'

it('the CSV file quotes cells where needed, marks text that a spreadsheet would run, and writes amounts as the language does', () => {
  const amounts = [0n, 5n, -92_45n, 1_234_567_89n].map((kopecks) => csvAmount(kopecks, ','))
  expect([...amounts, csvAmount(-92_45n, '.')]).toEqual(['0,00', '0,05', '-92,45', '1234567,89', '-92.45'])
  expect(csv([['a;b', 'c,d', '-5.00']], '.')).toBe('\uFEFFa;b,"c,d",-5.00\r\n')
  const rows = [['a;b', 'say "hi"', '=1+1', '-5,00', '-note', 'x\ny']]
  expect(csv(rows, ',')).toBe(`\uFEFF"a;b";"say ""hi""";'=1+1;-5,00;'-note;"x\ny"\r\n`)
})

describe('/statement', () => {
  // Its own sandbox: the audit would find the rows that these tests change.
  let sandbox: TestSandbox
  beforeAll(async () => {
    sandbox = await openSandbox('postgres', { WELCOME_CREDIT: '100' })
  })
  afterAll(() => sandbox.stop())

  /** Sets the time of all movements of a user: midnight in Moscow may come between them while a test runs. */
  async function movesAreOf({ id }: { readonly id: number }, createdAt: Date): Promise<void> {
    const { db } = sandbox.app
    const own = db.select({ id: users.id }).from(users).where(eq(users.telegramId, id))
    await db.update(transfers).set({ createdAt }).where(inArray(transfers.userId, own))
  }

  it('shows the last movements and sends all of them as a file; it names no id of an order or a model', async () => {
    const anna = await sandbox.user('Anna')
    const id = await order(sandbox, anna, '/image a fox')
    const { text = '' } = await anna.asks('/statement', / · Order · .*: −₽5.28 → ₽94.72/)
    expect(text).toMatch(/Balance: ₽94.72/)
    expect(text).toMatch(/\+₽100.00 → ₽100.00/)
    const { document } = await anna.sees((message) => /\.csv$/.test(message.document?.file_name ?? ''))
    expect(document?.file_name).toMatch(/^statement-\d{4}-\d\d-\d\d\.csv$/)
    const file = await fetch(`${sandbox.url}/api/files/${document?.file_id}`)
    const bytes = Buffer.from(await file.arrayBuffer())
    expect([...bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf])
    const rows = bytes.toString().trim().split('\r\n').slice(1)
    const cells = rows.map((row) => row.split(','))
    expect(cells.reduce((total, [, , change]) => total + Number(change), 0)).toBeCloseTo(94.72)
    expect(cells.at(-1)?.[3]).toBe('94.72')
    expect(cells.at(-1)?.[0]).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)
    expect(bytes.toString()).not.toContain(id)
    expect(cells.slice(-2).map((row) => row[7])).toEqual(['1', '1'])
    const past = { modelId: 'MODEL-OF-THE-PAST' }
    await sandbox.app.db.update(generations).set(past).where(eq(generations.id, id))
    await anna.asks('/statement', / · Order · a model that is no longer sold/)
    expect(await anna.transcript()).not.toContain('MODEL-OF-THE-PAST')
    await anna.in(await groupOf(sandbox, anna)).asks('/statement', /our private chat/)
  })

  it('names the model of an answer, and folds the answers of a day into one line', async () => {
    const dora = await sandbox.user('Dora')
    for (const question of ['one', 'two', 'three']) {
      await dora.asks(`/chat ${question} [short]`, (one) => labelsOf(one).includes('🔁 Again'))
      if (question !== 'one') continue
      await dora.asks('/statement', / · Answer · Assistant: −/)
    }
    await movesAreOf(dora, new Date('2026-11-21T12:00:00Z'))
    const { text = '' } = await dora.asks('/statement', /2 of 2[\s\S]*answers/)
    expect(text.match(/3 answers: −₽[\d.]+ → ₽99.\d\d/g)).toHaveLength(1)
  })

  it('has one line for a question that is still being answered, and says what is held for it', async () => {
    const finn = await sandbox.user('Finn')
    await sandbox.breaks('gateway', 'chat', { kind: 'hang', ms: 60_000 })
    await finn.sends('Tell me everything about boards [long]')
    await finn.seesDraft(/boards/)
    const { text = '' } = await finn.asks('/statement', /latest entries/)
    expect(text).toMatch(/2 of 2/)
    const [, change, after] = text.match(/Answer · Assistant: −₽([\d.]+) → ₽([\d.]+)/) ?? []
    expect(Number(change) + Number(after)).toBeCloseTo(100)
    expect(text).toContain(`Balance: ₽${after}`)
    expect(text).toContain(`Set aside for orders in progress: ₽${change}`)
    await finn.stops()
    await finn.sees(/Stopped/)
  })
})
