// `npm run doctor` against the local Telegram, gateway and PostgreSQL, with one part broken at a time: the report says which
// part is broken and what to do, and the other parts are still checked.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Api } from 'grammy'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { type Outside, startOutside } from '../../src/sandbox/outside.ts'
import { freshUrl } from '../support/database/database.ts'
import { run } from '../support/runtime/child.ts'

let folder: string
let outside: Outside
let databaseUrl: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bot-doctor-'))
  outside = await startOutside({ port: 0, dataDir: folder, speed: 160, random: Math.random })
  databaseUrl = await freshUrl('postgres')
})
afterEach(() => outside.faults.clear())
afterAll(async () => {
  await outside.close()
  await rm(folder, { recursive: true })
})

const settings = (more: Record<string, string> = {}) => ({
  ...outside.env,
  DATABASE_URL: databaseUrl,
  PORT: '3000',
  ...more,
})

async function doctor(more: Record<string, string> = {}) {
  const { code, output, complaints } = await run('src/cli/doctor.ts', settings(more))
  expect(complaints).toBe('')
  expect(output).not.toMatch(/sandbox-bot-token|sandbox-gateway-key|^\s+at |hidden/m)
  const lines = output.trimEnd().split('\n')
  return { code, lines, wrong: lines.filter((line) => line.startsWith('wrong')) }
}

const subjectsOf = (lines: readonly string[]) =>
  new Set(lines.slice(0, -1).map((line) => line.split(/\s+/)[1]))
const all = ['telegram', 'gateway', 'database', 'address', 'payments', 'texts', 'catalog']

it('the doctor reports each part that is right in lines of its own, and exits with 0', async () => {
  const { code, lines, wrong } = await doctor()
  expect(wrong).toEqual([])
  expect([...subjectsOf(lines)]).toEqual(all)
  expect(lines).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/^ok {4}telegram {2}@\w+ answers at http/),
      'ok    telegram  no webhook is set, as UPDATES=polling needs',
      'ok    telegram  0 updates wait at Telegram',
      expect.stringMatching(/^note {2}telegram {2}privacy mode is on: .+\/setprivacy/),
      expect.stringMatching(/^ok {4}gateway {3}http\S+ answers$/),
      'ok    gateway   the key is accepted',
      expect.stringMatching(
        /^note {2}gateway {3}not checked: ids and paths are proved by an order only, .*MODEL-VIDEO-REEL as /,
      ),
      expect.stringMatching(/^ok {4}database {2}PostgreSQL \d+/),
      'ok    database  all migrations are applied',
      expect.stringMatching(/^ok {4}database {2}\d+ of \d+ connections are used$/),
      'ok    database  the clocks of this machine and of the database agree',
      expect.stringMatching(/^note {2}database {2}no audit was made yet/),
      expect.stringMatching(/^note {2}database {2}no backup was made yet: docs\/scripts\/backup/),
      expect.stringMatching(/^note {2}payments {2}not checked: stars is configured; only a payment/),
      'ok    payments  yookassa answers and accepts the key',
      'ok    payments  platega answers and accepts the key',
      'ok    payments  cryptopay answers and accepts the key',
      expect.stringMatching(/^ok {4}catalog {3}9 models and 7 text models are offered$/),
      'Nothing is wrong.',
    ]),
  )
  expect(code).toBe(0)
})

