// The stored state of a conversation after updates whose handling failed.

import { type Conversation, conversations, createConversation } from '@grammyjs/conversations'
import { DrizzleQueryError } from 'drizzle-orm'
import { Bot, type Context } from 'grammy'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { Ctx } from '../../src/bot/context.ts'
import { conversationStorage, oncePerUpdate } from '../../src/bot/conversation-storage.ts'
import { conversationStates } from '../../src/db/schema.ts'
import { freshDatabase, type TestDatabase } from '../support/database/database.ts'
import { handClock } from '../support/runtime/clock.ts'

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

const outage = () => new DrizzleQueryError('select', [], Object.assign(new Error('gone'), { code: '57P01' }))
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
