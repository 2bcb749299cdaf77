import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { freshUrl } from '../support/database/database.ts'
import { type Child, run, start } from '../support/runtime/child.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bot-main-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const linesOf = (text: string) => text.trimEnd().split('\n')
const namesIn = (text: string) => text.match(/^ *[A-Z_]+(?=:)/gm)?.map((name) => name.trim())

it('programs run on the Node from npm, not on an older one of the system', () => {
  expect(Number(process.versions.node.split('.')[0])).toBeGreaterThanOrEqual(24)
})

describe('npm start', () => {
  it('without settings lists the required ones and exits', async () => {
    const { code, output, complaints } = await run('src/main.ts')
    expect([code, output]).toEqual([1, ''])
    expect(linesOf(complaints)[0]).toBe('These settings are missing or wrong:')
    expect(namesIn(complaints)).toEqual(['BOT_TOKEN', 'GATEWAY_URL', 'GATEWAY_KEY', 'DATABASE_URL'])
    expect(linesOf(complaints)).toHaveLength(5)
  })

  it('with invalid settings says what to write, prints no secrets, and exits', async () => {
    const { code, output, complaints } = await run('src/main.ts', {
      BOT_TOKEN: 'hidden',
      GATEWAY_URL: 'hidden',
      GATEWAY_KEY: 'hidden hidden',
      DATABASE_URL: 'mysql://hidden:hidden@db/bot',
      PORT: 'http',
    })
    expect([code, output]).toEqual([1, ''])
    expect(namesIn(complaints)).toEqual(['BOT_TOKEN', 'GATEWAY_URL', 'GATEWAY_KEY', 'DATABASE_URL', 'PORT'])
    expect(complaints).toContain('PORT: write a whole number from 0 to 65535')
    expect(complaints).not.toContain('hidden')
  })
})

describe('npm run audit', () => {
  it('finds no problems in a new database', async () => {
    const { code, output, complaints } = await run('src/cli/audit.ts', {
      DATABASE_URL: await freshUrl('postgres'),
    })
    expect([code, output, complaints]).toEqual([0, 'The audit is clean.\n', ''])
  })
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
  afterAll(() => sandbox.kill('SIGKILL'))
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
    expect(linesOf(complaints)).toEqual([
      expect.stringMatching(/^DATA_DIR: another process is using \S+; stop it, or give this one a folder/),
    ])
    expect(complaints).toContain(dataDir)
  })

  it('locks its database against the audit, which prints how to audit it instead', async () => {
    const { code, output, complaints } = await run('src/cli/audit.ts', { DATA_DIR: dataDir })
    expect([code, output]).toEqual([2, ''])
    expect(linesOf(complaints)).toEqual([
      expect.stringMatching(/another process is using .*GET \/api\/audit/),
    ])
  })

  it.each([
    [{ SANDBOX_PORT: '65536' }, 'SANDBOX_PORT'],
    [{ SANDBOX_SPEED: '0' }, 'SANDBOX_SPEED'],
    [{ LOG_LEVEL: 'loud' }, 'LOG_LEVEL'],
  ])('with %j reports the problem and exits', async (wrong, name) => {
    const env = { SANDBOX_PORT: '0', DATA_DIR: join(folder, 'other'), ...wrong }
    const { code, output, complaints } = await run('src/sandbox/main.ts', env)
    expect([code, output]).toEqual([1, ''])
    expect(complaints).toContain(name)
    expect(complaints).not.toMatch(/^ {4}at /m)
  })

  it('stops orderly on SIGTERM, has printed only one line, and releases its folder', async () => {
    sandbox.kill('SIGTERM')
    expect(await sandbox.ended).toBe(0)
    expect(sandbox.output()).toBe(`The sandbox is open at ${url}\n`)
    expect(sandbox.complaints()).toBe('')
    const { code, output } = await run('src/cli/audit.ts', { DATA_DIR: dataDir })
    expect([code, output]).toEqual([0, 'The audit is clean.\n'])
  })
})
