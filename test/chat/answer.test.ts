// One answer from the gateway's stream to its settlement: what counts as an answer, and the effects of an outage and of another process.

import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { TextModel } from '../../src/catalog/text-models.ts'
import { answer } from '../../src/chat/answer.ts'
import type { ChatRequest } from '../../src/chat/bodies.ts'
import type { Turn } from '../../src/chat/conversations.ts'
import { claimAnswers } from '../../src/chat/deliveries.ts'
import { assemble } from '../../src/chat/dialogue.ts'
import type { AnswerTexts } from '../../src/chat/parts.ts'
import { interrupted, type LiveAnswer } from '../../src/chat/reading.ts'
import { tokensIn } from '../../src/chat/tokens.ts'
import { salesStops, turns } from '../../src/db/schema.ts'
import { audit } from '../../src/ledger/audit.ts'
import { readBalance } from '../../src/ledger/ledger.ts'
import { leaseMs } from '../../src/runtime/queue-worker.ts'
import { claimNow } from '../support/database/claim.ts'
import { failing, failingStatements } from '../support/database/failing.ts'
import { type Answer, events, json } from '../support/gateway/answering.ts'
import { type Answers, type Asking, createAnswers, model, text } from '../support/worlds/answers.ts'

let answers: Answers
beforeAll(async () => {
  answers = await createAnswers()
})
afterAll(async () => {
  expect(await audit(answers.db)).toEqual([])
  await answers.close()
})

const texts: AnswerTexts = {
  thinking: 'Thinking',
  sources: 'Sources',
  note(note) {
    if (note.about === 'failed')
      return note.failure.reason === 'refused' ? `${note.failure.said}` : note.failure.reason
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
const finished = (reason: string) => ({ choices: [{ delta: {}, finish_reason: reason }] })
const usage = { choices: [], usage: { prompt_tokens: 1, completion_tokens: 500 } }
const zeros = { choices: [], usage: { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 } }
const calls = (name: string) =>
  delta({ tool_calls: [{ index: 0, id: 'c', function: { name, arguments: '{"prompt":"a fox"}' } }] })
/** A stream that is complete and tells its usage. */
const complete = (...wire: object[]) => events([...wire, usage, '[DONE]'])
const ending = (word: string, ...wire: object[]) => complete(...wire, finished(word))

const unshown: LiveAnswer = { show: () => undefined, close: async () => undefined }

const ask = (
  { turn }: Asking,
  other: Partial<Parameters<typeof answer>[0]> = {},
  stop = new AbortController().signal,
  live = unshown,
  what = request,
) => answer({ ...answers.world.deps, ...other }, turn, what, live, texts, stop)

const available = async ({ user }: Asking) => (await readBalance(answers.db, user.id)).available

const shown = (...words: string[]) => words.map(text)
const empty = { state: 'failed', captured: 0n, failure: 'empty' } as const
const broken = { state: 'stopped', captured: 0n, failure: 'unavailable' } as const
const paid = { state: 'done', captured: 50n, failure: null } as const
const declined = { captured: 0n, failure: 'declined' } as const
const unbilled = { ...declined, inputTokens: 0, outputTokens: 0, isEstimate: true }
const bold = { type: 'bold', offset: 10, length: 3 }
const big = { kind: 'text', text: 'Waves are big', entities: [bold] }
const because = said('Because it is so. '.repeat(50))
const picture = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.alloc(5000, 7)])
const uri = `data:image/png;base64,${picture.toString('base64')}`
const address = { kind: 'picture', address: uri }
const pdf = `data:application/pdf;base64,${Buffer.alloc(5000, 7).toString('base64')}`
const pre = { type: 'pre', language: 'json', offset: 0, length: 15 }
const code = { kind: 'text', text: '{"why": "*so*"}', entities: [pre] }
const proposal = expect.objectContaining({ kind: 'card', command: 'image', prompt: 'a fox' })
const estimated = { state: 'done', isEstimate: true, captured: 15n } as const
const error = { error: { message: 'No\n such', type: 't', code: 'c' } }
const saidByGateway = { kind: 'text', text: 'No such', entities: [{ type: 'code', offset: 0, length: 7 }] }
const promptFeedback = { blockReason: 'SAFETY', blockReasonMessage: 'Not safe.' }

