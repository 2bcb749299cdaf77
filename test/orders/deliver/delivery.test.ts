// Deliveries seen from the user's side of the sandbox, where what the chat shows agrees with the money; questions that Telegram delays;
// and a restart in between.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { audit } from '../../../src/ledger/audit.ts'
import { silentLog } from '../../../src/runtime/log.ts'
import { startSandbox } from '../../../src/sandbox/sandbox.ts'
import { fewConnections, freshUrl } from '../../support/database/database.ts'
import { openSandbox, type TestSandbox } from '../../support/users/sandbox.ts'
import { createUser, labelsOf, type SandboxMessage, type SandboxUser } from '../../support/users/user.ts'

const isVideo = (message: SandboxMessage) => message.video !== undefined
const refusal = (status: number, description: string) => ({ kind: 'error', status, description })

async function balanceOf(anna: SandboxUser) {
  await anna.sends('/balance')
  return (await anna.sees(/^Balance: /)).text
}

describe('in the sandbox', () => {
  let sandbox: TestSandbox
  beforeAll(async () => {
    sandbox = await openSandbox()
  })
  afterAll(() => sandbox.stop())
  afterEach(async () => {
    expect(sandbox.faults.list()).toEqual([])
    sandbox.faults.clear()
    expect(await sandbox.get('/api/audit')).toMatchObject({ clean: true, findings: [] })
  })

  async function opens(text: string, ...buttons: (string | RegExp)[]): Promise<SandboxUser> {
    const anna = await sandbox.user('Anna')
    await anna.sends(text)
    for (const button of buttons) await anna.taps(button)
    return anna
  }

  it('MOV, which Telegram does not play, arrives as MP4, after errors of Telegram and of the file server', async () => {
    const anna = await opens('/video a cat', '⚙️ More', /^File format/, 'MOV')
    await sandbox.breaks('telegram', 'editMessageMedia', refusal(500, 'Internal Server Error'))
    await sandbox.breaks('gateway', 'cdn', { kind: 'redirect' })
    await anna.taps(/^Generate · /)
    const result = await anna.sees(isVideo)
    expect(result.video).toMatchObject({ mime_type: 'video/mp4', width: 480, height: 270, duration: 5 })
    expect(result.caption).toMatch(/Reel[\s\S]*a cat[\s\S]*₽92.45 charged$/)
    expect(labelsOf(result)).toEqual(['✏️ Change', '🤍 Favourite', '⋯ More'])
    expect(await balanceOf(anna)).toContain('₽407.55')
    expect((await anna.chat()).filter(isVideo)).toHaveLength(1)
  })

  it('a question is asked and answered despite flood limits, once, also when they do not end soon', async () => {
    const slowDown = { kind: 'error', status: 429, retryAfter: 0.02 }
    await sandbox.breaks('telegram', 'sendMessage', slowDown, 2)
    const anna = await opens('/video')
    await anna.sees(/For example/)
    await sandbox.breaks('telegram', 'sendMessage', slowDown, 4)
    await anna.sends('a cat')
    await anna.sees(/Prompt: a cat[\s\S]*₽92.45/)
    expect((await anna.chat()).filter(({ text }) => text?.includes('Prompt: a cat'))).toHaveLength(1)
  })

  it('a card that cannot be deleted stays, and nothing hangs', async () => {
    await sandbox.breaks('telegram', 'deleteMessage', refusal(400, "Bad Request: message can't be deleted"))
    const anna = await opens('/video a cat', /^Duration/, '✏️ Other…')
    await anna.sees(/Write the answer/)
    await anna.sends('7')
    await anna.sees(/₽129.43/)
    expect(await balanceOf(anna)).toMatch(/₽500$/m)
  })
})

// Each start has a port of its own, so the callback of the task is lost: only the table says what is due.
it('after a restart an open question is answered, and the video of a task that ran arrives, once', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'bot-restart-'))
  const env = { DATABASE_URL: await freshUrl('postgres'), DATABASE_CONNECTIONS: `${fewConnections}` }
  async function running(use: (...users: [SandboxUser, SandboxUser]) => Promise<void>): Promise<void> {
    const one = await startSandbox({ port: 0, dataDir, speed: 8, log: silentLog, env })
    const user = (first_name: string, id: number) =>
      createUser(one.url, { first_name, language_code: 'en', id })
    try {
      await use(await user('Anna', 11), await user('Boris', 12))
      expect(await audit(one.app.db)).toEqual([])
    } finally {
      await one.stop()
    }
  }
  await running(async (anna, boris) => {
    await boris.sends('/video')
    await boris.sees(/For example/)
    await anna.sends('/video a cat')
    await anna.taps(/^Generate/)
    await anna.sees(/In the queue|Drawing|Filming/)
    expect((await anna.chat()).some(isVideo)).toBe(false)
  })
  await running(async (anna, boris) => {
    expect(await balanceOf(anna)).toContain('₽407.55')
    await boris.sends('a dog')
    await boris.sees(/Prompt: a dog[\s\S]*₽92.45/)
    await anna.sees(/Done in .* · ₽92.45 charged/)
    expect((await anna.chat()).filter(isVideo)).toHaveLength(1)
  })
  await rm(dataDir, { recursive: true, force: true })
})
