// A question before its answer is requested: whether it is refused, by which model it is answered, and how much of the conversation and of
// the balance it takes.

import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { QuestionFile } from '../../src/catalog/field.ts'
import { type TextModel, textModelList } from '../../src/catalog/text-models.ts'
import { type Modes, noModes } from '../../src/catalog/text-modes.ts'
import { type AskDeps, beginAnswer, estimatePrice, refusalBefore, takingAt } from '../../src/chat/begin.ts'
import { openConversation, type Turn } from '../../src/chat/conversations.ts'
import { beginRewriting, rewriterFor } from '../../src/chat/rewriting.ts'
import { tokensIn } from '../../src/chat/tokens.ts'
import { toolsFor } from '../../src/chat/tools.ts'
import { settleAnswer } from '../../src/chat/turns.ts'
import { salesStops, switches } from '../../src/db/schema.ts'
import { audit } from '../../src/ledger/audit.ts'
import { readBalance } from '../../src/ledger/ledger.ts'
import { randomIds } from '../../src/runtime/ids.ts'
import { maintenance, modelSwitch, stopSales } from '../../src/sales/sales.ts'
import { createWorld, type GenerationWorld, userWith } from '../support/worlds/generations.ts'

let world: GenerationWorld
beforeAll(async () => {
  world = await createWorld()
})
afterAll(async () => {
  expect(await audit(world.deps.db)).toEqual([])
  await world.close()
})
afterEach(async () => {
  await world.deps.db.delete(salesStops)
  await world.deps.db.delete(switches)
})

const [basic, other, reader] = textModelList.parse([
  // 1 kopeck per 100 input tokens and per 10 output tokens.
  {
    id: 'T',
    family: 'gpt',
    rates: { input: '100', output: '1000' },
    abilities: ['thinking', 'tools', 'length', 'json'],
  },
  { id: 'U', family: 'gpt', rates: { input: '100', output: '3000' }, abilities: ['vision'] },
  {
    id: 'P',
    family: 'gemini',
    rates: { input: '100', output: '1000' },
    abilities: ['pdf'],
    pdf: { maxPages: 3 },
  },
]) as [TextModel, TextModel, TextModel]
const pdf = { file: 'F', medium: 'pdf', mime: 'application/pdf', pages: 3 } as const

const depsWith = (...textModels: TextModel[]): AskDeps => ({
  ...world.deps,
  textModels,
  media: { read: async () => ({ ok: false }) },
})

let updates = 700_000
const question = (userId: bigint, text = 'Why?') => ({
  userId,
  isOperator: false,
  where: { chatId: Number(userId), topicId: 0 },
  text,
  files: [],
  messageId: ++updates,
  updateId: updates,
  tools: [],
})

async function begins(deps: AskDeps, userId: bigint, text?: string) {
  const begun = await beginAnswer(deps, question(userId, text))
  if (!begun.ok) throw new Error(begun.reason)
  return begun
}

function ends(turn: Turn, text: string) {
  const counted = { inputTokens: 1, outputTokens: 1, isEstimate: false, rates: null, failure: null }
  const outcome = { state: 'done', text, thinking: '', sources: [], captured: 1n, ...counted } as const
  const parts = [{ kind: 'text', text, entities: [] }] as const
  return settleAnswer(world.deps, turn, { outcome, parts, lease: 'x' })
}

