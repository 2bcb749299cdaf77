// Makes a complete order in the sandbox, for tests of the steps after it.

import { and, desc, eq } from 'drizzle-orm'
import { vi } from 'vitest'
import { conversations, generations, turns } from '../../../src/db/schema.ts'
import { ordered } from './pictures.ts'
import type { TestSandbox } from './sandbox.ts'
import { labelsOf, type SandboxMessage, type SandboxUser, textOf } from './user.ts'

/** Orders with a command and waits until the generation is delivered. @returns its id */
export async function order(
  { app }: TestSandbox,
  user: SandboxUser,
  command: string,
  taps: readonly (string | RegExp)[] = [],
): Promise<string> {
  const newest = async () => {
    const [found] = await app.db
      .select()
      .from(generations)
      .where(eq(generations.chatId, user.chatId))
      .orderBy(desc(generations.createdAt))
      .limit(1)
    return found
  }
  const before = (await newest())?.id
  await user.sends(command)
  for (const label of [...taps, /^(Generate|Создать) · /]) await user.taps(label)
  await vi.waitUntil(isDelivered, { timeout: 60_000 })
  async function isDelivered() {
    const now = await newest()
    return now !== undefined && now.id !== before && now.delivery === 'delivered'
  }
  const ordered = await newest()
  if (!ordered) throw new Error('a delivered order is stored')
  return ordered.id
}

/** Orders the newest card; its task fails, which spares the result. @returns the request that the gateway got */
export async function requestOf(
  sandbox: TestSandbox,
  user: SandboxUser,
  button: string | RegExp = /^Generate/,
) {
  await sandbox.breaks('gateway', 'create', { kind: 'task', status: 'failed', error: 'no film today' })
  const card = await user.seesButton(button)
  await user.taps(button)
  await user.sees((one) => one.message_id >= card.message_id && textOf(one).includes('no film today'))
  return (await ordered(sandbox)).at(-1) ?? {}
}

/** Opens the receipt of the newest order, which replaces the list of /history. */
export async function openReceipt(user: SandboxUser): Promise<SandboxMessage> {
  const asked = await user.sends('/history')
  const isBelow = ({ message_id }: SandboxMessage) => message_id > asked.message_id
  await user.sees((one) => isBelow(one) && labelsOf(one).includes('1'))
  await user.taps('1')
  return user.sees((one) => isBelow(one) && /\n(Details|Подробнее)\n/.test(textOf(one)))
}

/** The questions to text models in the chat of this user, the oldest first. */
export const turnsIn = async ({ app }: TestSandbox, { chatId }: SandboxUser) => {
  const inChat = eq(conversations.chatId, chatId)
  const found = await app.db
    .select()
    .from(turns)
    .innerJoin(conversations, and(eq(conversations.id, turns.conversationId), inChat))
    .orderBy(turns.createdAt)
  return found.map(({ turns: turn }) => turn)
}
