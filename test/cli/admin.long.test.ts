// `npm run admin -- …`: its output, its exit codes and its changes of the database.

import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runCommand } from '../../src/cli/admin/commands.ts'
import { users } from '../../src/db/schema.ts'
import { audit } from '../../src/ledger/audit.ts'
import { readBalance } from '../../src/ledger/ledger.ts'
import { redeem } from '../../src/ledger/promo.ts'
import { recordUnmatched } from '../../src/payments/payment.ts'
import { ensureUser, hashOfPerson, type User, wasForgotten } from '../../src/users/user.ts'
import { freshUrl } from '../support/database/database.ts'
import { failingStatements } from '../support/database/failing.ts'
import { run } from '../support/runtime/child.ts'
import { openSandbox } from '../support/users/sandbox.ts'
import { createWorld, type GenerationWorld } from '../support/worlds/generations.ts'
import { paidGeneration, terminal } from '../support/worlds/operator.ts'

const program = 'src/cli/admin.ts'
let world: GenerationWorld
let anna: User
beforeAll(async () => {
  world = await createWorld()
  const { db, clock } = world.deps
  const person = { languageCode: 'ru', name: 'Анна', username: 'anna' }
  anna = (await ensureUser(db, { telegramId: 555_111, ...person }, clock.now())).user
  for (const telegramId of [555_222, 555_333])
    await ensureUser(db, { ...person, telegramId, name: 'Twin', username: null }, clock.now())
})
afterAll(async () => {
  expect(await audit(world.deps.db)).toEqual([])
  await world.close()
})

async function admin(...words: string[]) {
  const { code, output, complaints } = await run(program, { DATABASE_URL: world.database.url }, words)
  return { code, out: output, err: complaints }
}
/** Runs the command in this process, since starting a process is slow. */
const inside = (...words: string[]) => insideAsking(undefined, words)

async function insideAsking(
  ask: ((question: string) => Promise<boolean>) | undefined,
  words: string[],
  { db } = world.deps,
) {
  const { code, lines } = await runCommand({ ...terminal({ ...world.deps, db }), ask }, words)
  const text = `${lines.join('\n')}\n`
  return code === 0 ? { code, out: text, err: '' } : { code, out: '', err: text }
}
const fails = (err: string) => ({ code: 1, err: expect.stringContaining(err) })
const says = (out: string) => ({ code: 0, out: expect.stringContaining(out) })
const available = async () => (await readBalance(world.deps.db, anna.id)).available

describe('money', () => {
  it('is granted and debited with a reason', async () => {
    const granted = await admin('grant', `#${anna.id}`, '500', 'за', 'терпение')
    expect(granted).toEqual({
      code: 0,
      out: `Granted ₽500: Анна · #${anna.id} · @anna\nBalance: ₽500\nThe running bot tells the user.\n`,
      err: '',
    })
    expect(await admin('debit', '555111', '100.50', 'a mistake')).toMatchObject({ code: 0 })
    expect(await available()).toBe(399_50n)
    expect(await admin('debit', '555111', '400', 'greed')).toEqual({
      code: 1,
      out: '',
      err: 'Nothing was changed: the balance is only ₽399.50\n',
    })
    expect(await available()).toBe(399_50n)
  })

  it.each([
    ['the answer of the database is lost', { isExecuted: true }],
    ['the database does not carry it out', { isExecuted: false }],
  ])('is granted once by a repetition with the printed key when %s', async (_, failure) => {
    const before = await available()
    const words = ['grant', '555111', '7', 'for', 'patience']
    const broken = failingStatements(world.deps.db, 1, /insert into "transfers"/, failure)
    const unknown = await insideAsking(undefined, words, { ...world.deps, db: broken })
    expect(unknown).toMatchObject(fails('unknown whether this was done'))
    const [, key = ''] = /--key ([\w-]+)/.exec(unknown.err) ?? []
    const done = await inside(...words, '--key', key)
    expect(done.out).toMatch(failure.isExecuted ? /^Granted earlier, once: ₽7:/ : /^Granted ₽7:/)
    expect(done.out).toContain('Balance: ₽406.50')
    expect(await inside(...words, '--key', key)).toMatchObject({ code: 0 })
    expect(await available()).toBe(before + 7_00n)
    expect(await inside('debit', '555111', '7', 'back', '--key', key)).toMatchObject({ code: 0 })
    expect(await available()).toBe(before)
  })

  it('of a generation is refunded once', async () => {
    const { id } = await paidGeneration(world, anna)
    expect(await inside('refund', id, 'blank')).toMatchObject(says('Refunded ₽92.45'))
    expect(await available()).toBe(399_50n)
    expect(await inside('refund', id, 'blank')).toMatchObject(
      fails('This order has already been refunded in full.\n'),
    )
    const { id: other } = await paidGeneration(world, anna)
    expect(await inside('refund', other, '40', 'blurred')).toMatchObject(
      fails(`refund ₽40 of ₽92.45 of order ${other}, ₽0 was refunded before`),
    )
    expect(await inside('refund', other, '40', 'blurred', '--yes')).toMatchObject(says('Refunded ₽40'))
    expect(await inside('refund', other, '52.46', 'blurred', '--yes')).toMatchObject({ code: 1 })
    expect(await inside('refund', other, '1.234', 'blurred')).toMatchObject({ code: 2 })
    expect(await inside('refund', other, 'blank')).toMatchObject(says('Refunded ₽52.45'))
    expect(await available()).toBe(399_50n)
    expect(await inside('refund', '0000000000', 'x')).toMatchObject(fails('There is no such order.\n'))
  })
})

