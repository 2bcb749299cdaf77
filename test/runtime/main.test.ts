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

it('everything runs on the Node that npm brought, not on an older one of the system', () => {
  expect(Number(process.versions.node.split('.')[0])).toBeGreaterThanOrEqual(24)
})

describe('npm start', () => {
  it('without any settings names those it needs, and ends', async () => {
    const { code, output, complaints } = await run('src/main.ts')
    expect([code, output]).toEqual([1, ''])
    expect(linesOf(complaints)[0]).toBe('These settings are missing or wrong:')
    expect(namesIn(complaints)).toEqual(['BOT_TOKEN', 'GATEWAY_URL', 'GATEWAY_KEY', 'DATABASE_URL'])
    expect(linesOf(complaints)).toHaveLength(5)
  })

  it('with wrong settings says what to write, tells nobody the secrets, and ends', async () => {
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
  it('finds a new database clean', async () => {
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
    // Whatever happened to the others, this one goes on.
    if (sandbox.isRunning()) expect((await fetch(`${url}/api/audit`)).status).toBe(200)
  })

  it('says where it is open, and is', async () => {
    const page = await fetch(url)
    expect([page.status, page.headers.get('content-type')]).toEqual([
      200,
      expect.stringContaining('text/html'),
    ])
    expect(await (await fetch(`${url}/api/audit`)).json()).toMatchObject({ clean: true, findings: [] })
  })

  it('on a taken port is one line that names another', async () => {
    const port = Number(new URL(url).port)
    const env = { SANDBOX_PORT: String(port), DATA_DIR: join(folder, 'other') }
    const { code, output, complaints } = await run('src/sandbox/main.ts', env)
    expect([code, output]).toEqual([1, ''])
    expect(complaints).toBe(
      `SANDBOX_PORT: port ${port} is already in use; set another one, for example SANDBOX_PORT=${port + 1}\n`,
    )
  })

  it('with a folder in use is one line that names it', async () => {
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

  it('keeps its database from the audit, which says who can tell instead', async () => {
    const { code, output, complaints } = await run('src/cli/audit.ts', { DATA_DIR: dataDir })
    expect([code, output]).toEqual([1, ''])
    expect(linesOf(complaints)).toEqual([
      expect.stringMatching(/another process is using .*GET \/api\/audit/),
    ])
  })

  it.each([
    [{ SANDBOX_PORT: '65536' }, 'SANDBOX_PORT'],
    [{ SANDBOX_SPEED: '0' }, 'SANDBOX_SPEED'],
    [{ LOG_LEVEL: 'loud' }, 'LOG_LEVEL'],
  ])('with %j says what is wrong and ends', async (wrong, name) => {
    const env = { SANDBOX_PORT: '0', DATA_DIR: join(folder, 'other'), ...wrong }
    const { code, output, complaints } = await run('src/sandbox/main.ts', env)
    expect([code, output]).toEqual([1, ''])
    expect(complaints).toContain(name)
    expect(complaints).not.toMatch(/^ {4}at /m)
  })

  it('ends in order on SIGTERM, having printed one line in all, and leaves its folder to the next', async () => {
    sandbox.kill('SIGTERM')
    expect(await sandbox.ended).toBe(0)
    expect(sandbox.output()).toBe(`The sandbox is open at ${url}\n`)
    expect(sandbox.complaints()).toBe('')
    const { code, output } = await run('src/cli/audit.ts', { DATA_DIR: dataDir })
    expect([code, output]).toEqual([0, 'The audit is clean.\n'])
  })
})
