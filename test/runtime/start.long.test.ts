// What an operator reads when the settings are well formed but the app cannot start: one sentence, soon, without a stack. The sandbox as a
// program, and what it says when it cannot start beside another one.

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Api } from 'grammy'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
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

/** Starts the app and waits until it says that it has started. */
async function starts(more: Record<string, string>): Promise<Child> {
  const started = start('src/main.ts', settings({ LOG_LEVEL: 'info', ...more }))
  child = started
  const { output, isRunning } = started
  await expect.poll(() => output().includes('"started"') || !isRunning(), { timeout: 60_000 }).toBe(true)
  expect(isRunning()).toBe(true)
  return started
}

/** Lets the local Telegram refuse the next call of a method. */
const refuse = (operation: string, status: number, description: string) =>
  outside.faults.add({
    target: 'telegram',
    operation,
    times: 1,
    fault: { kind: 'error', status, description },
  })

it('what the operator has to correct ends the start with one sentence', async () => {
  const file = join(folder, 'file')
  await writeFile(file, '')
  const noHost = 'Bad Request: bad webhook: Failed to resolve host'
  const noDatabase = databaseUrl.replace(/\/[^/]*$/, '/no_such')
  const used = String(silentPort)
  const rows: readonly (readonly [Record<string, string>, RegExp, (() => unknown)?])[] = [
    [
      {},
      /^BOT_TOKEN: Telegram at http:\S+ refuses the token \(401 Unauthorized\): write the token that BotFather shows for this bot\.$/,
      () => refuse('getMe', 401, 'Unauthorized'),
    ],
    [
      { UPDATES: 'webhook' },
      /^PUBLIC_URL: Telegram refuses the webhook \(.*Failed to resolve host\)?.*: correct the address, or write UPDATES=polling$/,
      () => refuse('setWebhook', 400, noHost),
    ],
    [
      { PORT: used },
      /^PORT: port (\d+) is used by another program: stop it, or write another port, like \d+$/,
    ],
    [
      { HOST: '192.0.2.1' },
      /^HOST: 192\.0\.2\.1 is no address of this machine: write one of its own, like 127\.0\.0\.1, or /,
    ],
    [
      { DATABASE_URL: `pglite:${file}` },
      /^DATABASE_URL: the folder \S+ cannot be used \(EEXIST: .+\): write/,
    ],
    [
      { DATABASE_URL: `pglite:${file}/data` },
      /^DATABASE_URL: the folder \S+ cannot be used \(ENOTDIR: .+\): write/,
    ],
    [
      { DATABASE_URL: 'postgres://bot:hidden@127.0.0.1:9/bot' },
      /^DATABASE_URL: the database cannot be used \(connect ECONNREFUSED 127\.0\.0\.1:9\): start it, or correct the host and the port$/,
    ],
    [
      { DATABASE_URL: noDatabase },
      /^DATABASE_URL: the database cannot be used \(database "no_such" does not exist\): create the database/,
    ],
  ]
  for (const [env, sentence, prepare] of rows) {
    prepare?.()
    expect(await cannotStart(env)).toMatch(sentence)
  }
})

it.each([
  ['no program listens', () => 'http://127.0.0.1:9', /connect ECONNREFUSED 127\.0\.0\.1:9/],
  ['no answer comes', () => `http://127.0.0.1:${silentPort}`, /no answer within 3 s/],
])('a Telegram server where %s is reported within seconds, and the start waits', async (_, root, why) => {
  child = start('src/main.ts', settings({ TELEGRAM_API_ROOT: root(), LOG_LEVEL: 'silent' }))
  const { complaints, isRunning } = child
  await expect.poll(() => complaints().includes('\n') || !isRunning(), { timeout: 30_000 }).toBe(true)
  const [sentence = '', ...more] = complaints().trimEnd().split('\n')
  expect(more).toEqual([])
  expect(sentence).toMatch(
    /^TELEGRAM_API_ROOT: Telegram cannot be reached at http:\S+ \(.+\): check the network/,
  )
  expect(sentence).toMatch(why)
  expect(sentence).not.toContain('sandbox-bot-token')
  expect(isRunning()).toBe(true)
  child.kill('SIGTERM')
  expect(await child.ended).toBe(0)
})