it('what is not understood is answered with what to write', async () => {
  const rows = [
    ['grant @anna', 'An amount of roubles above zero is needed'],
    ['grant @anna -5 x', "Unknown option '-5'"],
    ['grant @anna 5', 'A reason is needed'],
    ['grant 555111 5 x --key a:b', 'A key is up to 40'],
    ['switch model MODEL-NOBODY off', 'Which model? One of MODEL-'],
    ['promo add ABCDEF 5 --uses 1 --until soon', '--until 2030-12-31'],
    ['promo add ABCDEF 120% --uses 1 --limit 5', 'whole percents from 1 to 100'],
    ['promo add ABCDEF 20% --uses 1', '--limit 500'],
    ['promo add ABCDEF 20 --uses 1 --limit 5', '--limit is for percents'],
    ['promo batch MAY 1001 5', 'From 1 to 1000'],
    ['promo batch МАЙ 5 5', 'Latin letters'],
    ['partner #1 many x', 'whole percents from 1 to 100'],
    ['stats 1000', 'Write a period: today'],
    ['stats 7 x', 'Unexpected argument "x"'],
    ['unmatched x', 'Unexpected'],
    ['promo list x', 'Unexpected'],
    ['promo list --uses 3', 'Unexpected option --uses'],
    ['switch maintenance on x', 'Unexpected'],
    ['updates drop 1 2', 'Unexpected'],
    ['stats --key x', 'Unexpected'],
  ] as const
  for (const [line, complaint] of rows) {
    const words = line.split(' ')
    const { code, out, err } = await inside(...words)
    expect([line, code, out]).toEqual([line, 2, ''])
    expect(err).toContain(complaint)
    expect(err).toContain(`npm run admin -- ${words[0]}`)
  }
})

