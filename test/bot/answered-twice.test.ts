// Updates whose handling failed or is repeated: the stored state of a conversation; money and results are given once, and an answer to a
// question of the bot never becomes a paid question to a text model, also not when it is sent again after a failure.

import { type Conversation, conversations, createConversation } from '@grammyjs/conversations'
import { and, DrizzleQueryError, eq, isNotNull, isNull, sql } from 'drizzle-orm'
import { Bot, type Context } from 'grammy'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Ctx } from '../../src/bot/context.ts'
import { conversationStorage, oncePerUpdate } from '../../src/bot/conversation-storage.ts'
import { accounts, conversationStates, drafts, generations, turns, updates } from '../../src/db/schema.ts'
import { ensureUser } from '../../src/users/user.ts'
import { freshDatabase, type TestDatabase } from '../support/database/database.ts'
import { failsToInsert } from '../support/database/failing-inserts.ts'
import { handClock } from '../support/runtime/clock.ts'
import { handleLastAgain } from '../support/users/handled-again.ts'
import { requestOf, turnsIn } from '../support/users/order.ts'
import { sharedSandbox } from '../support/users/sandbox.ts'
import type { SandboxUser } from '../support/users/user.ts'
import { makePromos } from '../support/worlds/promo-codes.ts'

describe('the stored state of a conversation', () => {
  let database: TestDatabase
  let answers: (string | undefined)[] = []
  /** Errors that the handling of the next updates throws after the conversation has run, in order. */
  let failures: (Error | undefined)[] = []
  /** Runs once while the next update is handled, after the conversation has run. */
  let meanwhile: (() => Promise<unknown>) | undefined
  beforeAll(async () => {
    database = await freshDatabase('postgres')
  })
  beforeEach(async () => {
    await database.db.delete(conversationStates)
    answers = []
    failures = []
    meanwhile = undefined
  })
  afterAll(() => database.close())

  const outage = () =>
    new DrizzleQueryError('select', [], Object.assign(new Error('gone'), { code: '57P01' }))
  const me = { id: 1, is_bot: true, first_name: 'Bot', username: 'bot' }

  /** Starts a process whose conversation asks for a word and takes the next message as the answer. */
  function startBot(): Bot<Ctx> {
    const botInfo = JSON.parse(JSON.stringify({ ...me, can_join_groups: true }))
    const bot = new Bot<Ctx>('1:token', { botInfo })
    const storage = conversationStorage({ db: database.db, clock: handClock() })
    bot.use(conversations<Ctx, Context>({ storage }), oncePerUpdate)
    bot.use(async (_, next) => {
      await next()
      const happening = meanwhile
      meanwhile = undefined
      await happening?.()
      const failure = failures.shift()
      if (failure) throw failure
    })
    const ask = async (conversation: Conversation<Ctx, Context>) => {
      const isAnswer = ({ msg }: Context) => msg?.text !== undefined && msg.text !== 'close'
      const { msg } = await conversation.waitUntil(isAnswer, { next: true })
      await conversation.external(() => void answers.push(msg?.text))
    }
    bot.use(createConversation<Ctx, Context>(ask, 'ask'))
    bot.hears('ask', (ctx) => ctx.conversation.enter('ask'))
    bot.hears('close', (ctx) => {
      ctx.stored.isClosed = true
      return ctx.conversation.exitAll()
    })
    bot.on('message:text', (ctx) => void answers.push(`not an answer: ${ctx.msg.text}`))
    return bot
  }

  const anna = { id: 7, is_bot: false, first_name: 'Anna' }
  const says = (update_id: number, text: string) =>
    startBot()
      .handleUpdate({
        update_id,
        message: {
          message_id: update_id,
          date: 0,
          chat: { id: 7, type: 'private', first_name: 'Anna' },
          from: anna,
          text,
        },
      })
      .then(
        () => 'done',
        () => 'failed',
      )

  it('an answer is taken again when its update is handled again after a database outage', async () => {
    await says(1, 'ask')
    failures = [outage()]
    expect(await says(2, 'word')).toBe('failed')
    expect(await says(2, 'word')).toBe('done')
    expect(await says(3, 'more')).toBe('done')
    expect(answers).toEqual(['word', 'word', 'not an answer: more'])
  })

  it('an update that was handled successfully is dropped when it is repeated', async () => {
    await says(1, 'ask')
    await says(2, 'word')
    await says(2, 'word')
    await says(3, 'more')
    expect(answers).toEqual(['word', 'not an answer: more'])
  })

  it('a question stays open after one failure and is closed by the second', async () => {
    await says(1, 'ask')
    failures = [new Error('cannot'), new Error('cannot')]
    for (const id of [2, 3, 4]) await says(id, `word ${id}`)
    expect(answers).toEqual(['word 2', 'word 3', 'not an answer: word 4'])
  })

  it('a question that a handler has closed stays closed when that handler fails afterwards', async () => {
    await says(1, 'ask')
    failures = [new Error('cannot')]
    await says(2, 'close')
    await says(3, 'word')
    expect(answers).toEqual(['not an answer: word'])
  })

  it('a paused process does not reopen a question that another process has closed', async () => {
    meanwhile = async () => {
      await says(2, 'ask')
      await says(3, 'close')
    }
    await says(1, 'ask')
    await says(4, 'word')
    expect(answers).toEqual(['not an answer: word'])
  })

  it('a paused process does not close a question that another process has opened', async () => {
    await says(1, 'ask')
    meanwhile = async () => {
      await says(3, 'close')
      await says(4, 'ask')
    }
    await says(2, 'close')
    await says(5, 'word')
    expect(answers).toEqual(['word'])
  })
})

