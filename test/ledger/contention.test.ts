// Many statements move the money of one account at once. None fails, none takes what another one has taken, and the day's limit holds.

import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type TextModel, textModelList } from '../../src/catalog/text-models.ts'
import type { Conversation } from '../../src/chat/conversations.ts'
import { beginTurn } from '../../src/chat/hold.ts'
import { settleAnswer } from '../../src/chat/turns.ts'
import type { OpenDatabase } from '../../src/db/client.ts'
import { accounts, conversations } from '../../src/db/schema.ts'
import { audit } from '../../src/ledger/audit.ts'
import { randomIds } from '../../src/runtime/ids.ts'
import { openWithTransactions } from '../support/database/transactions.ts'
import { createWorld, type GenerationWorld, userWith } from '../support/worlds/generations.ts'

const clients = 18
const roundsEach = 12
const dailySpend = 300_00n

let world: GenerationWorld
let processes: OpenDatabase[]
beforeAll(async () => {
  world = await createWorld()
  processes = await Promise.all([1, 2, 3].map(() => openWithTransactions(world.database.url)))
})
afterAll(async () => {
  await Promise.all(processes.map((one) => one.close()))
  await world.close()
})

/** Runs the rounds of all clients at once. */
async function together(round: (deps: GenerationWorld['deps'], at: number) => Promise<unknown>) {
  const limits = { ...world.deps.limits, concurrent: 1000, dailySpend }
  const client = async (_: unknown, at: number) => {
    const db = processes[at % processes.length]?.db ?? world.deps.db
    for (let done = 0; done < roundsEach; done += 1)
      await round({ ...world.deps, db, limits }, at * roundsEach + done)
  }
  await Promise.all(Array.from({ length: clients }, client))
  expect(await audit(world.deps.db)).toEqual([])
}

const [model] = textModelList.parse([
  { id: 'T', family: 'gpt', rates: { input: '5000', output: '5000' }, maxOutput: 20_000 },
]) as [TextModel]

it('an answer takes what the balance and the limit allow at that moment', async () => {
  const { id: userId } = await userWith(world, 200_00n)
  const thread = { id: `thread-${userId}`, userId, chatId: Number(userId), modelId: 'x' }
  const modes = { thinking: false, search: false, code: false }
  await world.deps.db.insert(conversations).values({ ...thread, modes, createdAt: world.clock.now() })
  let asked = 0
  await together(async (deps, at) => {
    const begun = await beginTurn(deps, {
      id: randomIds.next(),
      conversation: { id: thread.id } as Conversation,
      userId,
      model: { ...model, maxOutput: 1000 + (at % 7) * 3000 },
      text: '?',
      files: [],
      messageId: null,
      updateId: at,
      inputTokens: 2,
      leastOutput: 2,
    })
    if (!begun.ok) return
    asked += 1
    const [account] = await deps.db.select().from(accounts).where(eq(accounts.ownerId, userId))
    expect(account?.spentToday).toBeLessThanOrEqual(dailySpend)
    const used = { text: '!', thinking: '', sources: [], inputTokens: 2, outputTokens: 2, isEstimate: false }
    const outcome = { ...used, state: 'done', failure: null, rates: null, captured: 1n } as const
    const parts = [{ kind: 'text', text: '!', entities: [] }] as const
    await settleAnswer(deps, begun.turn, { outcome, parts, lease: begun.turn.lease ?? '' })
  })
  expect(asked).toBeGreaterThan(20)
})