describe('a change that may be a typing mistake', () => {
  const named = () => `Анна · #${anna.id} · @anna`
  const standing = async () => {
    const [found] = await world.deps.db.select().from(users).where(eq(users.id, anna.id))
    return [await available(), found?.bannedAt]
  }
  /** Runs the command in a terminal whose user gives this answer. */
  async function answering(answer: boolean, ...words: string[]) {
    const asked: string[] = []
    const ask = async (question: string) => {
      asked.push(question)
      return answer
    }
    return { ...(await insideAsking(ask, words)), asked }
  }

  it('is refused without a terminal, and the person is named', async () => {
    const before = await standing()
    const refused = (change: string) => ({
      code: 1,
      out: '',
      err: `Nothing was changed. If this is right, repeat it with --yes: ${change}: ${named()}\n`,
    })
    expect(await admin('grant', 'anna', '15000', 'x')).toEqual(refused('grant ₽15,000'))
    for (const query of ['@anna', 'нна', String(anna.id)]) {
      expect(await inside('grant', query, '100', 'x')).toEqual(refused('grant ₽100'))
      expect(await inside('debit', query, '100', 'x')).toEqual(refused('debit ₽100'))
      expect(await inside('ban', query, 'x')).toEqual(refused('ban'))
      expect(await inside('unban', query, 'x')).toEqual(refused('unban'))
    }
    expect(await standing()).toEqual(before)
  })

  it('is none when the person is named by #number, a Telegram id, or the id of an order or of its task', async () => {
    const before = await available()
    const { id, taskId } = await paidGeneration(world, anna)
    for (const query of [`#${anna.id}`, '555111', id, String(taskId)])
      expect(await answering(false, 'grant', query, '1', 'x')).toMatchObject({ code: 0, asked: [] })
    await inside('refund', id, 'back')
    await inside('debit', '555111', '4', 'back')
    expect(await available()).toBe(before)
  })

  it('is a sum that differs from what was paid, or somebody else than the payer', async () => {
    const paid = { provider: 'yookassa', userId: anna.id, charge: 300_00n, currency: 'RUB', topUpId: '' }
    for (const chargeId of ['c-1', 'c-2']) await recordUnmatched(world.deps, paid, chargeId, 'unknown')
    const before = await available()
    const assigned = (...words: string[]) => answering(false, 'assign', ...words, 'backup')
    const refused = (change: string) => ({ code: 1, asked: [expect.stringContaining(change)] })
    expect(await assigned('c-1', '555111', '50000')).toMatchObject(
      refused(`credit ₽50,000 for a payment of ₽300: ${named()}? [y/N] `),
    )
    expect(await assigned('c-1', '@anna', '300')).toMatchObject(refused(named()))
    expect(await assigned('c-1', '555222', '300')).toMatchObject(refused('Twin'))
    expect(await available()).toBe(before)
    expect(await assigned('c-1', '555111', '300')).toMatchObject({ code: 0, asked: [] })
    const confirmed = await answering(true, 'assign', 'c-2', '555111', '250', 'backup')
    expect(confirmed).toMatchObject({ code: 0, asked: [expect.stringContaining('credit ₽250')] })
    expect(await available()).toBe(before + 550_00n)
    await inside('debit', '555111', '550', 'back')
  })
})

it('the admin command bans, switches, creates promo codes, and shows all of it', async () => {
  const isBanned = async () => {
    const [found] = await world.deps.db.select().from(users).where(eq(users.id, anna.id))
    return found?.bannedAt !== null
  }
  expect(await inside('ban', '@anna', 'spam', '--yes')).toMatchObject({ code: 0 })
  expect(await isBanned()).toBe(true)
  expect(await inside('ban', '@anna', 'spam', '--yes')).toMatchObject({ code: 1 })
  expect((await inside('user', String(anna.id))).out).toMatch(
    /Анна[\s\S]*Balance: ₽399.50[\s\S]*Banned since .*: spam\n/,
  )
  expect(await inside('unban', '555111', 'sorry')).toMatchObject({ code: 0 })
  expect(await isBanned()).toBe(false)
  expect((await inside('switch', 'maintenance', 'on')).out).toBe('Maintenance is on.\n')
  expect((await inside('switch', 'model', 'MODEL-VIDEO-REEL', 'off')).out).toBe('MODEL-VIDEO-REEL is off.\n')
  expect((await inside('stats', '30')).out).toContain('Switched off: maintenance, model:MODEL-VIDEO-REEL\n')
  expect((await inside('switch', 'maintenance', 'off')).out).toBe('Maintenance is off.\n')
  expect((await inside('switch', 'model', 'MODEL-VIDEO-REEL', 'on')).out).toBe('MODEL-VIDEO-REEL is on.\n')
  expect(await inside('promo', 'add', 'spring', '100', '--uses', '5', '--until', '2099-12-31')).toMatchObject(
    { code: 0 },
  )
  expect(await inside('promo', 'add', 'SPRING', '1', '--uses', '1')).toMatchObject({ code: 1 })
  expect((await inside('promo', 'list')).out).toBe('SPRING: ₽100, used 0 of 5, until 2100-01-01 00:00\n')
  expect(await inside('promo', 'end', 'spring')).toMatchObject(fails('repeat it with --yes'))
  expect(await inside('promo', 'end', 'spring', '--yes')).toMatchObject({ code: 0 })
  expect(await inside('promo', 'end', 'spring', '--yes')).toMatchObject({ code: 1 })
  const { out } = await inside('log')
  expect(out).toMatch(
    /npm run admin · made a promo code · promo:SPRING[\s\S]*npm run admin · banned · user:\d+ +spam/,
  )
})

