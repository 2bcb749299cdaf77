// One answer from the gateway's stream to its settlement: what counts as an answer, and the effects of an outage and of another process.

import { is, SQL, sql } from 'drizzle-orm'
import { PgDialect } from 'drizzle-orm/pg-core'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import type { TextModel } from '../../src/catalog/text-models.ts'
import { answer } from '../../src/chat/answer.ts'
import type { ChatRequest } from '../../src/chat/bodies.ts'
import { claimAnswers } from '../../src/chat/deliveries.ts'
import { assemble } from '../../src/chat/dialogue.ts'
import type { AnswerTexts } from '../../src/chat/parts.ts'
import { interrupted, type LiveAnswer } from '../../src/chat/reading.ts'
import { tokensIn } from '../../src/chat/tokens.ts'
import { settleAnswer } from '../../src/chat/turns.ts'
import { rows } from '../../src/db/client.ts'
import { audit } from '../../src/ledger/audit.ts'
import { readBalance } from '../../src/ledger/ledger.ts'
import { leaseMs } from '../../src/runtime/queue-worker.ts'
import { claimNow } from '../support/database/claim.ts'
import { failing, failingStatements } from '../support/database/failing.ts'
import { events, json } from '../support/gateway/answering.ts'
import { loggingTo } from '../support/runtime/log.ts'
import { type Answers, type Asking, createAnswers, model, text } from '../support/worlds/answers.ts'

let answers: Answers
beforeAll(async () => {
  answers = await createAnswers()
})
afterAll(() => answers.close())
afterEach(async () => expect(await audit(answers.db)).toEqual([]))

const texts: AnswerTexts = {
  thinking: 'Thinking',
  sources: 'Sources',
  note(note) {
    if (note.about === 'failed') return note.failure.reason
    return note.about === 'ended' ? note.by : note.about
  },
}
const off = { thinking: false, search: false, code: false }
const request: ChatRequest = {
  model,
  dialogue: assemble(undefined, [], { role: 'user', text: 'Why?', images: [] }, 1000),
  maxOutput: 4000,
  modes: off,
  tools: [],
}

const delta = (more: object) => ({ choices: [{ delta: more }] })
const said = (content: string) => delta({ content })
const usage = { choices: [], usage: { prompt_tokens: 1, completion_tokens: 500 } }
const calls = (name: string) =>
  delta({ tool_calls: [{ index: 0, id: 'c', function: { name, arguments: '{"prompt":"a fox"}' } }] })

const unshown: LiveAnswer = { show: () => undefined, close: async () => undefined }

const ask = (
  { turn }: Asking,
  other: Partial<Parameters<typeof answer>[0]> = {},
  stop = new AbortController().signal,
  live = unshown,
  what = request,
) => answer({ ...answers.world.deps, ...other }, turn, what, live, texts, stop)

const available = async ({ user }: Asking) => (await readBalance(answers.db, user.id)).available

it.each([
  ['nothing', []],
  ['spaces', [said(' \n ')]],
  ['thinking only', [said('<think>Hm.</think>')]],
  ['a call of a tool that was not offered', [calls('make_money')]],
])('an answer with %s counts as empty and costs nothing', async (_, wire) => {
  const one = await answers.asked()
  answers.world.gatewayAnswers(events([...wire, usage, '[DONE]']))
  const { turn, failure } = await ask(one)
  expect([turn?.state, turn?.captured, failure]).toEqual(['failed', 0n, { reason: 'empty' }])
  expect(turn?.parts).toEqual([text('empty')])
  expect(await available(one)).toBe(1000n)
})

it.each([
  ['broke off', [], [text('broken')]],
  [
    'reaches the limit of its length',
    [{ choices: [{ delta: {}, finish_reason: 'length' }] }, usage, '[DONE]'],
    [text('length')],
  ],
])('an answer that %s is shown with its open markup closed', async (_, wire, note) => {
  const one = await answers.asked()
  answers.world.gatewayAnswers(events([said('Waves are **big'), ...wire]))
  const { turn } = await ask(one)
  const bold = { type: 'bold', offset: 10, length: 3 }
  expect(turn?.parts).toEqual([{ kind: 'text', text: 'Waves are big', entities: [bold] }, ...note])
})

