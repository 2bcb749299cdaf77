// The delivery of settled answers: sent messages are not repeated, any process retries the unsent ones, and the price of undeliverable
// ones is refunded.

import sharp from 'sharp'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { findConversationById } from '../../src/chat/conversations.ts'
import { claimAnswers, giveUpSending, markSent, putOffSending } from '../../src/chat/deliveries.ts'
import { beginTurn } from '../../src/chat/hold.ts'
import { audit } from '../../src/ledger/audit.ts'
import { builtIn } from '../../src/ledger/built-in-notes.ts'
import { readBalance } from '../../src/ledger/ledger.ts'
import { statementOf } from '../../src/ledger/statement.ts'
import { findDraft } from '../../src/orders/drafts.ts'
import { randomIds } from '../../src/runtime/ids.ts'
import { leaseMs } from '../../src/runtime/queue-worker.ts'
import type { Fault } from '../../src/sandbox/faults.ts'
import { maxDeliveryAttempts } from '../../src/telegram/send.ts'
import { claimNow } from '../support/database/claim.ts'
import { failing } from '../support/database/failing.ts'
import { labelsOf } from '../support/users/user.ts'
import { type Answers, type Asking, createAnswers, model, text } from '../support/worlds/answers.ts'
import { gate } from '../support/worlds/generations.ts'

let answers: Answers
beforeAll(async () => {
  answers = await createAnswers()
})
afterAll(async () => {
  expect(await audit(answers.db)).toEqual([])
  await answers.close()
})
afterEach(async () => {
  expect(answers.telegram.faults.list()).toEqual([])
  answers.telegram.faults.clear()
  await answers.db.execute(`update turns set delivery = 'none', send_at = null where delivery = 'pending'`)
})

const three = [text('one'), text('two'), text('three')]
const broken: Fault = { kind: 'error', status: 500, description: 'Internal Server Error' }
/** A fault: Telegram executes the call, but its response is lost. */
const unheard: Fault = { kind: 'cut', after: true }
const refusal = (description: string) => ({
  kind: 'error' as const,
  status: 400,
  description: `Bad Request: ${description}`,
})

const available = async ({ user }: Asking) => (await readBalance(answers.db, user.id)).available

describe('an answer with a picture', async () => {
  const created = sharp({ create: { width: 64, height: 64, channels: 3, background: 'red' } })
  const png = (await created.png().toBuffer()).toString('base64')
  const picture = { kind: 'picture', address: `data:image/png;base64,${png}` } as const

  it('sends it as a photo after the text, with the price, also after a crash', async () => {
    const one = await answers.settled([text('Here:'), picture])
    answers.fault('sendPhoto', broken)
    await answers.attempt(one)
    expect(await answers.nextAttempt(one)).toMatchObject({ delivery: 'delivered', parts: null })
    const photos = (await one.anna.chat()).filter(({ photo }) => photo)
    expect(photos.map(labelsOf)).toEqual([expect.arrayContaining(['ℹ️ 1 ₽'])])
  })

  it('sends a document when Telegram refuses the photo, and words when the link leads nowhere', async () => {
    const lost = { kind: 'picture', address: 'http://127.0.0.1:1/fox.png' } as const
    const one = await answers.settled([picture, lost])
    answers.fault('sendPhoto', refusal('PHOTO_INVALID_DIMENSIONS'))
    expect(await answers.attempt(one)).toMatchObject({ delivery: 'delivered' })
    expect(await answers.said(one)).toEqual([
      '<picture.png>',
      expect.stringMatching(/загрузить её не удалось/),
    ])
  })
})

it('a message of an answer is sent without the formatting that Telegram refuses', async () => {
  const one = await answers.settled(three)
  answers.fault('sendMessage', refusal("can't parse entities"))
  await answers.attempt(one)
  expect(await answers.said(one)).toEqual(['one', 'two', 'three'])
})