it('what is refused is named with what to do, and the rest is checked', async () => {
  const credentials = 'check its credentials and the network$'
  const rows = [
    [
      'telegram',
      'getMe',
      'Unauthorized',
      /^wrong telegram {2}BOT_TOKEN: .* refuses the token \(401 Unauthorized\): write the token/,
    ],
    [
      'gateway',
      'poll',
      'no such key',
      /^wrong gateway {3}GATEWAY_KEY: \S+ refuses the key \(.*\): write the key from its cabinet/,
    ],
    [
      'platega',
      'check',
      'no such merchant',
      new RegExp(`^wrong payments {2}platega: 401 .*no such merchant.*: ${credentials}`),
    ],
    [
      'cryptopay',
      'check',
      'UNAUTHORIZED',
      new RegExp(`^wrong payments {2}cryptopay: 401 .*UNAUTHORIZED.*: ${credentials}`),
    ],
  ] as const
  for (const [target, operation, description, line] of rows) {
    const fault = { kind: 'error', status: 401, description } as const
    outside.faults.add({ target, operation, times: 9, fault })
    const { code, lines, wrong } = await doctor()
    expect([code, wrong]).toEqual([1, [expect.stringMatching(line)]])
    expect([...subjectsOf(lines)]).toEqual(all)
    outside.faults.clear()
  }
})

it('the doctor names an id that is in the lists of both roles, and people whom Telegram does not know', async () => {
  const { wrong } = await doctor({ ADMIN_IDS: '71', SUPPORT_IDS: '71,72', SUPPORT_REFUND_LIMIT: '100' })
  expect(wrong).toEqual([
    expect.stringMatching(/ADMIN_IDS: Telegram delivers no alarms to 71: this person must write to the bot/),
    expect.stringMatching(
      /SUPPORT_IDS: Telegram delivers no reports to 72: this person must write to the bot/,
    ),
    'wrong texts     SUPPORT_IDS: 71 may do everything by ADMIN_IDS: take the id out of one list',
  ])
})

it('the doctor says what bonuses and percents of a top-up cost', async () => {
  const { code, lines } = await doctor({ STAR_INCOME: '1.5', TOPUP_BONUS: '1000:5%', REFERRAL_PERCENT: '30' })
  expect(code).toBe(0)
  expect(lines).toContainEqual(
    expect.stringMatching(
      /^note {2}catalog {3}stars: TOPUP_BONUS and REFERRAL_PERCENT give up to 35% of a top-up, with which .* at a loss \(.*1\.25/,
    ),
  )
})

const unreachable = { UPDATES: 'webhook', PUBLIC_URL: 'http://127.0.0.1:9' }

/** Publishes a command menu, as the first start of the app does. */
async function isStarted(): Promise<void> {
  const { TELEGRAM_API_ROOT: root, BOT_TOKEN: token } = outside.env
  const api = new Api(String(token), { apiRoot: String(root) })
  const menu = [{ command: 'help', description: 'what I can do' }]
  await api.setMyCommands(menu, { scope: { type: 'all_private_chats' } })
}

it('the doctor reports a webhook that is not set, and a public address that does not lead to the bot', async () => {
  await isStarted()
  const { code, wrong } = await doctor(unreachable)
  expect([code, wrong]).toEqual([
    1,
    [
      'wrong telegram  no webhook is set, and UPDATES=webhook: start the web process, which sets http://127.0.0.1:9/telegram',
      expect.stringMatching(
        /^wrong address {3}PUBLIC_URL: nothing answers at http:\/\/127\.0\.0\.1:9 \(.+\): start the web process/,
      ),
    ],
  ])
})

it('the doctor says what the bot may do in the group of the operators', async () => {
  const of = async (id: number) =>
    (await doctor({ ADMIN_CHAT: String(id) })).lines.find((line) => line.includes('ADMIN_CHAT'))
  const post = async (path: string, body: object): Promise<{ id: number }> => {
    const headers = { 'content-type': 'application/json' }
    const answer = await fetch(outside.url + path, { method: 'POST', headers, body: JSON.stringify(body) })
    return z.object({ id: z.number() }).parse(await answer.json())
  }
  const boss = await post('/api/users', { first_name: 'Boss' })
  const group = { title: 'Desk', members: [boss.id], forum: true }
  expect(await of((await post('/api/chats', { ...group, admin: true })).id)).toMatch(/^ok .*may make topics/)
  expect(await of((await post('/api/chats', group)).id)).toMatch(/^note .*make it an administrator/)
  expect(await of(-1009)).toMatch(/^wrong .*the bot is in no such group: add it/)
})