it.each([
  [
    'reaches the limit of its length',
    [{ choices: [{ delta: {}, finish_reason: 'length' }] }, usage, '[DONE]'],
    'empty',
  ],
  ['breaks off', [], 'unavailable'],
])('a rewritten prompt that %s is not used and costs nothing', async (_, wire, reason) => {
  const one = await answers.asked()
  answers.world.gatewayAnswers(events([said('A red fox in the '), ...wire]))
  const rewriting = { ...one, turn: { ...one.turn, draftId: 'draft00001' } }
  const { turn, failure } = await ask(rewriting)
  expect([turn?.state, turn?.captured, failure]).toEqual(['failed', 0n, { reason }])
  expect(turn?.parts).toEqual([text('not-rewritten')])
  expect(await available(one)).toBe(1000n)
})

it('an answer beside which the usage is zero is charged by the estimate', async () => {
  const one = await answers.asked()
  const zeros = { choices: [], usage: { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 } }
  answers.world.gatewayAnswers(events([said('Because it is so. '.repeat(20)), zeros, '[DONE]']))
  const { turn } = await ask(one)
  expect(turn).toMatchObject({ state: 'done', isEstimate: true })
  expect(turn?.captured).toBeGreaterThan(0n)
})

const finished = (reason: string) => ({ choices: [{ delta: {}, finish_reason: reason }] })

it.each([
  ['length', 'length', 4000, null],
  ['length', 'money', 300, null],
  ['refusal', 'refusal', 4000, null],
  ['content_filter', 'filter', 4000, 'declined'],
  ['incomplete', 'broken', 4000, 'unavailable'],
  ['insufficient_balance', 'broken', 4000, 'unavailable'],
  ['pause_turn', 'broken', 4000, 'unavailable'],
])(
  'an answer that ends by %s gets a note about %s below its text, and is free if the service broke it off',
  async (word, note, maxOutput, failure) => {
    const one = await answers.asked()
    answers.world.gatewayAnswers(events([said('Because'), finished(word), usage, '[DONE]']))
    const what = { ...request, model: { ...model, context: 8000 }, maxOutput }
    const { turn } = await ask(one, {}, undefined, unshown, what)
    const [state, captured] = failure ? ['stopped', 0n] : ['done', 50n]
    expect(turn).toMatchObject({ state, failure, captured, outputTokens: 500 })
    expect(turn?.parts).toEqual([text('Because'), text(note)])
    expect(await available(one)).toBe(failure ? 1000n : 950n)
  },
)

const because = said('Because it is so. '.repeat(50))

it.each([
  ['the stream ends early', events([because, usage])],
  ['the stream has an error', events([because, usage, { error: { message: 'overloaded' } }])],
  ['the connection breaks', events([because], (_, res) => void res.destroy())],
])('an answer that breaks off because %s is kept and free, also when its usage is known', async (_, wire) => {
  const one = await answers.asked()
  answers.world.gatewayAnswers(wire)
  const { turn } = await ask(one)
  expect(turn).toMatchObject({ state: 'stopped', failure: 'unavailable', captured: 0n })
  expect(turn?.parts?.at(-1)).toEqual(text('broken'))
  expect(turn?.parts).toHaveLength(2)
  expect(await available(one)).toBe(1000n)
})

it('an answer that is interrupted by the end of its process is free', async () => {
  const one = await answers.asked()
  answers.world.gatewayAnswers(events([because]))
  const stopping = new AbortController()
  const show = () => stopping.abort(interrupted)
  const { turn } = await ask(one, {}, stopping.signal, { ...unshown, show })
  expect(turn).toMatchObject({ state: 'stopped', failure: 'unavailable', captured: 0n })
})

it('the words of a refusal are the answer, without addresses, and are charged as the gateway reports', async () => {
  const one = await answers.asked()
  const refusal = "I can't help, see https://gateway.example/policy?key=1"
  answers.world.gatewayAnswers(events([delta({ refusal }), finished('stop'), usage, '[DONE]']))
  const { turn, failure } = await ask(one)
  expect(failure).toBeUndefined()
  expect(turn).toMatchObject({ state: 'done', captured: 50n, answer: "I can't help, see …" })
  expect(turn?.parts).toEqual([text("I can't help, see …")])
})

it('the words of a refusal whose usage is not reported are free', async () => {
  const one = await answers.asked()
  const promptFeedback = { blockReason: 'SAFETY', blockReasonMessage: 'The question is not safe.' }
  answers.world.gatewayAnswers(json(200, { promptFeedback }))
  const { turn } = await ask(one)
  expect(turn).toMatchObject({ failure: 'declined', captured: 0n })
  expect(turn?.parts).toEqual([text('The question is not safe.')])
})

it('the words of a refusal come below the text before them, with a note', async () => {
  const one = await answers.asked()
  const wire = [said('First'), delta({ refusal: 'I stop.' }), finished('stop'), usage, '[DONE]']
  answers.world.gatewayAnswers(events(wire))
  const { turn } = await ask(one)
  expect(turn?.parts).toEqual([text('First\n\nI stop.'), text('refusal')])
})

