// One question from its message to the delivered answer: how many statements and requests it takes, and what happens when its steps
// overlap.

import { desc, eq } from 'drizzle-orm'
import { Api } from 'grammy'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { ask } from '../../../src/bot/chat/asking.ts'
import { createRunning } from '../../../src/bot/chat/running.ts'
import type { BotDeps } from '../../../src/bot/context.ts'
import type { Turn } from '../../../src/chat/conversations.ts'
import { createNudges } from '../../../src/db/nudges.ts'
import { turns } from '../../../src/db/schema.ts'
import { audit } from '../../../src/ledger/audit.ts'
import { readBalance } from '../../../src/ledger/ledger.ts'
import { observedDatabase } from '../../support/database/statements.ts'
import { events } from '../../support/gateway/answering.ts'
import { token } from '../../support/telegram/local-telegram.ts'
import { type Answers, createAnswers } from '../../support/worlds/answers.ts'

let answers: Answers
let observed: ReturnType<typeof observedDatabase>
let deps: BotDeps
beforeAll(async () => {
  answers = await createAnswers()
  observed = observedDatabase(answers.world.database.url)
  const own = { ...answers.deps, db: observed.db }
  deps = { ...own, running: createRunning(own, createNudges().nudges) }
})
afterAll(async () => {
  await observed.close()
  await answers.close()
})
afterEach(async () => {
  expect(await audit(answers.db)).toEqual([])
  await answers.db.execute('delete from sales_stops')
})

type Person = Awaited<ReturnType<Answers['person']>>

const said = (content: string) => ({ choices: [{ delta: { content } }] })
const end = [{ choices: [], usage: { prompt_tokens: 1, completion_tokens: 500 } }, '[DONE]']

/** Makes the gateway answer the first words, and the rest once the returned function is called. */
function slowly(first = 'Be', then = 'cause.') {
  const { promise, resolve } = Promise.withResolvers<void>()
  answers.world.gatewayAnswers(
    events([said(first)], (_, res) => {
      const rest = [said(then), ...end].map(
        (one) => `data: ${typeof one === 'string' ? one : JSON.stringify(one)}\n\n`,
      )
      void promise.then(() => res.end(rest.join('')))
    }),
  )
  return resolve
}

const requests: string[] = []
/** @param slow delays Telegram's responses to this method until the promise resolves */
function apiWith(slow?: { readonly method: string; readonly until: Promise<void> }): Api {
  const api = new Api(token, { apiRoot: answers.telegram.url })
  api.config.use(async (send, method, payload, signal) => {
    requests.push(method)
    const answer = await send(method, payload, signal)
    if (method === slow?.method) await slow.until
    return answer
  })
  return api
}

let updates = 500_000

async function asks({ user, anna }: Person, api = apiWith(), updateId = ++updates) {
  const { message_id: messageId } = await anna.sends('Why?')
  const isPrivate = anna.chatId > 0
  const location = { chatId: anna.chatId, topicId: null }
  const question = { isOperator: false, text: 'Why?', files: [], messageId, updateId }
  observed.statements.length = 0
  requests.length = 0
  return ask(deps, { api, user, say: deps.texts('en'), location, isPrivate, ...question })
}

async function newest({ user }: Person) {
  const mine = eq(turns.userId, user.id)
  const [turn] = await answers.db.select().from(turns).where(mine).orderBy(desc(turns.createdAt)).limit(1)
  return turn
}

const isDelivered = (person: Person) =>
  expect.poll(() => newest(person)).toMatchObject({ delivery: 'delivered', lease: null })

/** Advances the clock until the bot's messages in the chat have these texts. */
const shows = ({ anna }: Person, texts: readonly string[]) =>
  expect
    .poll(async () => {
      answers.clock.advance(5)
      return (await anna.chat()).filter(({ from }) => from?.is_bot).map(({ text }) => text)
    })
    .toEqual(texts)

const answersAtOnce = () => answers.world.gatewayAnswers(events([said('Because.'), ...end]))

