// Groups of two people in a sandbox, with topics and with a wallet.

import type { TestSandbox } from './sandbox.ts'
import type { SandboxUser } from './user.ts'

/** A new group of Anna, who created it, and Boris. @param facts of the group, in the fields of the users' API */
export async function newGroup(sandbox: TestSandbox, facts: object = {}, language: 'ru' | 'en' = 'en') {
  const people = [await sandbox.user('Anna', language), await sandbox.user('Boris', language)] as const
  const group = { title: 'We', members: people.map((one) => one.id), ...facts }
  const { id } = await sandbox.post<{ id: number }>('/api/chats', group)
  return { id, anna: people[0].in(id), boris: people[1].in(id) }
}

/** A new group of these people. @returns its id */
export async function groupOf(sandbox: TestSandbox, ...people: SandboxUser[]): Promise<number> {
  const group = { title: 'We', members: people.map((one) => one.id) }
  return (await sandbox.post<{ id: number }>('/api/chats', group)).id
}

/** The private chat of a person with the bot. */
export const alone = (user: SandboxUser): SandboxUser => user.in(user.id)

/** Creates a topic in a forum. @returns its place for messages */
export async function newTopic(sandbox: TestSandbox, by: SandboxUser) {
  const path = `/api/chats/${by.chatId}/topics`
  const topic = await sandbox.post<{ message_thread_id: number }>(path, { from: by.id, name: 'Topic' })
  return { thread_id: topic.message_thread_id }
}

/** A new group whose wallet has 300 ₽ of Anna. */
export async function groupWithWallet(sandbox: TestSandbox, facts: object = {}) {
  const group = await newGroup(sandbox, { title: 'Surfers', ...facts })
  const { anna } = group
  await anna.sends('/wallet')
  await anna.taps('Open a wallet')
  await anna.sees(/The group wallet is open, Anna pays/)
  await alone(anna).sends('/wallet')
  await alone(anna).taps(/^\+ .?300/)
  await alone(anna).sees(/Surfers · on[\s\S]*Left: .?300/)
  return group
}