it.each([
  ['refusal', 'declined'],
  ['content_filter', 'declined'],
  ['insufficient_balance', 'unavailable'],
  ['length', 'empty'],
])('an answer without words that ends by %s is free, for the reason "%s"', async (word, reason) => {
  const one = await answers.asked()
  answers.world.gatewayAnswers(events([finished(word), usage, '[DONE]']))
  const { turn, failure } = await ask(one)
  expect(turn).toMatchObject({ state: 'failed', captured: 0n, failure: reason })
  expect(failure).toEqual({ reason })
})

const png = (size: number) => Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.alloc(size, 7)])
const dataUri = `data:image/png;base64,${png(5000).toString('base64')}`

it.each([
  ['in a Markdown image', said(`Here: ![a fox](${dataUri})`), 'Here: '],
  ['bare in the text', said(`Here: ${dataUri} it is.`), 'Here:  it is.'],
  ['bare at the end', said(`Here: ${dataUri}`), 'Here: '],
  ['beside the text', delta({ content: 'Here: ', images: [{ image_url: { url: dataUri } }] }), 'Here: '],
])('a picture %s is a part of the answer, and no text', async (_, event, answer) => {
  const one = await answers.asked()
  answers.world.gatewayAnswers(events([event, usage, '[DONE]']))
  const { turn } = await ask(one)
  expect(turn).toMatchObject({ state: 'done', answer, captured: 50n })
  expect(turn?.parts?.at(-1)).toEqual({ kind: 'picture', address: dataUri })
})

it('an answer that is only a picture is charged, and is not remembered as text', async () => {
  const one = await answers.asked()
  answers.world.gatewayAnswers(events([said(`![a fox](${dataUri})`), usage, '[DONE]']))
  const { turn } = await ask(one)
  expect(turn).toMatchObject({ state: 'done', failure: null, answer: '', captured: 50n })
  expect(turn?.parts).toEqual([{ kind: 'picture', address: dataUri }])
})

it('long base64 that is no picture is dropped, a short one stays', async () => {
  const one = await answers.asked()
  const long = `data:application/pdf;base64,${Buffer.alloc(5000, 7).toString('base64')}`
  answers.world.gatewayAnswers(events([said(`a ${long} b data:image/gif;base64,R0lG c`), usage, '[DONE]']))
  expect((await ask(one)).turn).toMatchObject({ answer: 'a  b data:image/gif;base64,R0lG c' })
})

/** How long a stopped answer may take to end by itself. */
const toEndMs = 1000

/** Asks, and stops the answer at the first words that are shown; nothing more comes unless the wire has more. */
async function stopped(wire: readonly (object | string)[], what = request) {
  const one = await answers.asked()
  answers.world.gatewayAnswers(events(wire))
  const stopping = new AbortController()
  const answering = ask(one, {}, stopping.signal, { ...unshown, show: () => stopping.abort() }, what)
  await answers.clock.asked(toEndMs)
  answers.clock.advance(toEndMs)
  return answering
}

const long = 'Because the sea reflects the sky. '.repeat(10)

it('an answer that is stopped after its last words costs what the whole answer costs', async () => {
  const { turn, failure } = await stopped([said('Because.'), usage, '[DONE]'])
  expect(failure).toBeUndefined()
  expect(turn).toMatchObject({ state: 'done', captured: 50n, isEstimate: false, outputTokens: 500 })
  expect(turn?.parts).toEqual([text('Because.')])
})

it('the rest of an answer that goes on after a stop is neither shown nor charged', async () => {
  const { turn } = await stopped([said('Because'), said(' of the sea.'), usage, '[DONE]'])
  expect(turn).toMatchObject({ state: 'stopped', answer: 'Because', isEstimate: true })
})

it('a stopped answer is charged for the whole question, whatever earlier answers have cost', async () => {
  const asked = { role: 'user', text: long, images: [] } as const
  const { turn } = await stopped([said('Because')], {
    ...request,
    dialogue: assemble(undefined, [], asked, 1000),
  })
  expect(turn).toMatchObject({ state: 'stopped', inputTokens: tokensIn(model.family, long) })
})

it('an answer that is stopped within its first message gets a note', async () => {
  const { turn, failure } = await stopped([said('Because')])
  expect([turn?.state, failure]).toEqual(['stopped', undefined])
  expect(turn?.parts).toEqual([text('Because'), text('cut')])
})

