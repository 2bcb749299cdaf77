// What an operator reads when the settings are well formed but the app cannot start: one sentence, soon, without a stack.

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Api } from 'grammy'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { type Outside, secrets, startOutside } from '../../src/sandbox/outside.ts'
import { freshUrl } from '../support/database/database.ts'
import { type Child, run, start } from '../support/runtime/child.ts'

let folder: string
let outside: Outside
let databaseUrl: string
/** A server that accepts connections and never answers. */
let silent: Server
let silentPort: number
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bot-start-'))
  outside = await startOutside({ port: 0, dataDir: folder, speed: 40, random: Math.random })
  databaseUrl = await freshUrl('postgres')
  silent = createServer(() => undefined)
  silentPort = await new Promise((resolve) => {
    silent.listen(0, '127.0.0.1', () => {
      const address = silent.address()
      resolve(typeof address === 'object' && address ? address.port : 0)
    })
  })
})
let child: Child | undefined
afterEach(async () => {
  outside.faults.clear()
  child?.kill('SIGKILL')
  await child?.ended
  child = undefined
})
afterAll(async () => {
  silent.close()
  await outside.close()
  await rm(folder, { recursive: true })
})

const settings = (more: Record<string, string> = {}) => ({
  ...outside.env,
  DATABASE_URL: databaseUrl,
  PORT: '0',
  ...more,
})

/** Checks that the process ends with code 2 and one sentence, and that the log has no stack. @returns the sentence */
async function cannotStart(more: Record<string, string>): Promise<string> {
  const { code, output, complaints } = await run('src/main.ts', settings(more))
  expect([code, complaints.trimEnd().split('\n').length]).toEqual([2, 1])
  expect(output + complaints).not.toMatch(/"stack"|^\s+at /m)
  expect(output + complaints).not.toContain('sandbox-bot-token')
  return complaints.replace(/^The app cannot start: /, '').trimEnd()
}

it('a token that Telegram refuses ends the start with one sentence', async () => {
  outside.faults.add({
    target: 'telegram',
    operation: 'getMe',
    times: 1,
    fault: { kind: 'error', status: 401, description: 'Unauthorized' },
  })
  expect(await cannotStart({})).toBe(
    `BOT_TOKEN: Telegram at ${outside.url} refuses the token (401 Unauthorized): write the token that BotFather shows for this bot.`,
  )
})

it.each([
  ['no program listens', () => 'http://127.0.0.1:9', /connect ECONNREFUSED 127\.0\.0\.1:9/],
  ['no answer comes', () => `http://127.0.0.1:${silentPort}`, /no answer within 3 s/],
  ['the name is unknown', () => 'http://telegram.invalid', /telegram\.invalid/],
])(
  'a Telegram server where %s is reported within seconds, and the start goes on when it answers',
  async (_, root, why) => {
    child = start('src/main.ts', settings({ TELEGRAM_API_ROOT: root(), LOG_LEVEL: 'silent' }))
    const { complaints, isRunning } = child
    await expect.poll(() => complaints().includes('\n') || !isRunning(), { timeout: 30_000 }).toBe(true)
    const [sentence = '', ...more] = child.complaints().trimEnd().split('\n')
    expect(more).toEqual([])
    expect(sentence).toMatch(
      /^TELEGRAM_API_ROOT: Telegram cannot be reached at http:\S+ \(.+\): check the network/,
    )
    expect(sentence).toMatch(why)
    expect(sentence).not.toContain('sandbox-bot-token')
    expect(child.isRunning()).toBe(true)
    child.kill('SIGTERM')
    expect(await child.ended).toBe(0)
  },
)

it('a token that Telegram refuses does not get the database', async () => {
  const DATABASE_URL = await freshUrl('postgres')
  expect(await cannotStart({ DATABASE_URL, BOT_TOKEN: '99:mistyped-token' })).toContain('refuses the token')
  child = start('src/main.ts', settings({ DATABASE_URL, LOG_LEVEL: 'info' }))
  const { output, isRunning } = child
  await expect.poll(() => output().includes('"started"') || !isRunning(), { timeout: 60_000 }).toBe(true)
  expect(isRunning()).toBe(true)
})