const sandbox = await sharedSandbox()
const { db } = sandbox.app

/** Handles the user's last message again, and checks that this adds nothing to the chat and starts no turn. */
async function isTakenOnce(user: SandboxUser): Promise<void> {
  const waiting = () => db.$count(updates, and(isNull(updates.doneAt), isNull(updates.setAsideAt)))
  await expect.poll(waiting).toBe(0)
  const [before, asked] = [(await user.chat()).length, await db.$count(turns)]
  await handleLastAgain(sandbox, user.id)
  await expect.poll(waiting).toBe(0)
  expect((await user.chat()).slice(before).map(({ text, caption }) => text ?? caption)).toEqual([])
  expect(await db.$count(turns)).toBe(asked)
}

async function asked(command: string, ...given: readonly (string | RegExp)[]): Promise<SandboxUser> {
  const user = await sandbox.user('Anna')
  await user.sends(command)
  for (const button of given) await user.taps(button)
  return user
}
const askedForPrompt = async () => {
  const user = await asked('/image a cat', /Prompt/)
  await user.sees(/Write the answer/)
  return user
}
async function askedForName(): Promise<SandboxUser> {
  const user = await asked('/image a cat', '⚙️ More', /Presets/, /Save/)
  await user.sees(/Name of the preset/)
  return user
}
describe('what was taken is not taken again as a question to the text model:', () => {
  it('a prompt for the step-by-step guide', async () => {
    const anna = await asked('/image a cat', '⚙️ More', '🪜 Step by step')
    await anna.seesButton('✅ Enough, show the price')
    await anna.taps('‹ Back')
    await anna.asks('a fox at dusk', /Aspect ratio/)
    await isTakenOnce(anna)
  })

  it('a prompt after a button of the card, also after a repeated command, which leaves the question open', async () => {
    const boris = await askedForPrompt()
    await boris.asks('/balance', /^Balance: /)
    await isTakenOnce(boris)
    await boris.asks('a dog at noon', /Prompt: a dog at noon/)
    await isTakenOnce(boris)
  })

  it('a value, although its card was ordered since', async () => {
    const vera = await asked('/video a cat', /^Duration/)
    await vera.seesButton('‹ Back')
    await vera.sends('10')
    await vera.seesButton('Duration: 10 s')
    await requestOf(sandbox, vera)
    await isTakenOnce(vera)
    expect(await turnsIn(sandbox, vera)).toEqual([])
  })

  it('an amount, a promo code and a name for saved settings', async () => {
    const clara = await askedForName()
    await clara.asks('my settings', /Saved as/)
    await isTakenOnce(clara)
    await clara.asks('/topup', 'How much?')
    await clara.asks('750', 'How would you like to pay ₽750?')
    await handleLastAgain(sandbox, clara.id)
    expect((await clara.transcript()).match(/How would you like to pay ₽750/g)).toHaveLength(1)
    expect(await turnsIn(sandbox, clara)).toEqual([])
    await makePromos(db, { code: 'TWICE', amount: 500n, maxUses: 9, createdAt: new Date() })
    await clara.asks('/promo', /code/i)
    await clara.asks('TWICE', /₽5 added/)
    await isTakenOnce(clara)
  })
})

