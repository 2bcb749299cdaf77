// Conversations are installed when they are needed: the active ones, and those that a handler enters.

import { type Conversation, conversations } from '@grammyjs/conversations'
import { Bot, type Context } from 'grammy'
import type { Update } from 'grammy/types'
import { beforeEach, expect, it } from 'vitest'
import { conversationsOnDemand } from '../../src/bot/bot.ts'
import type { Ctx } from '../../src/bot/context.ts'

const said: string[] = []
beforeEach(() => {
  said.length = 0
})

const asks =
  (name: string) => async (conversation: Conversation<Ctx, Context>, _: Context, topic: string) => {
    const say = (text: string) => conversation.external(() => void said.push(`${name} ${text}`))
    await say(`asks about ${topic}`)
    const isAnswer = (ctx: Context) => ctx.msg?.text?.startsWith(name) === true
    const answer = await conversation.waitUntil(isAnswer, { next: true })
    await say(`got ${answer.msg?.text}`)
  }

function startBot() {
  const bot = new Bot<Ctx>('1:token', {
    botInfo: { id: 1, is_bot: true, first_name: 'Bot', username: 'test_bot' } as Bot<Ctx>['botInfo'],
  })
  bot.use(conversations<Ctx, Context>())
  bot.use(conversationsOnDemand({ first: asks('first'), second: asks('second') }))
  bot.hears(/^enter (.+)/, (ctx) => ctx.conversation.enter(String(ctx.match[1]), 'money'))
  bot.hears(/^change (.+) (.+)/, async (ctx) => {
    await ctx.conversation.enter(String(ctx.match[1]), 'money')
    await ctx.conversation.exitAll()
    await ctx.conversation.enter(String(ctx.match[2]), 'money')
  })
  bot.hears('leave', (ctx) => ctx.conversation.exitAll())
  bot.on('message:text', (ctx) => void said.push(`handler got ${ctx.msg.text}`))
  let updates = 0
  return async (text: string) => {
    updates += 1
    const message = {
      message_id: updates,
      date: 0,
      chat: { id: 5, type: 'private', first_name: 'A' },
      from: { id: 5, is_bot: false, first_name: 'A' },
      text,
    }
    await bot.handleUpdate({ update_id: updates, message } as Update)
  }
}

it.each<[string, readonly string[], readonly string[]]>([
  [
    'an update resumes the conversation that an earlier update has entered',
    ['enter first', 'second thoughts', 'first answer', 'first again'],
    [
      'first asks about money',
      'handler got second thoughts',
      'first got first answer',
      'handler got first again',
    ],
  ],
  [
    'an update enters two conversations, the first of which has ended',
    ['change first second', 'first answer', 'second answer'],
    [
      'first asks about money',
      'second asks about money',
      'handler got first answer',
      'second got second answer',
    ],
  ],
  [
    'a conversation that has been left can be entered again',
    ['enter first', 'leave', 'first answer', 'enter first'],
    ['first asks about money', 'handler got first answer', 'first asks about money'],
  ],
  [
    'an update enters a conversation twice',
    ['change first first', 'first answer'],
    ['first asks about money', 'first asks about money', 'first got first answer'],
  ],
])('%s', async (_, texts, expected) => {
  const says = startBot()
  for (const text of texts) await says(text)
  expect(said).toEqual(expected)
})

it('enter() refuses an unknown name, and a conversation that is active already', async () => {
  const says = startBot()
  await expect(says('enter third')).rejects.toThrow(/third/)
  await says('enter first')
  await expect(says('enter first')).rejects.toThrow(/first/)
})
