// Conversations with a text model as the chat shows them: what goes into a question, streaming and stopping, sources, tools, money, and who
// may change what.

import { and, desc, eq, inArray } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { drafts, turns, users } from '../../src/db/schema.ts'
import { loadTexts } from '../../src/texts.ts'
import { pdfBomb } from '../support/media/pdf.ts'
import { groupOf } from '../support/users/group.ts'
import { order } from '../support/users/order.ts'
import { lastAsked, ordered } from '../support/users/pictures.ts'
import { openSandbox, sharedSandbox, type TestSandbox } from '../support/users/sandbox.ts'
import { labelsOf, type SandboxMessage, type SandboxUser } from '../support/users/user.ts'

const sandbox = await sharedSandbox()

const isPriced = (message: SandboxMessage) =>
  message.reply_markup !== undefined && message.from?.is_bot === true
const document = (name: string, bytes: Buffer) => ({ kind: 'document', name, bytes })

async function hasSpentNothing(user: SandboxUser): Promise<void> {
  await user.asks('/balance', /^Balance: ₽500/)
}

/** Chooses a text model and switches one of its modes on. */
async function chooses(user: SandboxUser, model: string, mode?: string): Promise<void> {
  await user.opens('/model', /Model: /, new RegExp(`^(● )?${model} · `))
  await user.sees(new RegExp(`${model}\\n`))
  if (mode === undefined) return
  await user.tapsFor(new RegExp(`${mode}: off`), (message) =>
    labelsOf(message).some((label) => label.includes(`${mode}: on`)),
  )
}

it('the button of an answer explains its price, also by our own count when the stream reports no usage', async () => {
  const anna = await sandbox.user('Anna')
  const answer = await anna.asks('How do I learn to surf?', /learn to surf/)
  expect(answer.entities?.map(({ type }) => type)).toEqual(expect.arrayContaining(['bold', 'italic']))
  await anna.hears(/^ℹ️ ₽0\.\d\d$/, /This answer: ₽0\.\d\d \(\d+ \+ \d+ tokens\)/)
  await chooses(anna, 'Gemini')
  await anna.asks('How deep is the sea?', /How deep is the sea/)
  await anna.hears(/^ℹ️ ₽0\.(?!00)\d\d$/, /This answer: ₽0\.\d\d \(about \d+ \+ \d\d+ tokens, counted by us\)/)
})

it('a user who cannot pay is offered a top-up, and only the first bytes of a document are downloaded', async () => {
  const rosa = await sandbox.user('Rosa', 'en', { credit: '0' })
  for (const _ of ['head', 'whole'])
    await sandbox.breaks('telegram', 'getFile', { kind: 'error', status: 400 })
  await rosa.attaches(document('bomb.pdf', pdfBomb(4_000_000)), 'What is it?', /short/)
  expect(sandbox.faults.list()).toHaveLength(1)
  await rosa.asks('Why not?', /could cost more than you have/)
  await rosa.taps(/Top up ₽50/)
})

it('web search shows its sources; /new forgets the messages, and keeps the model, the modes and the persona', async () => {
  const olga = await sandbox.user('Olga')
  await chooses(olga, 'GPT', 'Web search')
  await olga.asks('/system You are a lighthouse keeper', /lighthouse keeper/)
  const answer = await olga.asks('What is a reef?', /Sources/)
  expect(answer.entities?.some(({ type }) => type === 'text_link')).toBe(true)
  await olga.asks('And by night?', /And by night/)
  expect(await lastAsked(sandbox)).toContain('What is a reef')
  await olga.asks('/new', /A new conversation/)
  await olga.asks('And a tide?', /And a tide/)
  const asked = await lastAsked(sandbox)
  for (const kept of ['/v1/responses', 'web_search', 'You are a lighthouse keeper'])
    expect(asked).toContain(kept)
  expect(asked).not.toContain('What is a reef')
})

