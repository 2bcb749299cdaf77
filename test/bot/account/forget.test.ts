// The commands /export and /delete_me as a user sees them, in both languages.

import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { mostGuesses } from '../../../src/bot/account/promo.ts'
import { users } from '../../../src/db/schema.ts'
import { audit } from '../../../src/ledger/audit.ts'
import { readBalance } from '../../../src/ledger/ledger.ts'
import { taps } from '../../../src/telegram/taps.ts'
import { ensureUser } from '../../../src/users/user.ts'
import { isHandled } from '../../support/users/handled-again.ts'
import { order } from '../../support/users/order.ts'
import { openSandbox, type TestSandbox } from '../../support/users/sandbox.ts'
import { createUser, type SandboxUser } from '../../support/users/user.ts'
import { makePromos } from '../../support/worlds/promo-codes.ts'

let sandbox: TestSandbox
beforeAll(async () => {
  sandbox = await openSandbox('postgres', {
    WELCOME_CREDIT: '200',
    SUPPORT_CONTACT: '@help_me',
    REFERRAL_BONUS: '10',
  })
})
afterAll(async () => {
  expect(await audit(sandbox.app.db)).toEqual([])
  await sandbox.stop()
})

const rowOf = async ({ id }: SandboxUser) => {
  const [found] = await sandbox.app.db.select().from(users).where(eq(users.telegramId, id))
  return found
}

async function exported(user: SandboxUser) {
  const { document } = await user.sees((message) => /\.json$/.test(message.document?.file_name ?? ''))
  const answer = await fetch(`${sandbox.url}/api/files/${document?.file_id}`)
  const text = await answer.text()
  return { text, data: JSON.parse(text) }
}

describe.each([
  [
    'ru',
    /Скачать мои данные/,
    /Продолжить удаление/,
    /Да, удалить навсегда/,
    /деньги пропадут.*@help_me/s,
    /Точно удалить/,
    /Ваши данные удалены/,
  ],
  [
    'en',
    /Download my data/,
    /Continue/,
    /Yes, delete for good/,
    /will be lost.*@help_me/s,
    /Really delete/,
    /Your data is deleted/,
  ],
] as const)('in %s', (language, download, go, yes, warning, sure, done) => {
  it('/export sends the data as a file, and /delete_me deletes it after two more taps', async () => {
    const anna = await createUser(sandbox.url, {
      first_name: 'Anna',
      language_code: language,
      username: `anna_${language}`,
    })
    await order(sandbox, anna, '/image a secret fox')
    const before = await rowOf(anna)
    expect(before).toMatchObject({ name: 'Anna', username: `anna_${language}` })
    await anna.sends('/delete_me')
    await anna.sees(warning)
    await anna.taps(download)
    const { text, data } = await exported(anna)
    expect(data).toMatchObject({
      profile: { telegramId: anna.id, name: 'Anna' },
      balance: { available: 194_72, held: 0 },
      generations: [{ amount: 5_28, captured: 5_28, request: { prompt: 'a secret fox' } }],
      transfers: [{ kind: 'promotion' }, { kind: 'hold' }, { kind: 'capture' }],
    })
    expect(text).not.toMatch(/callbackToken|gatewayCost|multiplier|lease/)
    await anna.taps(go)
    await anna.sees(sure)
    await anna.taps(yes)
    await anna.sees(done)
    expect(await rowOf(anna)).toBeUndefined()
    const [old] = await sandbox.app.db
      .select()
      .from(users)
      .where(eq(users.id, before?.id ?? 0n))
    expect(old).toMatchObject({ telegramId: null, name: null, username: null, telegramLanguage: null })
    expect(await readBalance(sandbox.app.db, before?.id ?? 0n)).toMatchObject({ available: 194_72n })
  })
})

const minute = 60_000

it.each([
  ['later than the bot writes', () => Date.now() + 11 * minute],
  ['for ever', () => 999_999_999_999_999],
  ['that has passed', () => Date.now() - minute],
])('the last button of /delete_me deletes nothing with a forged expiry %s', async (_, until) => {
  const anna = await sandbox.user('Anna', 'en')
  await anna.sends('/delete_me')
  await anna.taps(/Continue/)
  const { message_id } = await anna.sees(/Really delete/)
  await anna.tapsData(message_id, taps.deleteDataNow.data({ until: until() }))
  await anna.isTold(/This button has expired/)
  expect(await rowOf(anna)).toMatchObject({ name: 'Anna' })
})

async function deletesEverything(user: SandboxUser): Promise<void> {
  await user.sends('/delete_me')
  await user.taps(/Continue/)
  await user.taps(/Yes, delete for good/)
  await user.sees(/Your data is deleted/)
}

it('blocking the bot after the deletion stores nothing about the person', async () => {
  const anna = await sandbox.user('Anna')
  await deletesEverything(anna)
  for (const isBlocked of [true, false]) {
    await anna.blocks(isBlocked)
    await isHandled(sandbox, ({ my_chat_member: change }) => change?.from.id === anna.id)
  }
  expect(await rowOf(anna)).toBeUndefined()
})

