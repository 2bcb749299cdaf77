// Processes of the app are killed during an answer and other processes continue it: what had come of the answer is delivered.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { desc, eq } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { type OpenDatabase, openDatabase } from '../../src/db/client.ts'
import { turns } from '../../src/db/schema.ts'
import { audit } from '../../src/ledger/audit.ts'
import type { ScriptedFault } from '../../src/sandbox/faults.ts'
import { type Outside, startOutside } from '../../src/sandbox/outside.ts'
import { freshUrl } from '../support/database/database.ts'
import { sectionsIn } from '../support/gateway/long-answer.ts'
import { type Child, start } from '../support/runtime/child.ts'
import { letAllKnowPrices } from '../support/users/sandbox.ts'
import { createUser, labelsOf, type SandboxMessage, type SandboxUser } from '../support/users/user.ts'

let folder: string
let outside: Outside
let databaseUrl: string
let database: OpenDatabase
let child: Child
let anna: SandboxUser

const launch = () =>
  start('src/main.ts', {
    ...outside.env,
    PORT: '0',
    DATABASE_URL: databaseUrl,
    PUBLIC_URL: '',
    WELCOME_CREDIT: '500',
    LOG_LEVEL: 'error',
  })

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bot-killed-'))
  outside = await startOutside({ port: 0, dataDir: folder, speed: 40, random: Math.random })
  databaseUrl = await freshUrl('postgres')
  database = await openDatabase(databaseUrl)
  await letAllKnowPrices(database.db)
  child = launch()
  anna = await createUser(outside.url, { first_name: 'Anna', language_code: 'en' })
  await anna.sends('/help')
  await anna.sees(/What I can do/, 20_000)
})
afterAll(async () => {
  child.kill('SIGKILL')
  await child.ended
  await database.close()
  await outside.close()
  await rm(folder, { recursive: true })
})
afterEach(async () => {
  outside.faults.clear()
  expect(await audit(database.db)).toEqual([])
})

const fault = (one: Omit<ScriptedFault, 'times'>, times = 1) => outside.faults.add({ ...one, times })

async function lastTurn() {
  const [turn] = await database.db.select().from(turns).orderBy(desc(turns.createdAt)).limit(1)
  return turn
}

/** Starts another process after the leases of the killed one have expired. */
async function restart(): Promise<void> {
  await child.ended
  outside.faults.clear()
  for (const table of ['turns', 'updates']) {
    await database.db.execute(
      `update ${table} set lease_until = now() - interval '1 second' where lease_until is not null`,
    )
  }
  await database.db.execute('delete from duties')
  child = launch()
}

const hasPrice = (message: SandboxMessage) => labelsOf(message).some((label) => /^ℹ️ ₽\d/.test(label))
/** The messages after the question, once one of them shows the price. */
async function answerTo(question: string): Promise<SandboxMessage[]> {
  const said = async () => {
    const messages = await anna.chat()
    return messages.slice(messages.findLastIndex(({ text }) => text === question) + 1)
  }
  await expect.poll(async () => (await said()).some(hasPrice)).toBe(true)
  return said()
}

it('an answer whose process was killed between two messages is continued after the last sent one', async () => {
  fault({ target: 'telegram', operation: 'sendMessage', fault: { kind: 'hang' }, skip: 1 })
  const question = 'Tell me everything about waves [long]'
  await anna.sends(question)
  await expect.poll(async () => (await lastTurn())?.sent).toBe(1)
  child.kill('SIGKILL')
  await restart()
  const sections = sectionsIn(await answerTo(question))
  expect(sections.length).toBeGreaterThan(10)
  expect(sections).toEqual(sections.map((_, i) => i + 1))
  await expect.poll(lastTurn).toMatchObject({ state: 'done', delivery: 'delivered' })
})

it('an answer whose process was killed while it was streaming is sent up to the last saved text', async () => {
  fault({ target: 'gateway', operation: 'chat', fault: { kind: 'hang' } })
  const question = 'Tell me everything about storms [long]'
  await anna.sends(question)
  await anna.seesDraft(/closer look at .*storms/, 20_000)
  await expect.poll(async () => (await lastTurn())?.answer.length).toBeGreaterThan(100)
  child.kill('SIGKILL')
  await restart()
  const answer = await answerTo(question)
  expect(sectionsIn(answer).length).toBeGreaterThan(0)
  expect(answer.at(-1)?.text).toContain('The answer broke off, so it is free')
  await expect.poll(lastTurn).toMatchObject({ state: 'stopped', captured: 0n, delivery: 'delivered' })
})

/** Opens a card whose model takes English only, and taps “Translate”. */
async function translates(words: string): Promise<void> {
  await anna.sends(`/image ${words}`)
  await anna.sees(`Prompt: ${words}`)
  await anna.taps(/^🎛 Model/)
  await anna.taps(/^Photo/)
  await anna.taps(/^🌐 Translate/)
}

it('a finished translation is shown although its process was killed before it changed the card', async () => {
  fault({ target: 'telegram', operation: 'editMessageText', fault: { kind: 'hang' }, skip: 2 })
  await translates('лев на пляже')
  await expect.poll(lastTurn).toMatchObject({ state: 'done', question: 'лев на пляже', delivery: 'pending' })
  child.kill('SIGKILL')
  await restart()
  await anna.sees(/Prompt: lev na plyazhe/)
  await expect.poll(lastTurn).toMatchObject({ delivery: 'delivered' })
  expect(await database.db.$count(turns, eq(turns.question, 'лев на пляже'))).toBe(1)
})