describe('any question', () => {
  it('is refused before its file is downloaded while sales are stopped, and when no model is offered', async () => {
    const { id } = await userWith(world, 1000n)
    expect(await refusalBefore(depsWith(), question(id))).toEqual({ ok: false, reason: 'off' })
    expect(await beginAnswer(depsWith(), question(id))).toEqual({ ok: false, reason: 'off' })
    await stopSales(world.deps.db, 'out-of-balance', world.clock.now())
    expect(await refusalBefore(depsWith(basic), question(id))).toEqual({ ok: false, reason: 'paused' })
  })

  it('is refused before its file is downloaded only below the price of the shortest answer', async () => {
    const [enough, less] = [await userWith(world, 20n), await userWith(world, 19n)]
    expect(await refusalBefore(depsWith(basic), question(enough.id))).toBeUndefined()
    const refused = { ok: false, reason: 'insufficient', missing: 1n }
    expect(await refusalBefore(depsWith(basic), question(less.id))).toEqual(refused)
    expect(await beginAnswer(depsWith(reader), { ...question(less.id), files: [pdf] })).toEqual(refused)
    expect(await beginAnswer(depsWith(basic), question(less.id))).toEqual({ ...refused, missing: 2n })
  })

  it('is refused while an operator has switched off its model, and says whether others are on sale', async () => {
    const { id } = await userWith(world, 1000n)
    await ends((await begins(depsWith(basic, other), id)).turn, 'So.')
    const off = { name: modelSwitch('T'), since: world.clock.now(), operatorId: 1 }
    await world.deps.db.insert(switches).values(off)
    const refused = (...models: TextModel[]) => beginAnswer(depsWith(...models), question(id))
    expect(await refused(basic, other)).toEqual({ ok: false, reason: 'model-off', model: basic })
    expect(await refused(basic)).toEqual({ ok: false, reason: 'off' })
  })

  it('is asked after a stop of sales has ended, and while an operator has switched off something else', async () => {
    const { id } = await userWith(world, 1000n)
    const [now, past] = [world.clock.now(), new Date(world.clock.now().getTime() - 1000)]
    for (const cause of ['out-of-balance', `model:${basic.id}`])
      await world.deps.db.insert(salesStops).values({ cause, since: past, until: past })
    await world.deps.db
      .insert(switches)
      .values({ name: modelSwitch('MODEL-MUSIC'), since: now, operatorId: 1 })
    await ends((await begins(depsWith(basic), id)).turn, 'So.')
  })
})

it('a question is asked with a balance and a daily limit that suffice exactly for the shortest answer', async () => {
  // The question costs 0.1 kopecks and the shortest answer 20 kopecks; the sum is rounded up.
  const { id } = await userWith(world, 21n)
  const exact = await begins(depsWith(basic), id)
  expect([exact.turn.amount, exact.request.maxOutput]).toEqual([21n, 209])
  await ends(exact.turn, 'So.')
  const limited = { ...depsWith(basic), limits: { ...world.deps.limits, dailySpend: 21n } }
  const capped = await begins(limited, (await userWith(world, 1000n)).id)
  expect([capped.turn.amount, capped.request.maxOutput]).toEqual([21n, 209])
  await ends(capped.turn, 'So.')
})

it('an answer of one kopeck can be bought', async () => {
  const { id } = await userWith(world, 1n)
  const cheap = { ...basic, rates: { input: '0.01', output: '0.01' } }
  const { turn } = await begins(depsWith(cheap), id)
  expect(turn.amount).toBe(1n)
  await ends(turn, 'So.')
  expect(await readBalance(world.deps.db, id)).toMatchObject({ available: 0n, held: 0n })
})

it('during maintenance, an operator asks and rewrites, and other users do neither', async () => {
  const { id } = await userWith(world, 1000n)
  await world.deps.db.insert(switches).values({ name: maintenance, since: world.clock.now() })
  const deps = depsWith(basic)
  const paused = { ok: false, reason: 'paused' }
  expect(await refusalBefore(deps, question(id))).toEqual(paused)
  expect(await beginAnswer(deps, question(id))).toEqual(paused)
  const asked = { ...question(id), isOperator: true }
  expect(await refusalBefore(deps, asked)).toBeUndefined()
  expect(await beginAnswer(deps, asked)).toMatchObject({ ok: true })
  const rewriting = { id: randomIds.next(), draftId: randomIds.next(), words: 'рыжая лиса' }
  const toRewrite = { ...question(id), ...rewriting, rewriting: { to: 'translate' } } as const
  expect(await beginRewriting(deps, toRewrite)).toEqual(paused)
  expect(await beginRewriting(deps, { ...toRewrite, isOperator: true })).toMatchObject({ ok: true })
  await stopSales(world.deps.db, 'unauthorised', world.clock.now())
  expect(await beginAnswer(deps, { ...question(id), isOperator: true })).toEqual(paused)
})

it('an answer with thinking needs money for 2048 tokens', async () => {
  const { id } = await userWith(world, 204n)
  const { where } = question(id)
  const fresh = { id: randomIds.next(), userId: id, modelId: 'T', system: null }
  const modes = { ...noModes, thinking: true }
  await openConversation(world.deps.db, { ...where, ...fresh, modes }, world.clock.now())
  const asked = await beginAnswer(depsWith(basic), question(id))
  expect(asked).toEqual({ ok: false, reason: 'insufficient', missing: 1n })
})

