// What `npm run sandbox` says when it cannot start, while another sandbox goes on.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type Child, run, start } from '../support/runtime/child.ts'

const linesOf = (text: string) => text.trimEnd().split('\n')

describe('npm run sandbox', () => {
  let folder: string
  let dataDir: string
  let sandbox: Child
  let url: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'bot-main-'))
    dataDir = join(folder, 'data')
    sandbox = start('src/sandbox/main.ts', { SANDBOX_PORT: '0', DATA_DIR: dataDir })
    url = /http\S+/.exec(await sandbox.firstLine())?.[0] ?? ''
  })
  afterAll(async () => {
    sandbox.kill('SIGKILL')
    await sandbox.ended
    await rm(folder, { recursive: true, force: true })
  })
  afterEach(async () => {
    // This process must continue, whatever happened to the others.
    if (sandbox.isRunning()) expect((await fetch(`${url}/api/audit`)).status).toBe(200)
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
})
