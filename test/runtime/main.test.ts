// The programs of the app, each started once: `npm start`, `npm run audit`, `npm run sandbox`. The rest is in the long tests.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
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

  it('prints its address and serves it', async () => {
    const page = await fetch(url)
    expect([page.status, page.headers.get('content-type')]).toEqual([
      200,
      expect.stringContaining('text/html'),
    ])
    expect(await (await fetch(`${url}/api/audit`)).json()).toMatchObject({ clean: true, findings: [] })
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