it('/retry asks the last question again, or says that there is no question yet', async () => {
  const gina = await sandbox.user('Gina')
  await gina.asks('/retry', /nothing to repeat/)
  const { message_id: first } = await gina.asks('Why salt?', /Why salt/)
  await gina.asks('/retry', ({ message_id, text = '' }) => message_id > first && /Why salt/.test(text))
})

it('an answer is shown while it is written, and stops by the Stop button', async () => {
  const dora = await sandbox.user('Dora')
  await sandbox.breaks('gateway', 'chat', { kind: 'hang', ms: 60_000 })
  await dora.sends('Tell me everything about boards [long]')
  await dora.seesDraft(/boards/)
  await dora.stops()
  const answer = await dora.sees(isPriced)
  expect(answer.text).toBe('⏹ Stopped. You paid for the question and for what was written by then.')
  await dora.sees(/boards/)
  await dora.asks('/balance', /^Balance: ₽49\d\.\d\d/)
})

it('in a group only the user who began the conversation or an administrator can change it or start over', async () => {
  const [ines, jon, kay] = [await sandbox.user('Ines'), await sandbox.user('Jon'), await sandbox.user('Kay')]
  const id = await groupOf(sandbox, ines, jon, kay)
  const [admin, owner, other] = [ines.in(id), jon.in(id), kay.in(id)]
  await owner.asks('/chat What is a reef?', /What is a reef/)
  await other.asks('/new', /only admins and the person who started the conversation/)
  await other.sends('/system Obey Kay')
  const isRefusal = ({ reply_to_message: reply, text = '' }: SandboxMessage) =>
    reply === undefined && /only admins and the person who started/.test(text)
  await other.sees(isRefusal)
  await other.opens('/persona', '🍳 Cook')
  await other.isTold(/only admins and the person who started the conversation/)
  await other.asks(
    '/model',
    /for everybody in the conversation. Only admins and the person who started[\s\S]*Whoever asks pays/,
  )
  await other.taps(/Thinking: off/)
  await owner.tapsFor(/Thinking: off/, (message) =>
    labelsOf(message).some((label) => label.includes('Thinking: on')),
  )
  await admin.asks('/new', /A new conversation/)
  await owner.asks('/system Speak like a sailor', /Speak like a sailor/)
  await owner.asks('/chat And a tide?', /And a tide/)
  const asked = await lastAsked(sandbox)
  expect(asked).toContain('Speak like a sailor')
  for (const absent of ['What is a reef', 'Obey Kay', 'home cook']) expect(asked).not.toContain(absent)
})

/** Asks a question at the native operation, which does not stream, and which never answers. */
async function asksNative(there: TestSandbox, name: string): Promise<SandboxUser> {
  const user = await there.user(name)
  await chooses(user, 'Gemini', 'Run code')
  await there.breaks('gateway', 'native', { kind: 'hang' })
  await user.sends('How deep is it?')
  await user.seesDraft(/Thinking/)
  return user
}

it('a question at the native operation ends at once on Stop, and by the button below the answer to /cancel', async () => {
  const lou = await asksNative(sandbox, 'Lou')
  await lou.stops()
  await lou.sees(/Stopped before the first word; nothing was charged/)
  await sandbox.breaks('gateway', 'native', { kind: 'hang' })
  await lou.sends('How wide is it?')
  const { message_id: asked } = await lou.sends('/cancel')
  await lou.sees(/^No question or card is open here[\s\S]*An answer is being written · up to ₽[\d.]+\n/)
  await lou.tapsFor(
    '⏹ Stop',
    ({ message_id, text = '' }) => message_id > asked && /nothing was charged/.test(text),
  )
  await lou.hears('⏹ Stop', 'This answer is no longer being written.')
  await lou.asks('/cancel', /Nothing to cancel/)
  await hasSpentNothing(lou)
})

it('an app that shuts down sends the received part of an answer, and does not wait for one without a stream', async () => {
  const going = await openSandbox()
  const kim = await going.user('Kim')
  await going.breaks('gateway', 'chat', { kind: 'hang', ms: 60_000 })
  await kim.sends('Tell me everything about reefs [long]')
  await kim.seesDraft(/reefs/)
  const mia = await asksNative(going, 'Mia')
  const stopping = going.app.stop()
  await kim.sees(/broke off/)
  expect(await kim.transcript()).toMatch(/Sandbox bot: [\s\S]*reefs/)
  await mia.sees(/No answer came. Nothing was charged/)
  await stopping
  await going.stop()
})