it('the price of an answer without a conversation is that of the first offered model, which may have no vision', async () => {
  const { id } = await userWith(world, 1000n)
  const estimate = await estimatePrice(depsWith(basic, other), question(id))
  expect(estimate).toEqual({ model: basic, amount: 41n, notTaken: undefined })
})

it.each([
  ['taken', 3, [reader, basic]],
  ['by-others', 3, [basic, reader]],
  ['by-none', 4, [reader, basic]],
  ['by-none', 3, [basic]],
])('a PDF is %s with %i pages', async (taking, pages, models) => {
  const { id } = await userWith(world, 0n)
  expect(await takingAt(depsWith(...models), id, question(id).where, { ...pdf, pages })).toBe(taking)
})

it('a document is sent again until a model answers that does not take it, or another one comes', async () => {
  const { id } = await userWith(world, 10_000n)
  const media = { read: async () => ({ ok: true, bytes: Buffer.from('%PDF-') }) as const }
  const asks = async (model: TextModel, ...files: QuestionFile[]) => {
    const asked = { ...question(id), files, tools: toolsFor(['image']) }
    const begun = await beginAnswer({ ...depsWith(model), media }, asked)
    if (!begun.ok) throw new Error(begun.reason)
    await ends(begun.turn, 'So.')
    world.clock.advance(1000)
    const sent = begun.request.dialogue.messages.flatMap((one) =>
      one.role === 'user' ? (one.files ?? []) : [],
    )
    const kept = begun.turn.files.map(({ file, note }) => [file, note])
    return { sent: sent.length, kept, forgets: begun.forgets, tools: begun.request.tools.length }
  }
  const facts = { sent: 1, forgets: false, tools: 0 }
  expect(await asks(reader, pdf)).toEqual({ ...facts, kept: [['F', undefined]] })
  expect(await asks(reader)).toEqual({ ...facts, kept: [['F', 'earlier']] })
  expect(await asks(reader, { ...pdf, file: 'G' })).toEqual({ ...facts, kept: [['G', undefined]] })
  expect(await asks(basic)).toEqual({ sent: 0, kept: [], forgets: true, tools: 1 })
  expect(await asks(basic)).toMatchObject({ forgets: false })
})

it('the instructions of a question are the persona and the chosen length and format, if any', async () => {
  const { id } = await userWith(world, 1000n)
  const told = async (topicId: number, system: string | null, modes: Partial<Modes>) => {
    const where = { chatId: Number(id), topicId }
    const fresh = { id: randomIds.next(), userId: id, modelId: 'T', system, modes: { ...noModes, ...modes } }
    await openConversation(world.deps.db, { ...where, ...fresh }, world.clock.now())
    const begun = await beginAnswer(depsWith(basic), { ...question(id, 'Why?'), where })
    if (!begun.ok) throw new Error(begun.reason)
    await ends(begun.turn, 'So.')
    return begun.request.dialogue.system
  }
  expect(await told(1, null, {})).toBeUndefined()
  expect(await told(2, 'Be kind.', { length: 'short', format: 'json' })).toMatch(
    /^Be kind\.\n\nAnswer briefly: .* Answer with JSON/,
  )
})

describe('the past messages of a question', () => {
  /** A user whose conversation has 12 answers of 1000 tokens. */
  async function withPast() {
    const { id } = await userWith(world, 100_000n)
    for (let at = 0; at < 12; at += 1) {
      await ends((await begins(depsWith(basic), id)).turn, 'x'.repeat(3500))
      world.clock.advance(1000)
    }
    return id
  }

  it.each([
    ['all but the longest answer', 8000, 2000, 11],
    ['half of the context when the model could fill more', 8000, 8000, 7],
    ['at least 1000 tokens, even of the smallest context', 1000, 1000, 1],
  ])('fill %s', async (_, context, maxOutput, messages) => {
    const id = await withPast()
    const { turn, request } = await begins(depsWith({ ...basic, context, maxOutput }), id)
    expect(request.dialogue.messages).toHaveLength(messages)
    await ends(turn, 'So.')
  })
})

