// `npm run setup` against the local Telegram and gateway: the answers of an operator, and the files that they make.

import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { Api } from 'grammy'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { setUp } from '../../src/cli/setup/wizard.ts'
import { readCatalogFile } from '../../src/config/json-file.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { type Outside, secrets, startOutside } from '../../src/sandbox/outside.ts'
import { run } from '../support/runtime/child.ts'
import { createUser } from '../support/users/user.ts'

let outside: Outside
let folder: string
beforeAll(async () => {
  const place = { port: 0, dataDir: tmpdir(), keepsState: false }
  outside = await startOutside({ ...place, speed: 160, random: Math.random })
})
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bot-setup-'))
  writeFileSync(join(folder, '.env'), `# mine\nTELEGRAM_API_ROOT=${outside.url}\nLOG_LEVEL=warn\n`)
})
afterEach(() => rmSync(folder, { recursive: true }))
afterAll(() => outside.close())

const file = (name: string) => readFileSync(join(folder, name), 'utf8')
let made = 0
const ids = { next: () => 'next', secret: () => `a-generated-secret-${++made}` }

/** Plays a conversation. @param answers by the beginning of the question, each used once; other questions get an empty line */
async function converse(answers: readonly (readonly [string, string])[]) {
  const left = [...answers]
  const lines: string[] = []
  const ask = async (question: string) => {
    lines.push(question)
    const at = left.findIndex(([beginning]) => question.trim().startsWith(beginning))
    const [, answer = ''] = (at < 0 ? [] : left.splice(at, 1)[0]) ?? []
    if (answer === 'Ctrl-C') throw new Error('interrupted')
    return answer
  }
  const dialogue = { ask, print: (line: string) => void lines.push(line) }
  const setting = setUp(dialogue, folder, { clock: systemClock, ids })
  const ended = await setting.catch((error: unknown) => String(error))
  expect(left).toEqual([])
  const said = lines.join('\n')
  for (const secret of [secrets.botToken, secrets.gatewayKey, 'a-generated-secret'])
    expect(said).not.toContain(secret)
  return { ended, said }
}

const usual = (): [string, string][] => [
  ['Token', secrets.botToken],
  ['Your Telegram id', '77'],
  ['Address of the gateway', `${outside.url}/gateway`],
  ['API key', secrets.gatewayKey],
  ['Database', `pglite:${folder}/trial`],
]

it('setup asks for what is missing, and writes .env and a catalog of the typed ids only', async () => {
  const { ended } = await converse([
    ...usual(),
    ['Where users get help', 'Anna & "Boris" #1'],
    ['Roubles that one Star', '1.00'],
    ['MODEL-IMAGE-DESIGN', 'design-2'],
  ])
  expect(ended).toBe('host')
  expect(file('.env')).toMatch(/^# mine\nTELEGRAM_API_ROOT=.*\nLOG_LEVEL=warn\nBOT_TOKEN=/)
  expect(parseEnv(file('.env'))).toEqual({
    TELEGRAM_API_ROOT: outside.url,
    LOG_LEVEL: 'warn',
    BOT_TOKEN: secrets.botToken,
    ADMIN_IDS: '77',
    GATEWAY_URL: `${outside.url}/gateway`,
    GATEWAY_KEY: secrets.gatewayKey,
    DATABASE_URL: `pglite:${folder}/trial`,
    SUPPORT_CONTACT: 'Anna & "Boris" #1',
    TOPUP_ROUBLES_PER_STAR: '1.00',
    CATALOG_FILE: 'settings/catalog.json',
  })
  expect(JSON.parse(file('settings/catalog.json'))).toEqual({
    'MODEL-IMAGE-DESIGN': { gatewayId: 'design-2', multiplier: '1.30' },
    'MODEL-MUSIC': { enabled: false },
  })
  expect(readCatalogFile(join(folder, 'settings/catalog.json'))).toMatchObject({ ok: true })
})

it('setup asks again for each value that is wrong or refused, and then takes the corrected one', async () => {
  const { ended, said } = await converse([
    ['Token', 'no token'],
    ['Token', '4242:wrong'],
    ['API key', 'wrong-key'],
    ['Database', 'mysql://'],
    ['Roubles that a user pays', '0'],
    ...usual(),
  ])
  expect(ended).toBe('host')
  expect(said).toMatch(/^wrong: BOT_TOKEN: .* refuses the token/m)
  expect(said).toMatch(/^wrong: GATEWAY_KEY: .* refuses the key/m)
  expect(said.match(/^ok: .*$/gm)).toHaveLength(3)
  expect(parseEnv(file('.env'))).toMatchObject({
    BOT_TOKEN: secrets.botToken,
    GATEWAY_KEY: secrets.gatewayKey,
  })
})

it('setup finds the id of the operator by a message, which the bot still gets', async () => {
  const anna = await createUser(outside.url, { first_name: 'Anna' })
  await anna.sends('hello')
  const { ended, said } = await converse(usual().filter(([question]) => question !== 'Your Telegram id'))
  expect([ended, said]).toEqual(['host', expect.stringMatching(`Are you Anna.*, id ${anna.id}\\?`)])
  expect(parseEnv(file('.env')).ADMIN_IDS).toBe(String(anna.id))
  const updates = await new Api(secrets.botToken, { apiRoot: outside.url }).getUpdates()
  expect(updates.map(({ message }) => message?.text)).toEqual(['hello'])
})

it('setup keeps what is there, and shows the lines that change', async () => {
  await converse([...usual(), ['MODEL-IMAGE-DESIGN', 'design-2']])
  const before = [file('.env'), file('settings/catalog.json')]
  expect(await converse([['Write this', 'n']])).toMatchObject({ ended: undefined })
  expect(await converse([])).toMatchObject({ ended: 'host' })
  expect([file('.env'), file('settings/catalog.json')]).toEqual(before)
  const { said } = await converse([['Your Telegram id', '78']])
  expect(said.match(/^ {2}[A-Z_]+=.*$/gm)).toEqual(['  ADMIN_IDS=78 in place of 77'])
  expect([file('.env'), file('settings/catalog.json')]).toEqual([
    before[0]?.replace('ADMIN_IDS=77', 'ADMIN_IDS=78'),
    before[1],
  ])
})

it('setup for Docker makes the password of the database once, and polls without a public name', async () => {
  const forDocker = usual().filter(([question]) => question !== 'Database')
  writeFileSync(join(folder, '.env'), `TELEGRAM_API_ROOT=${outside.url}\n`, { mode: 0o644 })
  expect(await converse([['Will the bot run in Docker', 'y'], ...forDocker])).toMatchObject({
    ended: 'docker',
  })
  const written = parseEnv(file('.env'))
  expect(written).toMatchObject({
    POSTGRES_PASSWORD: expect.stringMatching(/^a-generated-secret/),
    UPDATES: 'polling',
    CATALOG_FILE: '/settings/catalog.json',
  })
  expect(written).not.toHaveProperty('DATABASE_URL')
  expect(await converse([])).toMatchObject({ ended: 'docker' })
  expect(parseEnv(file('.env'))).toEqual(written)
  expect(statSync(join(folder, '.env')).mode & 0o777).toBe(0o640)
})

it('setup without a terminal says what to do, and exits with 2', async () => {
  const { code, output, complaints } = await run('src/cli/setup.ts')
  expect([code, output]).toEqual([2, ''])
  expect(complaints).toMatch(/start it in a terminal, or write \.env by hand/)
})