it('the token of another bot is refused at the start and by the doctor until the operator confirms the change', async () => {
  const DATABASE_URL = await freshUrl('postgres')
  const change = (id: string) =>
    run('src/cli/admin.ts', { DATABASE_URL }, ['change-bot', id, 'moved', '--yes'])
  const [ours = ''] = String(outside.env.BOT_TOKEN).split(':')
  expect(await change('99')).toMatchObject({ code: 0 })
  const refusal = `BOT_TOKEN: the database belongs to the bot 99, and the token is that of the bot ${ours}: write the token of the first one`
  expect(await cannotStart({ DATABASE_URL })).toContain(refusal)
  expect((await run('src/cli/doctor.ts', settings({ DATABASE_URL }))).output).toContain(refusal)
  const forgetting = await run('src/cli/admin.ts', settings({ DATABASE_URL }), ['forget', '1', '--yes'])
  expect(forgetting).toMatchObject({ code: 1, complaints: expect.stringContaining(refusal) })
  expect(await change(ours)).toMatchObject({
    code: 0,
    output: expect.stringContaining(`the bot ${ours} now`),
  })
  child = start('src/main.ts', settings({ DATABASE_URL, LOG_LEVEL: 'info' }))
  const { output, isRunning } = child
  await expect.poll(() => output().includes('"started"') || !isRunning(), { timeout: 60_000 }).toBe(true)
  expect(isRunning()).toBe(true)
})

it('the start goes on when Telegram answers again', async () => {
  const fault = { kind: 'error', status: 502, description: 'Bad Gateway' } as const
  outside.faults.add({ target: 'telegram', operation: 'getMe', times: 1, fault })
  child = start('src/main.ts', settings({ LOG_LEVEL: 'info' }))
  const { output, isRunning } = child
  await expect.poll(() => output().includes('"started"') || !isRunning(), { timeout: 60_000 }).toBe(true)
  expect(isRunning()).toBe(true)
  expect(child.complaints()).toMatch(
    /^TELEGRAM_API_ROOT: .+502 Bad Gateway.+ The start goes on when it answers\.\n$/,
  )
})

it('a webhook that Telegram refuses ends the start with one sentence', async () => {
  const fault = {
    kind: 'error',
    status: 400,
    description: 'Bad Request: bad webhook: Failed to resolve host',
  } as const
  outside.faults.add({ target: 'telegram', operation: 'setWebhook', times: 1, fault })
  expect(await cannotStart({ UPDATES: 'webhook' })).toMatch(
    /^PUBLIC_URL: Telegram refuses the webhook \(.*Failed to resolve host\)?.*: correct the address, or write UPDATES=polling$/,
  )
})

it('a conflict while the webhook is set does not end the start, and the webhook is set afterwards', async () => {
  const fault = {
    kind: 'error',
    status: 409,
    description: 'Conflict: terminated by other setWebhook',
  } as const
  outside.faults.add({ target: 'telegram', operation: 'setWebhook', times: 1, fault })
  child = start('src/main.ts', settings({ UPDATES: 'webhook', LOG_LEVEL: 'info' }))
  const { output, isRunning } = child
  await expect.poll(() => output().includes('"started"') || !isRunning(), { timeout: 60_000 }).toBe(true)
  expect(isRunning()).toBe(true)
  const api = new Api(secrets.botToken, { apiRoot: outside.url })
  const address = async () => (await api.getWebhookInfo()).url
  await expect.poll(address, { timeout: 10_000 }).toMatch(/^http/)
})

it('a port that is taken ends the start with one sentence', async () => {
  expect(await cannotStart({ PORT: String(silentPort) })).toBe(
    `PORT: port ${silentPort} is used by another program: stop it, or write another port, like ${silentPort + 1}`,
  )
})

it('an address of another machine ends the start with one sentence', async () => {
  expect(await cannotStart({ HOST: '192.0.2.1' })).toBe(
    'HOST: 192.0.2.1 is no address of this machine: write one of its own, like 127.0.0.1, or 0.0.0.0 for all',
  )
})

it('a folder that cannot be written ends the start with one sentence', async () => {
  const file = join(folder, 'file')
  await writeFile(file, '')
  expect(await cannotStart({ DATABASE_URL: `pglite:${file}` })).toMatch(
    /^DATABASE_URL: the folder \S+ cannot be used \(EEXIST: .+\): write another folder$/,
  )
  expect(await cannotStart({ DATABASE_URL: `pglite:${file}/data` })).toMatch(
    /^DATABASE_URL: the folder \S+ cannot be used \(ENOTDIR: .+\): write another folder$/,
  )
})

it('a database that does not answer, or does not exist, ends the start with one sentence', async () => {
  expect(await cannotStart({ DATABASE_URL: 'postgres://bot:hidden@127.0.0.1:9/bot' })).toBe(
    'DATABASE_URL: the database cannot be used (connect ECONNREFUSED 127.0.0.1:9): start it, or correct the host and the port',
  )
  expect(await cannotStart({ DATABASE_URL: databaseUrl.replace(/\/[^/]*$/, '/no_such') })).toBe(
    'DATABASE_URL: the database cannot be used (database "no_such" does not exist): create the database with createdb, or correct the name',
  )
})