it('the start goes on when Telegram answers again', async () => {
  refuse('getMe', 502, 'Bad Gateway')
  const { complaints } = await starts({})
  expect(complaints()).toMatch(
    /^TELEGRAM_API_ROOT: .+502 Bad Gateway.+ The start goes on when it answers\.\n$/,
  )
})

it('a token that Telegram refuses does not get the database', async () => {
  const DATABASE_URL = await freshUrl('postgres')
  expect(await cannotStart({ DATABASE_URL, BOT_TOKEN: '99:mistyped-token' })).toContain('refuses the token')
  await starts({ DATABASE_URL })
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
  const changed = { code: 0, output: expect.stringContaining(`the bot ${ours} now`) }
  expect(await change(ours)).toMatchObject(changed)
  await starts({ DATABASE_URL })
})

it('a conflict while the webhook is set does not end the start, and the webhook is set afterwards', async () => {
  refuse('setWebhook', 409, 'Conflict: terminated by other setWebhook')
  await starts({ UPDATES: 'webhook' })
  const api = new Api(secrets.botToken, { apiRoot: outside.url })
  const address = async () => (await api.getWebhookInfo()).url
  await expect.poll(address, { timeout: 10_000 }).toMatch(/^http/)
})

describe('npm run sandbox', () => {
  let dataDir: string
  let sandbox: Child
  let url: string
  beforeAll(async () => {
    dataDir = join(folder, 'data')
    sandbox = start('src/sandbox/main.ts', { SANDBOX_PORT: '0', DATA_DIR: dataDir })
    const line = await sandbox.firstLine()
    url = /^The sandbox is open at (http:\/\/127\.0\.0\.1:\d+)$/.exec(line)?.[1] ?? line
  })
  afterAll(async () => {
    sandbox.kill('SIGKILL')
    await sandbox.ended
  })
  afterEach(async () => {
    // This process must continue, whatever happened to the others.
    if (sandbox.isRunning()) expect((await fetch(`${url}/api/audit`)).status).toBe(200)
  })

  it('prints its address and serves it', async () => {
    const page = await fetch(url)
    expect([page.status, page.headers.get('content-type')]).toEqual([
      200,
      expect.stringContaining('text/html'),
    ])
    expect(await (await fetch(`${url}/api/audit`)).json()).toMatchObject({ clean: true, findings: [] })
  })

  it('on a used port prints one line with another port', async () => {
    const port = Number(new URL(url).port)
    const env = { SANDBOX_PORT: String(port), DATA_DIR: join(folder, 'other') }
    const { code, output, complaints } = await run('src/sandbox/main.ts', env)
    expect([code, output]).toEqual([1, ''])
    expect(complaints).toBe(
      `SANDBOX_PORT: port ${port} is already in use; set another one, for example SANDBOX_PORT=${port + 1}\n`,
    )
  })

  it('with a folder in use prints one line with its path', async () => {
    const { code, output, complaints } = await run('src/sandbox/main.ts', {
      SANDBOX_PORT: '0',
      DATA_DIR: dataDir,
    })
    expect([code, output]).toEqual([1, ''])
    expect(complaints.trimEnd().split('\n')).toEqual([
      expect.stringMatching(/^DATA_DIR: another process is using \S+; stop it, or give this one a folder/),
    ])
    expect(complaints).toContain(dataDir)
  })

  it('locks its database against the audit, which prints how to audit it instead', async () => {
    const { code, output, complaints } = await run('src/cli/audit.ts', { DATA_DIR: dataDir })
    expect([code, output]).toEqual([2, ''])
    expect(complaints.trimEnd().split('\n')).toEqual([
      expect.stringMatching(/another process is using .*GET \/api\/audit/),
    ])
  })

  it('stops orderly on SIGTERM, and has printed only one line', async () => {
    sandbox.kill('SIGTERM')
    expect(await sandbox.ended).toBe(0)
    expect(sandbox.output()).toBe(`The sandbox is open at ${url}\n`)
    expect(sandbox.complaints()).toBe('')
  })
})