it('an answer to a user who has blocked the bot costs what was shown of it, and the statement gives the reason', async () => {
  const boris = await sandbox.user('Boris')
  await boris.asks('/help', /What I can do/)
  await sandbox.breaks('gateway', 'chat', { kind: 'hang', ms: 1500 })
  await boris.sends('Tell me everything about boards [long]')
  await boris.seesDraft(/boards/)
  await boris.blocks()
  const asker = sandbox.app.db.select({ id: users.id }).from(users).where(eq(users.telegramId, boris.id))
  const isLost = and(eq(turns.delivery, 'undeliverable'), inArray(turns.userId, asker))
  const undeliverable = () => sandbox.app.db.select().from(turns).where(isLost)
  await expect.poll(undeliverable).toHaveLength(1)
  const [{ captured, refunded } = { captured: null, refunded: null }] = await undeliverable()
  const cost = (captured ?? 0n) - (refunded ?? 0n)
  expect(cost).toBeGreaterThan(0n)
  expect(refunded).toBeGreaterThan(0n)
  await boris.blocks(false)
  await boris.asks('/balance', new RegExp(`^Balance: ${loadTexts()('en').roubles(500_00n - cost)}`))
  await boris.asks('/statement', /Refund of an order · .*the answer couldn’t be sent/)
})

describe('Proposed cards:', () => {
  const asked = async () =>
    JSON.stringify((await ordered(sandbox, /completions$|responses$|generateContent$/)).at(-1))

  const draftsOf = ({ id }: SandboxUser) =>
    sandbox.app.db
      .select({ modelId: drafts.modelId, answers: drafts.answers, state: drafts.state })
      .from(drafts)
      .innerJoin(users, eq(users.id, drafts.userId))
      .where(eq(users.telegramId, id))
      .orderBy(desc(drafts.createdAt))

  it('“make it night now” changes the last order: its outcome goes back, its model and settings are kept', async () => {
    const anna = await sandbox.user('Anna')
    await order(sandbox, anna, 'Draw a lighthouse', [/^Aspect ratio|^📐|Size/, /16:9/])
    await anna.asks('How high is one? [short]', /How high is one/)
    expect(await asked()).toMatch(
      /"tool_calls":\[\{"id":"([a-z0-9]{9})","type":"function","function":\{"name":"make_image".*"role":"tool","tool_call_id":"\1","content":"\{\\"outcome\\":\\"delivered\\"\}"/,
    )
    await anna.asks('make it night now', ({ text = '' }) => text.includes('a lighthouse, night now'))
    const [changed, first] = await draftsOf(anna)
    expect(first).toMatchObject({ state: 'ordered', answers: { size: '16:9' } })
    expect(changed).toMatchObject({ state: 'open', modelId: first?.modelId, answers: { size: '16:9' } })
    expect(changed?.answers).toMatchObject({ prompt: 'a lighthouse, night now' })
  })

  it('a card that is dropped, or waits, goes back as such, and in words where functions are not sent', async () => {
    const boris = await sandbox.user('Boris')
    await boris.opens('/model', /Model: /, /^(● )?GPT · /)
    await boris.sends('Draw a reef')
    await boris.seesButton(/^Generate/)
    await boris.asks('/chat why a reef? [short]', /why a reef/)
    expect(await asked()).toContain('"content":"{\\"outcome\\":\\"proposed\\"}"')
    await boris.taps(/Close/)
    await boris.opens('/model', /Web search: off/)
    await boris.asks('/chat and now? [short]', /and now/)
    expect(await asked()).toContain(
      'Assistant: [make_image: {\\"prompt\\":\\"a reef\\",\\"outcome\\":\\"declined\\"}]',
    )
  })
})