const statements: Readonly<Record<string, RegExp>> = {
  situation: /from "accounts" left join "threads"/,
  hold: /insert into "turns"/,
  settlement: /with ended as \(\s*update "turns"/,
  delivery: /^update "turns" set .*"delivery"/,
}
const nameOf = (statement: string): string =>
  Object.keys(statements).find((name) => statements[name]?.test(statement)) ?? statement

it('an answer that ends with its first words takes four statements and one message', async () => {
  const anna = await answers.person()
  for (const _ of ['the first, which opens the conversation', 'the next']) {
    answersAtOnce()
    await asks(anna)
    await isDelivered(anna)
  }
  expect(observed.statements.map(nameOf)).toEqual(['situation', 'hold', 'settlement', 'delivery'])
  expect(requests).toEqual(['sendMessage'])
})

it('an answer in a group that ends while its first words are being sent becomes the same message', async () => {
  const anna = await answers.person({ group: true })
  const { promise: until, resolve: arrive } = Promise.withResolvers<void>()
  const goOn = slowly()
  await asks(anna, apiWith({ method: 'sendMessage', until }))
  await shows(anna, ['Be'])
  goOn()
  await expect.poll(() => newest(anna)).toMatchObject({ state: 'done', delivery: 'pending' })
  arrive()
  await isDelivered(anna)
  await shows(anna, ['Because.'])
})

describe('an answer that was shown', () => {
  const isGivenUp = (person: Person, refunded: bigint | null) =>
    expect
      .poll(() => newest(person))
      .toMatchObject({ delivery: 'undeliverable', captured: 50n, refunded, lease: null })
  const left = async ({ user }: Person) => (await readBalance(answers.db, user.id)).available
  const drafts = async ({ anna }: Person) => {
    answers.clock.advance(100)
    return (await anna.drafts()).map(({ text }) => text)
  }

  it.each([
    ['in full before the bot was removed is charged', 'Because.', '', true, null],
    ['in part before the bot was removed is refunded by the share not shown', 'Be', 'cause.', true, 38n],
    ['in full as a draft before the bot was blocked is charged', 'Because.', '', false, null],
    ['not at all before the bot was blocked costs nothing', '', 'Because.', false, 50n],
  ] as const)('%s', async (_, first, then, group, refunded) => {
    const anna = await answers.person({ group })
    const goOn = slowly(first, then)
    await asks(anna)
    if (group) await shows(anna, [first])
    else await expect.poll(() => drafts(anna)).toEqual([first])
    await (group ? anna.anna.removesBot() : anna.anna.blocks())
    goOn()
    await isGivenUp(anna, refunded)
    expect(await left(anna)).toBe(950n + (refunded ?? 0n))
  })

  it('costs nothing when Telegram refuses its final form', async () => {
    const anna = await answers.person({ group: true })
    const goOn = slowly('Because.', '')
    await asks(anna)
    await shows(anna, ['Because.'])
    const refused = { kind: 'error', status: 400, description: 'Bad Request: MESSAGE_TOO_LONG' } as const
    answers.fault('editMessageText', refused)
    answers.fault('sendMessage', refused, 2)
    goOn()
    await isGivenUp(anna, 50n)
    expect(await left(anna)).toBe(1000n)
  })
})

it('a turn that is stopped before the first word is settled without a charge', async () => {
  const anna = await answers.person()
  answers.world.gatewayAnswers(() => undefined)
  await asks(anna)
  await deps.running.stop({ turnId: (await newest(anna))?.id ?? '', userId: anna.user.id })
  await answers.clock.asked(1000)
  answers.clock.advance(1000)
  await isDelivered(anna)
  expect(await newest(anna)).toMatchObject({ state: 'failed', captured: 0n })
})

it('a turn whose stop reaches its process only by the database costs what was shown, and says that it was stopped', async () => {
  const anna = await answers.person({ group: true })
  slowly('word '.repeat(200))
  await asks(anna)
  await shows(anna, ['word '.repeat(200).trim()])
  const other = createRunning(answers.world.deps, createNudges().nudges)
  const turnId = (await newest(anna))?.id ?? ''
  expect(await other.stop({ turnId, userId: anna.user.id })).toBe(true)
  await expect
    .poll(() => {
      answers.clock.advance(1000)
      return newest(anna)
    })
    .toMatchObject({ state: 'stopped', failure: null, delivery: 'delivered' })
  await shows(anna, ['word '.repeat(200).trim(), deps.texts('en').plain('chat-cut')])
  const { captured, outputTokens } = (await newest(anna)) ?? {}
  expect(captured).toBeGreaterThan(0n)
  expect(outputTokens).toBeLessThanOrEqual(400)
  expect(await readBalance(answers.db, anna.user.id)).toMatchObject({
    available: 1000n - (captured ?? 0n),
    held: 0n,
  })
})

it('an update that is handled twice at the same time starts one turn', async () => {
  const anna = await answers.person()
  answersAtOnce()
  const updateId = ++updates
  await Promise.all([asks(anna, apiWith(), updateId), asks(anna, apiWith(), updateId)])
  await isDelivered(anna)
  expect(await answers.db.$count(turns, eq(turns.userId, anna.user.id))).toBe(1)
  expect(await readBalance(answers.db, anna.user.id)).toMatchObject({ available: 950n, held: 0n })
})

it('a repeated update does not wait for an uncommitted change of its turn', async () => {
  const anna = await answers.person()
  answersAtOnce()
  const updateId = ++updates
  await asks(anna, apiWith(), updateId)
  await isDelivered(anna)
  await answers.db.transaction(async (tx) => {
    await tx.update(turns).set({ attempts: 7 }).where(eq(turns.updateId, updateId))
    expect(await asks(anna, apiWith(), updateId)).toEqual({ ok: true })
  })
})

it('an answer that another process writes is stopped, and no other answer', async () => {
  const [one, another] = [await answers.asked(), await answers.asked()]
  const mine = createNudges()
  const their = createNudges((topic, about) => mine.notify(topic, about))
  const writing = createRunning(answers.world.deps, mine.nudges)
  const other = createRunning(answers.world.deps, their.nudges)
  const isStopped = [one.turn, another.turn].map((turn: Turn) => {
    let signal: AbortSignal | undefined
    writing.start(turn, async (stop) => {
      signal = stop
      await new Promise((resolve) => stop.addEventListener('abort', resolve))
    })
    return () => signal?.aborted
  })
  expect(await other.stop({ turnId: one.turn.id, userId: one.user.id })).toBe(true)
  expect(isStopped.map((is) => is())).toEqual([true, false])
  await Promise.all([writing.stopAll(), other.stopAll()])
  for (const asked of [one, another]) await answers.settledNow(asked)
})
