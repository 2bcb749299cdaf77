// Fields that the operator sets for all users, in conflict with a user's choice on a card.

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openSandbox } from '../support/users/sandbox.ts'
import { labelsOf } from '../support/users/user.ts'

it('the card explains a contradiction, and cannot be ordered until the user changes the choice', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'bot-catalog-'))
  const path = join(folder, 'catalog.json')
  await writeFile(path, JSON.stringify({ 'MODEL-VIDEO-REEL': { request: { resolution: '720p' } } }))
  const sandbox = await openSandbox('postgres', { CATALOG_FILE: path })
  try {
    const anna = await sandbox.user('Anna')
    await anna.sends('/video a cat')
    await anna.sees(/Price: 92,45 ₽/)
    await anna.taps(/^Size/)
    await anna.taps('480p 16:9')
    const card = await anna.sees(/contradict/)
    expect(labelsOf(card).some((label) => label.startsWith('Generate'))).toBe(false)
    await anna.taps(/^Size/)
    await anna.taps('1080p auto')
    await anna.sees(/Price: 92,45 ₽/)
  } finally {
    await sandbox.stop()
    await rm(folder, { recursive: true })
  }
})