describe('a user who comes back after the deletion', () => {
  it('gets a new account without the welcome credit, the inviter and a second use of a promo code', async () => {
    const amounts = { amount: 70_00n, maxUses: 9, createdAt: new Date('2026-01-01') }
    await makePromos(sandbox.app.db, { code: 'OLD', ...amounts })
    const anna = await sandbox.user('Anna')
    await anna.sends('/invite')
    const link = /ref_[0-9a-z]+/.exec((await anna.sees(/ref_/)).text ?? '')
    const boris = await sandbox.user('Boris')
    await boris.sends('/promo OLD')
    await boris.sees(/Balance: ₽270.00/)
    const first = await rowOf(boris)
    await deletesEverything(boris)
    await boris.sends(`/start ${link}`)
    await boris.sees(/Balance: ₽0.00/)
    const again = await rowOf(boris)
    expect(again?.id).not.toBe(first?.id)
    expect(again?.referrerId).toBeNull()
    await boris.sends('/promo OLD')
    await boris.sees(/older than the deletion of your data/)
    await boris.sends('/history')
    await boris.sees(/nothing here yet/)
  })

  it('cannot guess promo codes any more often: wrong codes before the deletion count, and codes older than it, too', async () => {
    const amounts = { amount: 70_00n, maxUses: 9, createdAt: new Date('2026-01-01') }
    await makePromos(sandbox.app.db, { code: 'OLDER', ...amounts })
    const eve = await sandbox.user('Eve')
    for (let at = 1; at < mostGuesses; at += 1) {
      await eve.sends(`/promo GUESS${at}`)
      await eve.sees(/no such promo code/)
    }
    await deletesEverything(eve)
    await eve.sends('/promo OLDER')
    await eve.sees(/older than the deletion of your data/)
    await eve.sends('/promo OLDER')
    await eve.sees(/5 wrong codes/)
  })

  it('after five wrong codes has to wait, like before', async () => {
    const eve = await sandbox.user('Eve')
    for (let at = 0; at < mostGuesses; at += 1) {
      await eve.sends(`/promo GUESS${at}`)
      await eve.sees(/no such promo code/)
    }
    await deletesEverything(eve)
    await eve.sends('/promo GUESS')
    await eve.sees(/5 wrong codes/)
  })
})

describe('the deletion of data', () => {
  const isThere = async (user: SandboxUser) => expect(await rowOf(user)).toMatchObject({ forgottenAt: null })

  it('nothing is deleted by a button that has expired, or whose expiry is too far in the future', async () => {
    const anna = await sandbox.user('Anna')
    await anna.sends('/delete_me')
    const { message_id } = await anna.sees(/Deleting your data/)
    for (const time of [Date.now() - 1, Date.now() + 3_600_000]) {
      await anna.tapsData(message_id, `d2:${time}`)
      await anna.isTold(/has expired/)
    }
    await isThere(anna)
  })

  it('nothing is deleted when the user taps “Don’t delete”', async () => {
    const anna = await sandbox.user('Anna')
    await anna.sends('/delete_me')
    await anna.taps(/Continue/)
    await anna.taps('Don’t delete')
    await anna.isTold(/nothing was deleted/)
    await isThere(anna)
  })

  it('nothing is deleted or exported in a group', async () => {
    const anna = await sandbox.user('Anna')
    const { id } = await sandbox.post<{ id: number }>('/api/chats', { title: 'We', members: [anna.id] })
    for (const command of ['/delete_me', '/export']) {
      await anna.in(id).sends(command)
      const { message_id } = await anna.in(id).sees(/Open our private chat and press “Start”/)
      await anna.in(id).tapsData(message_id, `d2:${Date.now() + 60_000}`)
      await anna.in(id).isTold(/Only in the private chat/)
    }
    await isThere(anna)
  })

  it('nothing is deleted while an order is in progress, and the user is told', async () => {
    const anna = await sandbox.user('Анна', 'ru')
    await sandbox.breaks('gateway', 'create', { kind: 'task', status: 'stuck' })
    await anna.sends('/image лиса')
    await anna.taps(/Создать/)
    await anna.sees(/В очереди|Делаем/)
    await anna.sends('/delete_me')
    await anna.sees(/есть заказы в работе/)
    await isThere(anna)
  })
})

describe('the stored name of a user', () => {
  it('follows the name in Telegram, and stays when an update has no name', async () => {
    const { db } = sandbox.app
    const person = { telegramId: 515151, languageCode: 'en' }
    const see = async (more: { name?: string; username?: string | null }) => {
      await ensureUser(db, { ...person, ...more }, new Date())
      const [row] = await db.select().from(users).where(eq(users.telegramId, person.telegramId))
      return [row?.name, row?.username]
    }
    expect(await see({ name: 'Eva', username: 'eva' })).toEqual(['Eva', 'eva'])
    expect(await see({})).toEqual(['Eva', 'eva'])
    expect(await see({ name: 'Eva Star', username: 'eva' })).toEqual(['Eva Star', 'eva'])
    expect(await see({ name: 'Eva Star', username: null })).toEqual(['Eva Star', null])
  })
})