it('makes a batch of single-use codes as a table, lists and ends it as one, and gives a partner percents', async () => {
  const made = ['promo', 'batch', 'may', '50', '20%', '--limit', '500', '--until', '2099-12-31']
  expect(await inside(...made)).toMatchObject(fails('₽25,000 in all'))
  const { out } = await inside(...made, '--yes')
  const [head, ...lines] = out.trim().split('\n')
  expect(head).toBe('code,gives,until')
  const codes = lines.map((line) => line.split(',')[0] ?? '')
  expect([new Set(codes).size, codes.every((code) => /^MAY-[0-9A-Z]{10}$/.test(code))]).toEqual([50, true])
  const redeemer = { userId: anna.id, personHash: 'anna' }
  expect(await redeem(world.deps.db, redeemer, codes[7] ?? '', world.clock.now())).toMatchObject({ ok: true })
  const listed = 'MAY (50 codes): 20% of the next top-up, up to ₽500, used 1 of 50, until 2100-01-01 00:00'
  expect(await inside('promo', 'list')).toMatchObject(says(listed))
  expect(await inside('promo', 'end', 'may', '--yes')).toMatchObject({ code: 0 })
  expect(
    await redeem(world.deps.db, { ...redeemer, userId: anna.id + 1n }, codes[8] ?? '', world.clock.now()),
  ).toEqual({
    ok: false,
    reason: 'used-up',
  })
  expect(await inside('partner', '@anna', '30%', 'a', 'blog')).toMatchObject(fails('30% of each top-up'))
  expect(await inside('partner', '555111', '30%', 'a', 'blog')).toMatchObject({ code: 0 })
  expect(await inside('partner', '555111', '30', 'a', 'blog')).toMatchObject(fails('That is so already'))
  expect(await inside('user', '555111')).toMatchObject(says('Partner: 30%'))
  expect(await inside('partner', '555111', 'usual', 'over')).toMatchObject(says('what everybody gets'))
})

describe('forget', () => {
  const bot = { token: '1:token', operators: [] }
  const forgets = (words: readonly string[], more: object = { bot }) =>
    runCommand({ ...terminal(world.deps), ...more }, ['forget', ...words])

  it('deletes the data of a banned person as /delete_me does, after a confirmation that shows what is lost', async () => {
    const { db, clock } = world.deps
    const person = { telegramId: 555_444, languageCode: 'en', name: 'Gone' }
    const { user } = await ensureUser(db, person, clock.now())
    await inside('grant', '555444', '12', 'a', 'gift')
    await inside('ban', '555444', 'spam')
    expect(await forgets(['555444'], {})).toMatchObject({
      code: 1,
      lines: [expect.stringContaining('BOT_TOKEN')],
    })
    const asks = /Nothing was changed.*give up ₽12 of balance and wallets, and end the ban: Gone · #\d+/
    const refused = { code: 1, lines: [expect.stringMatching(asks)] }
    expect(await forgets(['555444'])).toMatchObject(refused)
    const done = await forgets(['555444', '--yes'])
    expect(done.code).toBe(0)
    expect(done.lines.join(' ')).toMatch(`the data of #${user.id}. Given up: ₽12.`)
    expect(done.lines.join(' ')).toMatch(/ban has ended/)
    const [row] = await db.select().from(users).where(eq(users.id, user.id))
    expect(row).toMatchObject({ telegramId: null, name: null, forgottenAt: clock.now() })
    expect(await wasForgotten(db, hashOfPerson(bot.token, person.telegramId))).toBe(true)
    expect(await forgets([`#${user.id}`, '--yes'])).toMatchObject({
      code: 1,
      lines: ['Nothing was deleted: their data is deleted already.'],
    })
  })
})

it('the admin command makes the running bot send the user a message', async () => {
  const url = await freshUrl('postgres')
  const sandbox = await openSandbox('postgres', { DATABASE_URL: url })
  try {
    const boris = await sandbox.user('Борис', 'ru')
    await boris.asks('/balance', '500 ₽')
    const words = ['grant', 'Борис', '50', 'за', 'терпение', '--yes']
    const said = { code: 0, output: expect.stringContaining('The running bot tells the user.') }
    expect(await run(program, { DATABASE_URL: url }, words)).toMatchObject(said)
    await boris.sees(/начислено 50 ₽[\s\S]*Причина: за терпение[\s\S]*550 ₽/)
  } finally {
    await sandbox.stop()
  }
})
