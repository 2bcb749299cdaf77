// The programs of the app, each started once: `npm start` and `npm run sandbox`. The rest is in the long tests.

import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Child, run, start } from '../support/runtime/child.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bot-main-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

it('programs run on the Node from npm, not on an older one of the system', () => {
  expect(Number(process.versions.node.split('.')[0])).toBeGreaterThanOrEqual(24)
})

it('npm start with wrong settings names each of them, and misspelt variables, and ends before it opens anything', async () => {
  const wrong = { BOT_TOKN: '1:abc', GATEWAY_KEY: 'key', DATABASE_URL: `pglite:${join(folder, 'unopened')}` }
  const { code, output, complaints } = await run('src/main.ts', wrong)
  expect([code, output, await readdir(folder)]).toEqual([1, '', []])
  const [head, ...lines] = complaints.trimEnd().split('\n')
  expect(head).toBe('These settings are missing or wrong:')
  expect(lines.map((line) => line.trim())).toEqual([
    'BOT_TOKEN: write the token that BotFather gave you, like 123456:ABC-DEF',
    'GATEWAY_URL: write an address like https://api.example.com',
    'BOT_TOKN: there is no such variable: did you mean BOT_TOKEN?',
  ])
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

  it('stops orderly on SIGTERM, and has printed only one line', async () => {
    sandbox.kill('SIGTERM')
    expect(await sandbox.ended).toBe(0)
    expect(sandbox.output()).toBe(`The sandbox is open at ${url}\n`)
    expect(sandbox.complaints()).toBe('')
  })
})
