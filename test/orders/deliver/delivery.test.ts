// A restart while an order runs and a question is open, seen from the chat. Each start has a port of its own, so the callback of the task is
// lost: only the table says what is due.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { audit } from '../../../src/ledger/audit.ts'
import { silentLog } from '../../../src/runtime/log.ts'
import { startSandbox } from '../../../src/sandbox/sandbox.ts'
import { fewConnections, freshUrl } from '../../support/database/database.ts'
import { createUser, type SandboxMessage, type SandboxUser } from '../../support/users/user.ts'

const isVideo = (message: SandboxMessage) => message.video !== undefined

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
    await anna.sends('/balance')
    await anna.sees(/^Balance: ₽407.55/)
    await boris.sends('a dog')
    await boris.sees(/Prompt: a dog[\s\S]*₽92.45/)
    await anna.sees(/Done in .* · ₽92.45 charged/)
    expect((await anna.chat()).filter(isVideo)).toHaveLength(1)
  })
  await rm(dataDir, { recursive: true, force: true })
})