it('an answer is sent once although the database is unavailable when its delivery is recorded', async () => {
  const one = await answers.settled(three)
  const attempt = answers.attempt(one, { db: failing(answers.db, 1, /^update$/) })
  await answers.clock.asked(1000)
  answers.clock.advance(1000)
  expect(await attempt).toMatchObject({ delivery: 'delivered', attempts: 0 })
  expect(await answers.said(one)).toEqual(['one', 'two', 'three'])
})

it('an answer in a group is continued in the new chat after the group was migrated', async () => {
  const one = await answers.settled(three, { group: true })
  const other = await answers.asked({ group: true })
  await answers.settledNow(other)
  const moved = refusal('group chat was upgraded to a supergroup chat')
  answers.fault('sendMessage', { ...moved, migrateTo: other.anna.chatId })
  await answers.attempt(one)
  const conversation = await findConversationById(answers.db, one.turn.conversationId)
  expect(conversation?.chatId).toBe(other.anna.chatId)
  expect(await answers.said(other)).toEqual(['two', 'three'])
})

describe('an answer of several messages', () => {
  it('is sent at once by the process that settled it, with the price in the last message', async () => {
    const one = await answers.settled(three)
    expect(await answers.attempt(one)).toMatchObject({
      delivery: 'delivered',
      sent: 3,
      parts: null,
      lease: null,
    })
    expect(await answers.said(one)).toEqual(['one', 'two', 'three'])
    const messages = (await one.anna.chat()).slice(-3)
    expect(messages.map((message) => labelsOf(message))).toEqual([
      [],
      [],
      ['🔁 Ещё раз', 'ℹ️ 1 ₽', expect.stringMatching(/^🔊 Вслух · 0,\d\d ₽$/)],
    ])
  })

  it.each([0, 1, 2])('is continued later after the first %i messages were sent', async (skip) => {
    const one = await answers.settled(three)
    answers.fault('sendMessage', broken, 1, skip)
    expect(await answers.attempt(one)).toMatchObject({
      delivery: 'pending',
      sent: skip,
      attempts: 1,
      lease: null,
    })
    expect(await answers.nextAttempt(one)).toMatchObject({ delivery: 'delivered' })
    expect(await answers.said(one)).toEqual(['one', 'two', 'three'])
  })

  it('repeats only the message whose response was lost', async () => {
    const one = await answers.settled(three)
    answers.fault('sendMessage', unheard, 1, 1)
    await answers.attempt(one)
    await answers.nextAttempt(one)
    expect(await answers.said(one)).toEqual(['one', 'two', 'two', 'three'])
  })

  it("waits for Telegram's retry_after without counting a failed attempt", async () => {
    const one = await answers.settled(three)
    answers.fault('sendMessage', { kind: 'error', status: 429, retryAfter: 90 }, 1, 1)
    const now = answers.clock.now().getTime()
    const { attempts, sendAt } = await answers.attempt(one)
    expect([attempts, Number(sendAt) - now]).toEqual([0, 90_000])
    await answers.nextAttempt(one)
    expect(await answers.said(one)).toEqual(['one', 'two', 'three'])
  })

  it('is claimed by only one of several processes', async () => {
    const one = await answers.settled(three)
    answers.clock.advance(leaseMs + 1)
    const claims = await Promise.all(
      Array.from({ length: 8 }, () => claimAnswers(answers.db, claimNow(answers.world.deps))),
    )
    expect(claims.flat().map(({ id }) => id)).toEqual([one.turn.id])
    await answers.nextAttempt(one)
  })

  it('replies to the question in groups, and in private chats only when it is late', async () => {
    const [quick, late, group] = [
      await answers.settled([text('one')]),
      await answers.settled([text('one')]),
      await answers.settled([text('one'), text('two')], { group: true }),
    ]
    await answers.attempt(quick)
    await answers.nextAttempt(late)
    const repliesOf = async ({ anna }: Asking) =>
      (await anna.chat()).map(({ reply_to_message }) => reply_to_message?.text)
    expect(await repliesOf(quick)).toEqual([undefined, undefined])
    expect(await repliesOf(late)).toEqual([undefined, 'Why?'])
    expect(await answers.said(group)).toEqual(['one', 'two'])
  })
})

