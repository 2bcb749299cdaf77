// A complete order in the sandbox, for tests of what follows it.

import { and, eq } from 'drizzle-orm'
import { generations } from '../../../src/db/schema.ts'
import type { TestSandbox } from './sandbox.ts'
import { labelsOf, type SandboxMessage, type SandboxUser } from './user.ts'

const isDone = ({ text = '' }: SandboxMessage) => /✅ .*(in \d+:|за \d+:)/.test(text)

/** Orders with a command and waits until it is delivered. @returns the id of the generation */
export async function order(
  { app }: TestSandbox,
  user: SandboxUser,
  command: string,
  taps: readonly (string | RegExp)[] = [],
): Promise<string> {
  const before = new Set((await user.chat()).filter(isDone).map(({ message_id }) => message_id))
  await user.sends(command)
  for (const label of [...taps, /^(Generate|Создать) · /]) await user.taps(label)
  const status = await user.sees((message) => isDone(message) && !before.has(message.message_id))
  const [ordered] = await app.db
    .select()
    .from(generations)
    .where(and(eq(generations.chatId, user.chatId), eq(generations.statusMessageId, status.message_id)))
  if (!ordered) throw new Error('a status message is of a generation')
  return ordered.id
}

/** The receipt of the newest order, in place of the list. */
export async function openReceipt(user: SandboxUser): Promise<SandboxMessage> {
  const asked = await user.sends('/history')
  const list = await user.sees((one) => one.message_id > asked.message_id && labelsOf(one).includes('1'))
  await user.taps('1')
  return user.sees(({ message_id, text = '' }) => message_id === list.message_id && text.startsWith('🧾'))
}
