// A price that changed while the bot was down is shown again before the order, and the card shows its parts.

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, it } from 'vitest'
import { silentLog } from '../../src/runtime/log.ts'
import { type Sandbox, startSandbox } from '../../src/sandbox/sandbox.ts'
import { freshUrl } from '../support/database/database.ts'
import { createUser, labelsOf } from '../support/users/user.ts'

describe('a price that changed after the card was sent', () => {
  let dataDir: string
  let database: string
  let sandbox: Sandbox
  const start = async (settings: object, port = 0) => {
    const file = join(dataDir, 'catalog.json')
    await writeFile(file, JSON.stringify({ 'MODEL-VIDEO-REEL': settings }))
    sandbox = await startSandbox({
      port,
      dataDir,
      speed: 40,
      log: silentLog,
      env: { CATALOG_FILE: file, DATABASE_URL: database },
    })
    return sandbox
  }
  beforeAll(async () => {
    database = await freshUrl('postgres')
    dataDir = await mkdtemp(join(tmpdir(), 'bot-sandbox-'))
  })
  afterEach(() => sandbox.stop())
  afterAll(async () => {
    await rm(dataDir, { recursive: true, force: true })
  })

  it('is shown again with its parts, the new price is held, and “Again” charges no other one', async () => {
    const { url } = await start({})
    const anna = await createUser(url, { first_name: 'Anna', language_code: 'en' })
    await anna.asks('/video a cat', 'Price: ₽92.45 (5 s × ₽18.49)')
    const boris = await createUser(url, { first_name: 'Boris', language_code: 'en' })
    await boris.opens('/video a cat', 'Generate · ₽92.45')
    await boris.tapsFor(/^⋯/, (message) => labelsOf(message).includes('🔁 Again · ₽92.45'))
    await sandbox.stop()

    const surcharges = [{ when: { 'settings.audio': true }, add: '2', per: 'second' }]
    await start({ multiplier: '1.2', rounding: '1', surcharges }, Number(new URL(url).port))
    await anna.hears('Generate · ₽92.45', 'The price or the settings have changed')
    await anna.sees('Price: ₽111 (5 s × ₽22.188, rounded up to ₽1)')
    await anna.tapsFor('Sound: off', 'Price: ₽121 (5 s × ₽22.188 + Sound ₽10, rounded up to ₽1)')
    await anna.tapsFor('Generate · ₽121', '₽121 charged')
    await anna.asks('/balance', '₽379')
    await boris.hears('🔁 Again · ₽92.45', 'The price or the settings have changed')
    await boris.seesButton('Generate · ₽111')
    await boris.asks('/balance', '₽407.55')
  })
})
