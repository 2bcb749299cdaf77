// Writes the evidence that --keep retains, for finding the cause of a violation: all tables and all chats, including deleted messages. The
// logs of the processes are in the same folder.

import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Message } from 'grammy/types'
import { tablesOf } from './machine/database.ts'
import { buttonsOf, type Chat, wordsOf } from './users/chats.ts'
import type { ChaosWorld } from './world.ts'

/** @param folder the folder in which `tables/*.jsonl` and `chats/*.txt` are written */
export async function keepEvidence(
  folder: string,
  { database, chats }: Pick<ChaosWorld, 'database' | 'chats'>,
): Promise<void> {
  await mkdir(join(folder, 'tables'))
  for (const table of await tablesOf(database.sql)) {
    const found = await database.sql`select to_jsonb(t) as row from ${database.sql(table)} t`
    await writeFile(
      join(folder, 'tables', `${table}.jsonl`),
      found.map(({ row }) => `${JSON.stringify(row)}\n`),
    )
  }
  await mkdir(join(folder, 'chats'))
  for (const [id, chat] of chats.all()) await writeFile(join(folder, 'chats', `${id}.txt`), linesOf(chat))
}

function linesOf({ shown }: Chat): string[] {
  return [...shown.values()].map(({ message, isGone }) => {
    const { message_id, date, from } = message
    const buttons = buttonsOf(message).map(({ label, data }) => ` [${label} ${data}]`)
    const time = new Date(date * 1000).toISOString()
    const gone = isGone ? ' (deleted)' : ''
    return `${message_id} ${time} ${from?.first_name}${gone}: ${kindOf(message)}${wordsOf(message)}${buttons.join('')}\n`
  })
}

const kinds = ['photo', 'video', 'voice', 'audio', 'document', 'invoice', 'successful_payment'] as const
const kindOf = (message: Message): string =>
  kinds
    .filter((kind) => message[kind])
    .map((kind) => `<${kind}> `)
    .join('')