it('an answer that is stopped while it thinks shows the thinking, which is charged', async () => {
  const { turn } = await stopped([delta({ reasoning_content: 'Hm, '.repeat(100) })])
  expect(turn).toMatchObject({ state: 'stopped', answer: '', captured: 7n })
  expect(turn?.parts).toMatchObject([{ kind: 'text', text: expect.stringMatching(/^Thinking\nHm, Hm/) }])
})

it('an answer of the native operation is stored with its thinking', async () => {
  const one = await answers.asked()
  const parts = [{ text: 'Hm.', thought: true }, { text: 'Because.' }]
  answers.world.gatewayAnswers(json(200, { candidates: [{ content: { parts } }] }))
  const native: TextModel = { ...model, family: 'gemini', abilities: ['code'] }
  const what: ChatRequest = { ...request, model: native, modes: { ...off, code: true } }
  const { turn } = await ask(one, {}, undefined, unshown, what)
  expect(turn).toMatchObject({ state: 'done', answer: 'Because.', thinking: 'Hm.' })
})

it('an answer is shown and charged without the tags of its thinking and without markers of citations', async () => {
  const one = await answers.asked()
  const pieces = ['Hm, **why', '**.</thi', 'nk>\n\nBe', 'cause\ue200cite\ue202turn0', 'search0\ue201.']
  answers.world.gatewayAnswers(events([...pieces.map(said), usage, '[DONE]']))
  const { turn } = await ask(one)
  expect(turn?.parts?.map((part) => 'text' in part && part.text)).toEqual(['Thinking\nHm, why.', 'Because.'])
})

it('a rewritten prompt is taken without its thinking and without markers of citations', async () => {
  const one = await answers.asked()
  answers.world.gatewayAnswers(
    events([said('Hm.</think>A fox\ue200cite\ue202turn0search0\ue201.'), usage, '[DONE]']),
  )
  const { turn } = await ask({ ...one, turn: { ...one.turn, draftId: 'draft00001' } })
  expect(turn?.parts).toEqual([{ kind: 'prompt', draftId: 'draft00001', text: 'A fox.' }])
})

it('an answer in JSON is shown as code, also when it was cut', async () => {
  for (const wire of [[said('"*so*"}'), usage, '[DONE]'], []]) {
    const one = await answers.asked()
    answers.world.gatewayAnswers(events([said('<think>Hm.</think>{"why": '), ...wire]))
    const { turn } = await ask(one)
    const [, shown] = turn?.parts ?? []
    expect(shown).toMatchObject({
      text: wire.length > 0 ? '{"why": "*so*"}' : '{"why":',
      entities: [{ type: 'pre', language: 'json', offset: 0 }],
    })
  }
})

it('an answer of a proposal without text gets a note and a card', async () => {
  const one = await answers.asked()
  answers.world.gatewayAnswers(events([calls('make_image'), usage, '[DONE]']))
  const { turn } = await ask(one)
  expect(turn).toMatchObject({ state: 'done', captured: 50n })
  expect(turn?.parts).toMatchObject([text('proposals'), { kind: 'card', command: 'image', prompt: 'a fox' }])
})

const isPost = (statement: unknown): boolean =>
  is(statement, SQL) && new PgDialect().sqlToQuery(statement).sql.includes('insert into "transfers"')

it('the live message of an answer is closed before the settlement', async () => {
  const one = await answers.asked()
  answers.world.gatewayAnswers(events([said('Because.'), usage, '[DONE]']))
  const steps: string[] = []
  const close = async () => void steps.push('closed')
  const db = new Proxy(answers.db, {
    get(target, name) {
      const method: unknown = Reflect.get(target, name)
      if (typeof method !== 'function') return method
      return (...given: unknown[]) => {
        if (isPost(given[0])) steps.push('settled')
        return Reflect.apply(method, target, given)
      }
    },
  })
  await ask(one, { db }, undefined, { ...unshown, close })
  expect(steps).toEqual(['closed', 'settled'])
})

it('an answer is settled after a database outage at its end', async () => {
  const one = await answers.asked()
  answers.world.gatewayAnswers(events([said('Because.'), usage, '[DONE]']))
  const answering = ask(one, { db: failingStatements(answers.db, 3, /^with /) })
  for (let outage = 0; outage < 3; outage += 1) {
    await answers.clock.asked(1000)
    answers.clock.advance(1000)
  }
  expect((await answering).turn).toMatchObject({ state: 'done', answer: 'Because.', captured: 50n })
})