it('the delivery in a group sends the first message as a new one when the placeholder was deleted', async () => {
  const one = await answers.settled(three, { group: true })
  await answers.api.deleteMessage(one.anna.chatId, Number(one.turn.answerMessageId))
  await answers.attempt(one)
  expect(await answers.said(one)).toEqual(['one', 'two', 'three'])
})

describe('an undeliverable answer', () => {
  const lines = async ({ user }: Asking) =>
    (await statementOf(answers.db, user.id))
      .map(({ kind, amount, modelId, note }) => [kind, amount, modelId, note])
      .slice(-1)

  it('is refunded completely when none of its messages was sent', async () => {
    const one = await answers.settled(three)
    await one.anna.blocks()
    const ended = await answers.attempt(one)
    expect(ended).toMatchObject({
      delivery: 'undeliverable',
      sent: 0,
      captured: 100n,
      refunded: 100n,
      parts: null,
    })
    expect(await available(one)).toBe(1000n)
    expect(await lines(one)).toEqual([['refund-order', 100n, 'T', builtIn('refund-unsent')]])
    await one.anna.blocks(false)
    expect(await answers.nextAttempt(one)).toEqual(ended)
    expect(await answers.said(one)).toEqual([])
  })

  it('is refunded by the unsent share, rounded in favour of the user', async () => {
    const one = await answers.settled([text('x'.repeat(333)), text('y'.repeat(667))])
    answers.fault(
      'sendMessage',
      { kind: 'error', status: 403, description: 'Forbidden: bot was blocked by the user' },
      1,
      1,
    )
    expect(await answers.attempt(one)).toMatchObject({ delivery: 'undeliverable', sent: 1, refunded: 67n })
    expect(await available(one)).toBe(967n)
  })

  it('is refunded after the last attempt', async () => {
    const one = await answers.settled(three)
    answers.fault('sendMessage', broken, maxDeliveryAttempts)
    let turn = await answers.attempt(one)
    while (turn.delivery === 'pending') turn = await answers.nextAttempt(one)
    expect(turn).toMatchObject({ delivery: 'undeliverable', attempts: maxDeliveryAttempts, refunded: 100n })
  })

  it('does not count towards the daily limit after its refund', async () => {
    const one = await answers.settled(three)
    const limits = { ...answers.world.deps.limits, dailySpend: 50n }
    const ask = async (updateId: number) => {
      const conversation = await findConversationById(answers.db, one.turn.conversationId)
      if (!conversation) throw new Error('it has a conversation')
      const question = {
        conversation,
        userId: one.user.id,
        model,
        text: '',
        files: [],
        messageId: 9,
        inputTokens: 1,
      }
      return beginTurn(
        { ...answers.world.deps, limits },
        { ...question, id: `again${updateId}`, updateId, leastOutput: 200 },
      )
    }
    expect(await ask(9001)).toMatchObject({ reason: 'daily-cap', spent: 100n })
    await one.anna.blocks()
    await answers.attempt(one)
    const again = await ask(9002)
    expect(again).toMatchObject({ ok: true })
    if (again.ok) await answers.settledNow({ ...one, turn: again.turn })
  })
})

it('a worker that was paused until its lease expired does not overwrite the progress of another worker', async () => {
  const one = await answers.settled(three)
  answers.clock.advance(leaseMs + 1)
  const [taken] = await claimAnswers(answers.db, claimNow(answers.world.deps))
  expect(taken?.id).toBe(one.turn.id)
  const before = await answers.reread(one)
  expect(await markSent(answers.db, one.turn, 3, 1)).toBe(false)
  await putOffSending(answers.db, one.turn, 5, answers.clock.now())
  expect(await giveUpSending(answers.world.deps, one.turn, 1, 'never')).toBe(0n)
  expect(await answers.reread(one)).toEqual(before)
  await answers.nextAttempt(one)
})