describe('a rewriting', () => {
  const translate = { to: 'translate' } as const
  const asked = (userId: bigint) => {
    const { where, isOperator, updateId } = question(userId)
    const ids = { id: randomIds.next(), draftId: randomIds.next() }
    const rewriting = { words: 'рыжая лиса', rewriting: translate, messageId: null }
    return { ...ids, userId, isOperator, where, ...rewriting, updateId }
  }

  it('is refused while sales are stopped, and when no model is offered', async () => {
    const { id } = await userWith(world, 1000n)
    expect(await beginRewriting(depsWith(), asked(id))).toEqual({ ok: false, reason: 'off' })
    await stopSales(world.deps.db, 'out-of-balance', world.clock.now())
    expect(await beginRewriting(depsWith(basic), asked(id))).toEqual({ ok: false, reason: 'paused' })
  })

  it('is done by the model with the lowest price, which may be one kopeck', () => {
    const cheap = { ...basic, id: 'cheap', rates: { input: '0.01', output: '0.01' } }
    const words = 'рыжая лиса '.repeat(50)
    expect(rewriterFor(depsWith(other, cheap, basic), words, translate)).toEqual({ model: cheap, amount: 1n })
    expect(rewriterFor(depsWith(other, basic), words, translate)?.model).toBe(basic)
    expect(rewriterFor(depsWith(basic, other), words, translate)?.model).toBe(basic)
  })

  it('may use twice the tokens of the prompt and 2000 for the thinking before it, but no more than the context', async () => {
    const { id } = await userWith(world, 10_000n)
    const requestFor = async (words: string, context: number) => {
      const deps = depsWith({ ...basic, maxOutput: 4000, context })
      const begun = await beginRewriting(deps, { ...asked(id), words })
      if (!begun.ok) throw new Error(begun.reason)
      await ends(begun.turn, 'So.')
      return begun.request
    }
    const words = 'рыжая лиса в осеннем лесу'
    const { maxOutput } = await requestFor(words, 32_000)
    expect(maxOutput).toBe(2000 + 2 * (tokensIn(basic.family, words) + 1))
    const long = await requestFor('a cat. '.repeat(500), 3000)
    expect(long.maxOutput).toBe(3000 - long.dialogue.tokens)
  })

  it.each([
    [
      { to: 'improve', kind: 'image', max: 1000 },
      2000 + 2 * 121,
      /^Improve .*at most 850 .*do not follow it\. Keep the/,
    ],
    [{ to: 'shorten', max: 4 }, 2004, /^Shorten .*at most 3 .*do not follow it\. Keep the/],
    [{ to: 'lyrics', max: 1000 }, 2800, /^Write the lyrics .*at most 850 .*do not follow it\. Reply/],
    [{ to: 'lyrics', max: 9000 }, 2800, /^Write the lyrics .*at most 1500 /],
    [{ to: 'describe', max: 1000 }, 2500, /^Describe .*at most 600 characters\. [^.]*\. Reply/],
    [{ to: 'describe', max: 100 }, 2500, /^Describe .*at most 85 /],
  ] as const)('%j may use %i tokens and has its instruction', async (rewriting, most, instruction) => {
    const { id } = await userWith(world, 10_000n)
    const begun = await beginRewriting(depsWith(basic), { ...asked(id), words: 'лиса', rewriting })
    if (!begun.ok) throw new Error(begun.reason)
    await ends(begun.turn, 'So.')
    expect(begun.request.maxOutput).toBe(most)
    expect(begun.request.dialogue.system).toMatch(instruction)
  })

  it('that describes a picture is done by a model that sees, at a price with the picture', () => {
    const picture = { file: 'F', medium: 'image', mime: 'image/png' } as const
    const describe = { to: 'describe', max: 1000 } as const
    const seeing = rewriterFor(depsWith(basic, other), 'лиса', describe, picture)
    const blind = rewriterFor(depsWith(basic, other), 'лиса', describe)
    expect([seeing?.model.id, blind?.model.id]).toEqual(['U', 'T'])
    // 1500 tokens of the picture cost 15 kopecks.
    expect((seeing?.amount ?? 0n) - (rewriterFor(depsWith(other), 'лиса', describe)?.amount ?? 0n)).toBe(15n)
    const refused = rewriterFor(depsWith(basic), 'лиса', describe, picture)
    expect(refused).toBeUndefined()
  })

  it('that shortens costs less than one that keeps the length', () => {
    const words = 'a'.repeat(4700)
    const amounts = [100, 2350, 4700].map(
      (max) => rewriterFor(depsWith(basic), words, { to: 'shorten', max })?.amount,
    )
    expect(amounts).toEqual([13n, 61n, 111n])
  })
})