/** Makes the gateway begin an answer, and continue it once `more` is called. */
function slowly() {
  const more = Promise.withResolvers<void>()
  const hungUp = Promise.withResolvers<void>()
  answers.world.gatewayAnswers(
    events([said('Be')], (req, res) => {
      req.socket.once('close', () => hungUp.resolve())
      void more.promise.then(() => res.write(`data: ${JSON.stringify(said('cause.'))}\n\n`))
    }),
  )
  return { more: () => more.resolve(), hungUp: hungUp.promise }
}

/** Advances the clock until the condition holds. */
const inTime = (isSo: () => Promise<boolean>) =>
  expect
    .poll(() => {
      answers.clock.advance(5000)
      return isSo()
    })
    .toBe(true)

it('an answer continues when its progress cannot be saved for a while', async () => {
  const one = await answers.asked()
  const { more } = slowly()
  const stopping = new AbortController()
  const answering = ask(one, { db: failing(answers.db, 1, /^update$/) }, stopping.signal)
  await inTime(async () => (await answers.reread(one)).answer === 'Be')
  more()
  await inTime(async () => (await answers.reread(one)).answer === 'Because.')
  stopping.abort()
  await answers.clock.asked(toEndMs)
  answers.clock.advance(toEndMs)
  expect((await answering).turn).toMatchObject({ state: 'stopped', answer: 'Because.' })
})

it.each([
  ['that breaks off is logged', false, 1],
  ['that its user stops is not logged as interrupted', true, 0],
])('an answer %s', async (_, isStopped, lines) => {
  const one = await answers.asked()
  answers.world.gatewayAnswers(events([said('Be')]))
  const log = loggingTo()
  const stopping = new AbortController()
  const show = () => {
    if (isStopped) stopping.abort()
  }
  await ask(one, { log }, stopping.signal, { ...unshown, show })
  expect(log.said('answer interrupted')).toHaveLength(lines)
})

it('the progress of an answer is saved once, however long no text follows', async () => {
  const one = await answers.asked()
  const { more } = slowly()
  const stopping = new AbortController()
  const answering = ask(one, {}, stopping.signal)
  await inTime(async () => (await answers.reread(one)).answer === 'Be')
  const version = async () => {
    const query = sql`select xmin::text as version from turns where id = ${one.turn.id}`
    return (await rows(answers.db, query, z.object({ version: z.string() })))[0]?.version
  }
  const saved = await version()
  for (let wait = 0; wait < 3; wait += 1) {
    await answers.clock.asked(5000)
    answers.clock.advance(5000)
  }
  await answers.clock.asked(5000)
  expect(await version()).toBe(saved)
  more()
  stopping.abort()
  await answering
})

it.each([
  ['empty events', 'failed', []],
  ['words', 'stopped', [because]],
] as const)(
  'an answer of %s without an end is given up after 31 minutes, and costs nothing',
  async (_, state, wire) => {
    const one = await answers.asked()
    const begun = Promise.withResolvers<void>()
    const hungUp = Promise.withResolvers<void>()
    answers.world.gatewayAnswers(
      events(wire, (req) => {
        if (wire.length === 0) begun.resolve()
        req.socket.once('close', () => hungUp.resolve())
      }),
    )
    const answering = ask(one, {}, undefined, { ...unshown, show: () => begun.resolve() })
    await begun.promise
    answers.clock.advance(31 * 60_000)
    const { turn, failure } = await answering
    expect([turn?.state, turn?.captured, failure]).toEqual([state, 0n, { reason: 'unavailable' }])
    expect(await available(one)).toBe(1000n)
    await hungUp.promise
  },
)

it('a paused process closes the stream of an answer that another process has settled', async () => {
  const one = await answers.asked()
  const { more, hungUp } = slowly()
  const answering = ask(one)
  await inTime(async () => (await answers.reread(one)).answer === 'Be')
  answers.clock.advance(leaseMs + 1)
  const counted = {
    inputTokens: 1,
    outputTokens: 1,
    isEstimate: true,
    rates: null,
    failure: null,
    captured: 1n,
  }
  const outcome = { state: 'stopped' as const, text: 'Be', thinking: '', sources: [], ...counted }
  const settlement = { outcome, parts: [text('Be')], lease: 'other' }
  const claimed = await claimAnswers(answers.db, claimNow(answers.world.deps, 100, 100))
  const left = claimed.find(({ id }) => id === one.turn.id)
  if (!left) return expect.unreachable('its lease has expired')
  expect(await settleAnswer(answers.world.deps, left, settlement)).toMatchObject({ state: 'stopped' })
  more()
  let isOver = false
  void hungUp.then(() => {
    isOver = true
  })
  await inTime(async () => isOver)
  expect((await answering).turn).toBeUndefined()
  expect(await answers.reread(one)).toMatchObject({ answer: 'Be', lease: 'other', captured: 1n })
})