it.each<[string, Answer, Partial<Turn>, (readonly unknown[])?]>([
  ['nothing', complete(), empty, shown('empty')],
  ['spaces', complete(said(' \n ')), empty, shown('empty')],
  ['thinking only', complete(said('<think>Hm.</think>')), empty, shown('empty')],
  ['a call of a tool that was not offered', complete(calls('make_money')), empty, shown('empty')],
  ['no words, ended by its length', ending('length'), empty],
  ['no words, refused', ending('refusal'), { state: 'failed', ...declined }],
  ['no words, filtered', ending('content_filter'), { state: 'failed', ...declined }],
  ['no words for want of balance', ending('low_balance'), { ...broken, state: 'failed' }],
  ['open markup that breaks off', events([said('Waves are **big')]), broken, [big, text('broken')]],
  ['open markup at its limit', ending('length', said('Waves are **big')), paid, [big, text('length')]],
  ['usage before an early end', events([because, usage]), broken],
  ['usage before an error', events([because, usage, { error: { message: 'overloaded' } }]), broken],
  ['a broken connection', events([because], (_, res) => void res.destroy()), broken],
  ['words, refused', ending('refusal', said('So')), paid, shown('So', 'refusal')],
  ['words, filtered', ending('content_filter', said('So')), declined, shown('So', 'filter')],
  ['words, incomplete', ending('incomplete', said('So')), broken, shown('So', 'broken')],
  ['words, out of balance', ending('low_balance', said('So')), broken, shown('So', 'broken')],
  ['words, paused', ending('pause_turn', said('So')), broken, shown('So', 'broken')],
  ['a refusal', ending('stop', delta({ refusal: 'No, see https://a.co/?k=1' })), paid, shown('No, see …')],
  ['a refusal without usage', json(200, { promptFeedback }), unbilled, shown('Not safe.')],
  ['a late refusal', ending('stop', said('A'), delta({ refusal: 'B' })), paid, shown('A\n\nB', 'refusal')],
  [
    'only a proposal',
    complete(calls('make_image')),
    { ...paid, proposals: [expect.objectContaining({ prompt: 'a fox' })] },
    [text('proposes'), proposal],
  ],
  ['an error about its question', json(400, error), { captured: 0n, failure: 'refused' }, [saidByGateway]],
  ['an error about its size', json(413, error), { captured: 0n, failure: 'too-large' }, shown('too-large')],
  ['words beside a usage of zeros', events([because, zeros, '[DONE]']), estimated],
  ['a Markdown picture', complete(said(`See ![a](${uri})`)), paid, [text('See'), address]],
  ['a bare picture', complete(said(`See ${uri} it`)), { ...paid, answer: 'See  it' }],
  ['a picture beside', complete(delta({ content: 'See', images: [{ image_url: { url: uri } }] })), paid],
  ['only a picture', complete(said(`![a fox](${uri})`)), { ...paid, answer: '' }, [address]],
  [
    'base64 of no picture',
    complete(said(`a ${pdf} b data:image/gif;base64,R0lG`)),
    { answer: 'a  b data:image/gif;base64,R0lG' },
  ],
  [
    'JSON behind thinking',
    complete(said('<think>Hm.</think>{"why": "*so*"}')),
    paid,
    [expect.anything(), code],
  ],
])('an answer of %s is settled and shown', async (name, wire, facts, parts) => {
  const one = await answers.asked()
  answers.world.gatewayAnswers(wire)
  const { turn, failure } = await ask(one)
  expect(turn).toMatchObject(facts)
  expect(failure?.reason ?? null).toBe(turn?.failure)
  if (parts) expect(turn?.parts).toEqual(parts)
  else if (/ picture /.test(name)) expect(turn?.parts?.at(-1)).toEqual(address)
  expect(await available(one)).toBe(1000n - (turn?.captured ?? 0n))
})

const rewritten = ({ turn, ...one }: Asking) => ({ ...one, turn: { ...turn, draftId: 'draft00001' } })

it.each([
  ['reaches the limit of its length', ending('length', said('A red fox in the ')), 'empty'],
  ['breaks off', events([said('A red fox in the ')]), 'unavailable'],
])('a rewritten prompt that %s is not used and costs nothing', async (_, wire, reason) => {
  const one = await answers.asked()
  answers.world.gatewayAnswers(wire)
  const { turn, failure } = await ask(rewritten(one))
  expect([turn?.state, turn?.captured, failure]).toEqual(['failed', 0n, { reason }])
  expect(turn?.parts).toEqual([text('not-rewritten')])
  expect(await available(one)).toBe(1000n)
})

it('a rewritten prompt is taken without its thinking and without markers of citations', async () => {
  answers.world.gatewayAnswers(complete(said('Hm.</think>A fox\ue200cite\ue202turn0search0\ue201.')))
  const { turn } = await ask(rewritten(await answers.asked()))
  expect(turn?.parts).toEqual([{ kind: 'prompt', draftId: 'draft00001', text: 'A fox.' }])
})