describe('cards with proposals of the model', () => {
  const card = { kind: 'card', draftId: 'draft00001', command: 'image', prompt: 'a fox' } as const
  const draftsIn = async ({ anna }: Asking) =>
    (await anna.chat()).flatMap(({ reply_markup }) =>
      (reply_markup?.inline_keyboard?.flat() ?? []).flatMap(
        ({ callback_data }) => /^c:(\w+):d$/.exec(callback_data ?? '')?.[1] ?? [],
      ),
    )

  it('are sent once each although an earlier message fails', async () => {
    const one = await answers.settled([
      text('one'),
      card,
      { ...card, draftId: 'draft00002', prompt: 'a cat' },
    ])
    answers.fault('sendMessage', broken, 1, 2)
    await answers.attempt(one)
    await answers.nextAttempt(one)
    const said = await answers.said(one)
    expect(said.map((words) => /a (fox|cat)/.exec(words)?.[1])).toEqual([undefined, 'fox', 'cat'])
  })

  it.each([
    ['a song stays a description', 'music', 'la '.repeat(266), /500/],
    ['an object', 'model3d', 'a chair '.repeat(90), /600/],
  ] as const)('keep a description that is too long, and say why: %s', async (_, command, prompt, limit) => {
    const one = await answers.settled([text('one'), { ...card, command, prompt, draftId: randomIds.next() }])
    await answers.attempt(one)
    const [, shown = ''] = await answers.said(one)
    expect(shown).toMatch(limit)
    const [id = ''] = await draftsIn(one)
    const draft = await findDraft(answers.db, id, one.user.id)
    expect(draft).toMatchObject({ answers: {}, unfitPrompt: prompt.trim() })
  })

  it('keep their draft when a card is sent again, so that it can be ordered only once', async () => {
    const one = await answers.settled([text('one'), { ...card, draftId: 'draft00003' }])
    answers.fault('sendMessage', unheard, 1, 1)
    await answers.attempt(one)
    expect(await answers.nextAttempt(one)).toMatchObject({ delivery: 'delivered' })
    expect(await draftsIn(one)).toEqual(['draft00003', 'draft00003'])
  })

  it('are skipped for models that are no longer sold', async () => {
    const catalog = { ...answers.world.deps.catalog, offered: () => [] }
    const one = await answers.settled([text('one'), { ...card, draftId: 'draft00004' }])
    expect(await answers.attempt(one, { catalog })).toMatchObject({ delivery: 'delivered' })
    expect(await answers.said(one)).toEqual(['one'])
  })
})

describe('the lease of a streaming answer', () => {
  it('is renewed at intervals, whether or not the answer grows', async () => {
    const running = answers.running()
    const one = await answers.asked()
    const { opened, open } = gate()
    running.start(one.turn, () => opened)
    for (let passed = 0; passed < 130_000; passed += 10_000) {
      await expect
        .poll(async () => Number((await answers.reread(one)).leaseUntil) - answers.clock.now().getTime())
        .toBeGreaterThan(leaseMs - 10_000 - 1)
      await expect.poll(() => answers.clock.isWaitedFor(10_000)).toBe(true)
      answers.clock.advance(10_000)
      expect(await claimAnswers(answers.db, claimNow(answers.world.deps))).toEqual([])
    }
    open()
    await running.stopAll()
    await answers.settledNow(one)
  })

  it('is released when the process ends before the answer does', async () => {
    const running = answers.running()
    const one = await answers.asked()
    running.start(one.turn, () => new Promise(() => undefined))
    const stopping = running.stopAll()
    await answers.clock.asked(10_000)
    answers.clock.advance(10_000)
    await stopping
    expect((await claimAnswers(answers.db, claimNow(answers.world.deps))).map(({ id }) => id)).toEqual([
      one.turn.id,
    ])
    await answers.settledNow(one)
  })
})
