// `npm run doctor` names the models whose users have to type the id of a voice.

import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { catalogCheck } from '../../src/cli/doctor/shop.ts'
import { parseConfig } from '../../src/config.ts'

async function notesFor(voices: readonly object[]): Promise<readonly string[]> {
  const file = join(await mkdtemp(join(tmpdir(), 'bot-catalog-')), 'catalog.json')
  await writeFile(file, JSON.stringify({ 'MODEL-SPEECH-TURBO': { gatewayId: 'speech', voices } }))
  const needed = {
    BOT_TOKEN: '4242:abc_DEF-ghi',
    GATEWAY_KEY: 'key-1',
    GATEWAY_URL: 'https://api.example.com',
  }
  const parsed = parseConfig({ ...needed, DATABASE_URL: 'postgres://bot@db.example/bot', CATALOG_FILE: file })
  if (!parsed.ok) throw new Error(parsed.problems.join('\n'))
  return (await catalogCheck(parsed.config).run()).map(({ what }) => what)
}

it('a model without voices is named, and one with voices is not', async () => {
  const told =
    'users have to type the id of a voice, since "voices" in CATALOG_FILE is empty: MODEL-SPEECH-TURBO'
  expect(await notesFor([])).toContain(told)
  expect(await notesFor([{ id: 'Wise_Woman' }])).not.toContain(told)
})