it.each([
  ['length', 4000],
  ['money', 300],
])('a full answer gets a note about %s when it could have %i tokens', async (note, maxOutput) => {
  answers.world.gatewayAnswers(ending('length', said('Because')))
  const what = { ...request, model: { ...model, context: 8000 }, maxOutput }
  const { turn } = await ask(await answers.asked(), {}, undefined, unshown, what)
  expect(turn).toMatchObject({ ...paid, outputTokens: 500 })
  expect(turn?.parts).toEqual(shown('Because', note))
})

it('an answer that is interrupted by the end of its process is free', async () => {
  answers.world.gatewayAnswers(events([because]))
  const stopping = new AbortController()
  const show = () => stopping.abort(interrupted)
  const { turn } = await ask(await answers.asked(), {}, stopping.signal, { ...unshown, show })
  expect(turn).toMatchObject(broken)
  slowly()
  const unbegun = await ask(await answers.asked(), {}, AbortSignal.abort(interrupted))
  expect(unbegun.turn).toMatchObject({ ...broken, state: 'failed' })
  answers.world.reset()
})

it('an answer that the gateway refuses for want of our balance stops sales', async () => {
  const one = await answers.asked()
  answers.world.gatewayAnswers(json(402, { error: { message: 'no balance', type: 't', code: 'c' } }))
  const { turn } = await ask(one)
  expect(turn).toMatchObject({ state: 'failed', failure: 'paused' })
  expect(await answers.db.select().from(salesStops)).toMatchObject([{ cause: 'out-of-balance' }])
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

const begun = said('Because')
const cutOff = [text('Because'), text('cut')]
const whole = { state: 'done', captured: 50n, isEstimate: false, outputTokens: 500 } as const
const part = { state: 'stopped', answer: 'Because', isEstimate: true } as const
const pondering = delta({ reasoning_content: 'Hm, '.repeat(100) })
const thought = [{ kind: 'text', text: expect.stringMatching(/^Thinking\nHm, Hm/) }]

it.each<[string, (object | string)[], Partial<Turn>, unknown[]]>([
  ['after its last words costs all', [said('Because.'), usage, '[DONE]'], whole, shown('Because.')],
  ['before its last words costs no more than is shown', [begun, said(' of.'), usage, '[DONE]'], part, cutOff],
  ['within its first message gets a note', [begun], part, cutOff],
  ['while it thinks pays for that', [pondering], { ...part, answer: '', captured: 7n }, thought],
])('an answer that is stopped %s', async (_, wire, facts, parts) => {
  const { turn, failure } = await stopped(wire)
  expect([turn, failure]).toMatchObject([facts, undefined])
  expect(turn?.parts).toMatchObject(parts)
})

it('a stopped answer is charged for the whole question, whatever earlier answers have cost', async () => {
  const asked = { role: 'user', text: long, images: [] } as const
  const { turn } = await stopped([said('Because')], {
    ...request,
    dialogue: assemble(undefined, [], asked, 1000),
  })
  expect(turn).toMatchObject({ state: 'stopped', inputTokens: tokensIn(model.family, long) })
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

it('the live message of an answer is closed before the settlement', async () => {
  const one = await answers.asked()
  answers.world.gatewayAnswers(complete(said('Because.')))
  const states: string[] = []
  const close = async () => void states.push((await answers.reread(one)).state)
  const { turn } = await ask(one, {}, undefined, { ...unshown, close })
  expect([...states, turn?.state]).toEqual(['streaming', 'done'])
  expect(answers.clock.isWaitedFor(5000), 'its progress is not saved any more').toBe(false)
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
  // Words that have not grown are not written again.
  await answers.db.update(turns).set({ answer: 'B' }).where(eq(turns.id, one.turn.id))
  for (let pass = 0; pass < 2; pass += 1) {
    await expect.poll(() => answers.clock.isWaitedFor(5000)).toBe(true)
    answers.clock.advance(5000)
  }
  await expect.poll(() => answers.clock.isWaitedFor(5000)).toBe(true)
  expect(await answers.reread(one)).toMatchObject({ answer: 'B' })
  more()
  await inTime(async () => (await answers.reread(one)).answer === 'Because.')
  stopping.abort()
  await answers.clock.asked(toEndMs)
  answers.clock.advance(toEndMs)
  expect((await answering).turn).toMatchObject({ state: 'stopped', answer: 'Because.' })
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
  const claimed = await claimAnswers(answers.db, claimNow(answers.world.deps, 100, 100))
  const left = claimed.find(({ id }) => id === one.turn.id)
  if (!left) return expect.unreachable('its lease has expired')
  await answers.settledNow({ ...one, turn: { ...left, lease: 'other' } }, [text('Be')], 1n)
  more()
  let isOver = false
  void hungUp.then(() => {
    isOver = true
  })
  await inTime(async () => isOver)
  expect((await answering).turn).toBeUndefined()
  expect(await answers.reread(one)).toMatchObject({ answer: 'So.', lease: 'other', captured: 1n })
})