it('a name for settings that cannot be saved can be sent again, as the apology says', async () => {
  const fred = await askedForName()
  await failsToInsert(db, 'presets')
  const before = await db.$count(turns)
  await fred.asks('my settings', /Something went wrong on our side/)
  await fred.asks('my settings', /Saved as/)
  expect(await db.$count(turns)).toBe(before)
  await db.execute(sql`drop trigger fails on presets`)
})

describe('when the process died after a step,', () => {
  let lastId = 920_000_000

  /** Puts an update into the inbox as Telegram would; resolves when it is handled. */
  async function handled(update: object, id = ++lastId): Promise<number> {
    const now = new Date()
    const again = { body: JSON.stringify({ update_id: id, ...update }), doneAt: null, dueAt: now }
    const row = { id, receivedAt: now, ...again }
    await db.insert(updates).values(row).onConflictDoUpdate({ target: updates.id, set: again })
    const isDone = and(eq(updates.id, id), isNotNull(updates.doneAt))
    await expect.poll(() => db.$count(updates, isDone)).toBe(1)
    return id
  }

  it('a user gets the welcome credit, and gets it once', async () => {
    const anna = await sandbox.user('Anna')
    const person = { telegramId: anna.id, languageCode: 'en', name: 'Anna', username: null }
    const { user } = await ensureUser(db, person, new Date())
    await anna.asks('/start', /A gift for you: ₽500/)
    await db.execute(`update users set greeted_at = null where telegram_id = ${anna.id}`)
    await handleLastAgain(sandbox, anna.id)
    const [balance] = await db.select().from(accounts).where(eq(accounts.ownerId, user.id))
    expect(balance?.available).toBe(500_00n)
  })

  it('an order by one tap is made once and keeps its message', async () => {
    const dana = await sandbox.user('Dana')
    const { message_id, reply_markup } = await dana.asks('/start', /Hello/)
    const buttons = reply_markup?.inline_keyboard?.flat() ?? []
    const data = buttons.find((one) => one.callback_data?.startsWith('bx:'))?.callback_data
    const from = { id: dana.id, is_bot: false, first_name: 'Dana', language_code: 'en' }
    const message = { message_id, date: 1, chat: { id: dana.id, first_name: 'Dana', type: 'private' } }
    const tap = { callback_query: { id: '1', from, chat_instance: '1', message, data } }
    const id = await handled(tap)
    await dana.sees(({ photo }) => photo !== undefined)
    const before = (await dana.chat()).map((one) => one.message_id)
    await handled(tap, id)
    expect((await dana.chat()).map((one) => one.message_id)).toEqual(before)
    const [draft] = await db.select().from(drafts).where(eq(drafts.updateId, id))
    expect(await db.$count(generations, eq(generations.draftId, draft?.id ?? ''))).toBe(1)
  })
})
