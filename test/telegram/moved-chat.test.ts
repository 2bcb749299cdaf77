// A group that becomes a supergroup while other statements change its rows, or make rows in the new chat.

import { eq } from 'drizzle-orm'
import { afterAll, expect, it } from 'vitest'
import type { Database } from '../../src/db/client.ts'
import { accounts, conversations, generations } from '../../src/db/schema.ts'
import { openWallet, ownWallet, type Wallet } from '../../src/ledger/wallets.ts'
import { quoteDraft } from '../../src/orders/confirm.ts'
import { createDraft } from '../../src/orders/drafts.ts'
import { randomIds } from '../../src/runtime/ids.ts'
import { moveChat } from '../../src/telegram/moved-chat.ts'
import type { User } from '../../src/users/user.ts'
import { openWithTransactions } from '../support/database/transactions.ts'
import { lockWaits } from '../support/database/waiting.ts'
import { auditedWorld } from '../support/worlds/audited.ts'
import { confirm } from '../support/worlds/confirm.ts'
import { userWith } from '../support/worlds/generations.ts'

const world = await auditedWorld()
const { clock, deps } = world
const { db } = deps
const other = await openWithTransactions(world.database.url)
afterAll(() => other.close())

let last = -7000
function groups() {
  last -= 2
  return { from: last, to: last + 1 }
}

/** Moves the chat, which has to wait until a transaction of another process has ended. @param begin the statements of the transaction */
async function moveDuring(
  { from, to }: ReturnType<typeof groups>,
  begin: (tx: Database) => Promise<unknown>,
): Promise<void> {
  const { moving } = await other.db.transaction(async (tx) => {
    await begin(tx)
    const begun = moveChat(db, from, to)
    await lockWaits(other.db)
    return { moving: begun }
  })
  await moving
}

async function walletAt(chatId: number, { id: ownerId }: User, tx = db): Promise<Wallet> {
  const opened = await openWallet(tx, { ownerId, chatId, title: 'We', dailyCap: 1n }, clock.now())
  if (!opened) throw new Error('not opened')
  return opened
}

it('a conversation that is opened in the supergroup during the move stays open, and the one of the group is closed', async () => {
  const { from, to } = groups()
  const { id: userId } = await userWith(world, 0n)
  const createdAt = clock.now()
  const modes = { thinking: false, search: false, code: false }
  const one = { userId, modelId: 'm', modes, createdAt }
  await db.insert(conversations).values({ ...one, id: 'old', chatId: from })
  await moveDuring({ from, to }, (tx) =>
    tx
      .insert(conversations)
      .values({ ...one, id: 'new', chatId: to })
      .then(),
  )
  const found = await db.select().from(conversations).orderBy(conversations.id)
  expect(found).toMatchObject([
    { id: 'new', chatId: to, closedAt: null },
    { id: 'old', chatId: to, closedAt: createdAt },
  ])
})

it('a wallet that is opened in the supergroup during the move stays, and that of the group is not moved', async () => {
  const [owner, another] = [await userWith(world, 0n), await userWith(world, 0n)]
  for (const rival of [owner, another]) {
    const { from, to } = groups()
    const wallet = await walletAt(from, owner)
    await moveDuring({ from, to }, (tx) => walletAt(to, rival, tx))
    expect(await ownWallet(db, wallet.id, wallet.ownerId)).toMatchObject({ chatId: from })
    expect(await db.select().from(accounts).where(eq(accounts.chatId, to))).toMatchObject([
      { ownerId: rival.id, isOn: true },
    ])
  }
})

it('the status message of an order is not looked for in the supergroup', async () => {
  const { from, to } = groups()
  const user = await userWith(world, 500_00n)
  const chat = { chatId: from, topicId: null, modelId: 'MODEL-VIDEO-REEL', userId: user.id }
  const answers = { positivePrompt: 'a cat surfing' }
  const draft = await createDraft(db, { ...chat, id: randomIds.next(), answers }, clock.now())
  const quoted = await quoteDraft(deps, draft)
  if (!quoted.ok) throw new Error(quoted.reason)
  await confirm(deps, { quoteId: quoted.quote.id, userId: user.id, statusMessageId: 77 })
  const ordered = () => db.select().from(generations).where(eq(generations.draftId, draft.id))
  expect(await ordered()).toMatchObject([{ chatId: from, statusMessageId: 77 }])
  await moveChat(db, from, to)
  expect(await ordered()).toMatchObject([{ chatId: to, statusMessageId: null }])
})
