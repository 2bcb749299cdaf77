// A process of the app is killed during three answers and another process continues them: what had come of each answer is delivered.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type OpenDatabase, openDatabase } from '../../src/db/client.ts'
import { turns } from '../../src/db/schema.ts'
import { audit } from '../../src/ledger/audit.ts'
import type { ScriptedFault } from '../../src/sandbox/faults.ts'
import { type Outside, startOutside } from '../../src/sandbox/outside.ts'
import { freshUrl } from '../support/database/database.ts'
import { type Child, start } from '../support/runtime/child.ts'
import { letAllKnowPrices } from '../support/users/sandbox.ts'
import { createUser, labelsOf, type SandboxUser } from '../support/users/user.ts'

let folder: string
let outside: Outside
let databaseUrl: string
let database: OpenDatabase
let child: Child

const launch = () =>
  start('src/main.ts', {
    ...outside.env,
    PORT: '0',
    DATABASE_URL: databaseUrl,
    PUBLIC_URL: '',
    WELCOME_CREDIT: '500',
    LOG_LEVEL: 'error',
  })

async function newUser(first_name: string): Promise<SandboxUser> {
  const user = await createUser(outside.url, { first_name, language_code: 'en' })
  await user.sends('/help')
  await user.sees(/What I can do/, 20_000)
  return user
}

/** Scripts a fault whose call never returns, lets `work` reach it, and waits until it has. */
async function hangs(one: Omit<ScriptedFault, 'times' | 'fault'>, work: () => Promise<void>): Promise<void> {
  outside.faults.add({ ...one, fault: { kind: 'hang' }, times: 1 })
  await work()
  await expect.poll(() => outside.faults.list()).toEqual([])
}

async function turnOf(question: string) {
  const asked = await database.db.select().from(turns).where(eq(turns.question, question))
  expect(asked.length).toBeLessThan(2)
  return asked[0]
}

const waves = 'Tell me everything about waves [long]'
const storms = 'Tell me everything about storms [long]'
const lion = 'лев на пляже'

async function beginsThreeAnswers(anna: SandboxUser, bella: SandboxUser, clara: SandboxUser) {
  await hangs({ target: 'telegram', operation: 'sendMessage', skip: 1 }, async () => {
    await anna.sends(waves)
    await expect.poll(async () => (await turnOf(waves))?.sent).toBe(1)
  })
  await hangs({ target: 'gateway', operation: 'chat' }, async () => {
    await bella.sends(storms)
    await bella.seesDraft(/closer look at .*storms/, 20_000)
  })
  await expect.poll(async () => (await turnOf(storms))?.answer.length).toBeGreaterThan(100)
  // The card is edited when its list of models opens, when a model that takes English only is chosen, and with the translation.
  await hangs({ target: 'telegram', operation: 'editMessageText', skip: 2 }, async () => {
    await clara.sends(`/image ${lion}`)
    await clara.sees(`Prompt: ${lion}`)
    await clara.taps(/^🎛 Model/)
    await clara.taps(/^Photo/)
    await clara.taps(/^🌐 Translate/)
  })
  await expect.poll(() => turnOf(lion)).toMatchObject({ state: 'done', delivery: 'pending' })
}

/** Lets the leases of the killed process expire. */
async function expire(): Promise<void> {
  for (const table of ['turns', 'updates']) {
    await database.db.execute(
      `update ${table} set lease_until = now() - interval '1 second' where lease_until is not null`,
    )
  }
  await database.db.execute('delete from duties')
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bot-killed-'))
  outside = await startOutside({ port: 0, dataDir: folder, speed: 40, random: Math.random })
  databaseUrl = await freshUrl('postgres')
  database = await openDatabase(databaseUrl)
  await letAllKnowPrices(database.db)
})
afterAll(async () => {
  expect(await audit(database.db)).toEqual([])
  child.kill('SIGKILL')
  await child.ended
  await database.close()
  await outside.close()
  await rm(folder, { recursive: true })
})

/** The bot's answers once one of them shows its price, and the numbers of their sections in the order of the chat. */
async function answered(user: SandboxUser) {
  const isPriced = async () =>
    (await user.chat()).some((message) => labelsOf(message).some((label) => /^ℹ️ ₽\d/.test(label)))
  await expect.poll(isPriced).toBe(true)
  const said = (await user.chat()).flatMap(({ from, text }) => (from?.is_bot ? (text ?? '') : []))
  const found = said.flatMap((text) => [...text.matchAll(/^(\d+)\. A closer look/gm)])
  return { said, sections: found.map(([, number]) => Number(number)) }
}

it('what had come of the answers of a killed process is delivered once by the next one', async () => {
  child = launch()
  const [anna, bella, clara] = [await newUser('Anna'), await newUser('Bella'), await newUser('Clara')]
  await beginsThreeAnswers(anna, bella, clara)
  child.kill('SIGKILL')
  await child.ended
  await expire()
  child = launch()

  // Between two messages: the answer is continued after the last sent one.
  const { sections } = await answered(anna)
  expect(sections.length).toBeGreaterThan(10)
  expect(sections).toEqual(sections.map((_, i) => i + 1))
  await expect.poll(() => turnOf(waves)).toMatchObject({ state: 'done', delivery: 'delivered' })

  // While it was streaming: the answer is sent up to the last saved text.
  const broken = await answered(bella)
  expect(broken.sections.length).toBeGreaterThan(0)
  expect(broken.said.at(-1)).toContain('The answer broke off, so it is free')
  const free = { state: 'stopped', captured: 0n, delivery: 'delivered' }
  await expect.poll(() => turnOf(storms)).toMatchObject(free)

  // A finished translation is shown although the card had not been changed.
  await clara.sees(/Prompt: lev na plyazhe/)
  await expect.poll(() => turnOf(lion)).toMatchObject({ delivery: 'delivered' })
})
