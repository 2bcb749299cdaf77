// Conversations with a text model as the chat shows them: what goes into a question, streaming and stopping, sources, tools, money, and who
// may change what.

import { expect, it } from 'vitest'
import { pdfBomb, pdfOf } from '../support/media/pdf.ts'
import { lastAsked, ordered } from '../support/users/pictures.ts'
import { openSandbox, sharedSandbox, type TestSandbox } from '../support/users/sandbox.ts'
import { labelsOf, type SandboxMessage, type SandboxUser } from '../support/users/user.ts'

const sandbox = await sharedSandbox()

const isPriced = (message: SandboxMessage) =>
  message.reply_markup !== undefined && message.from?.is_bot === true
const document = (name: string, bytes: Buffer) => ({ kind: 'document', name, bytes })

async function hasSpentNothing(user: SandboxUser): Promise<void> {
  await user.sends('/balance')
  await user.sees(/^Balance: ₽500/)
}

/** Chooses a text model and switches one of its modes on. */
async function chooses(user: SandboxUser, model: string, mode?: string): Promise<void> {
  await user.sends('/model')
  await user.taps(/Model: /)
  await user.taps(new RegExp(`^(● )?${model} · `))
  await user.sees(new RegExp(`${model}\\n`))
  if (mode === undefined) return
  await user.taps(new RegExp(`${mode}: off`))
  await user.sees((message) => labelsOf(message).some((label) => label.includes(`${mode}: on`)))
}

it.each([
  ['Assistant', undefined, '/v1/chat/completions'],
  ['Assistant', 'Thinking', '/v1/messages'],
  ['GPT', 'Run code', '/v1/responses'],
  ['Gemini', 'Run code', '/v1/gemini/generateContent'],
])('%s with the mode %s is asked at %s', async (model, mode, path) => {
  const anna = await sandbox.user('Anna')
  await chooses(anna, model, mode)
  await anna.sends('How old is the sea?')
  const isAnswer = (one: SandboxMessage) => one.from?.is_bot === true && /cr:/.test(JSON.stringify(one))
  expect((await anna.sees(isAnswer)).text).toContain('How old is the sea')
  expect(await lastAsked(sandbox)).toContain(`"path":"${path}"`)
})

it('the button of an answer explains its price, also by our own count when the stream reports no usage', async () => {
  const anna = await sandbox.user('Anna')
  await anna.sends('How do I learn to surf?')
  const answer = await anna.sees(/learn to surf/)
  expect(answer.entities?.map(({ type }) => type)).toEqual(expect.arrayContaining(['bold', 'italic']))
  await anna.taps(/^₽0\.\d\d$/)
  await anna.isTold(/This answer: ₽0\.\d\d \(\d+ \+ \d+ tokens\)/)
  await chooses(anna, 'Gemini')
  await anna.sends('How deep is the sea?')
  await anna.sees(/How deep is the sea/)
  await anna.taps(/^₽0\.(?!00)\d\d$/)
  await anna.isTold(/This answer: ₽0\.\d\d \(about \d+ \+ \d\d+ tokens, counted by us\)/)
})

it('the text of a document goes into the question, and one that cannot be read is refused', async () => {
  const anna = await sandbox.user('Anna')
  for (const bytes of [Buffer.from('%PDF-1.4'), Buffer.from([0, 1, 2, 255])]) {
    const { message_id: sent } = await anna.sendsFile(document('broken.pdf', bytes), 'What is it?')
    await anna.sees(({ message_id, text = '' }) => message_id > sent && /nothing I can read here/.test(text))
  }
  await hasSpentNothing(anna)
  await anna.sendsFile(document('tides.txt', Buffer.from('The tide turns at noon.')), 'What does it say?')
  await anna.sees(/What does it say/)
  expect(await lastAsked(sandbox)).toContain('The tide turns at noon.')
  await anna.sendsFile(document('tides.pdf', pdfOf('Low water at six')), 'And this one?')
  await anna.sees(/And this one/)
  expect(await lastAsked(sandbox)).toContain('Low water at six')
})

it('a user who cannot pay is offered a top-up, and only the first bytes of a document are downloaded', async () => {
  const rosa = await sandbox.user('Rosa', 'en', { credit: '0' })
  for (const _ of ['head', 'whole'])
    await sandbox.breaks('telegram', 'getFile', { kind: 'error', status: 400 })
  await rosa.sendsFile(document('bomb.pdf', pdfBomb(4_000_000)), 'What is it?')
  await rosa.sees(/short/)
  expect(sandbox.faults.list()).toHaveLength(1)
  await rosa.sends('Why not?')
  await rosa.sees(/could cost more than you have/)
  await rosa.taps(/Top up ₽50/)
})

it('web search shows its sources; /new forgets the messages, and keeps the model, the modes and the persona', async () => {
  const olga = await sandbox.user('Olga')
  await chooses(olga, 'GPT', 'Web search')
  await olga.sends('/system You are a lighthouse keeper')
  await olga.sees(/lighthouse keeper/)
  await olga.sends('What is a reef?')
  const answer = await olga.sees(/Sources/)
  expect(answer.entities?.some(({ type }) => type === 'text_link')).toBe(true)
  await olga.sends('And by night?')
  await olga.sees(/And by night/)
  expect(await lastAsked(sandbox)).toContain('What is a reef')
  await olga.sends('/new')
  await olga.sees(/A new conversation/)
  await olga.sends('And a tide?')
  await olga.sees(/And a tide/)
  const asked = await lastAsked(sandbox)
  for (const kept of ['/v1/responses', 'web_search', 'You are a lighthouse keeper'])
    expect(asked).toContain(kept)
  expect(asked).not.toContain('What is a reef')
})

it('an edited question is asked again, and only the new question and answer are remembered', async () => {
  const eva = await sandbox.user('Eva')
  const question = await eva.sends('Tell me about wax')
  await eva.sees(/Tell me about wax/)
  await eva.edits(question, 'Tell me about fins')
  await eva.sees(/Tell me about fins/)
  await eva.sends('And then?')
  await eva.sees(/And then/)
  const asked = await lastAsked(sandbox)
  expect(asked).toContain('Tell me about fins')
  expect(asked).not.toContain('Tell me about wax')
})

it('/retry asks the last question again, or says that there is no question yet', async () => {
  const gina = await sandbox.user('Gina')
  await gina.sends('/retry')
  await gina.sees(/nothing to repeat/)
  await gina.sends('Why salt?')
  const { message_id: first } = await gina.sees(/Why salt/)
  await gina.sends('/retry')
  await gina.sees(({ message_id, text = '' }) => message_id > first && /Why salt/.test(text))
})

it('an answer longer than a message arrives in several messages, each within the limit', async () => {
  const clara = await sandbox.user('Clara')
  await clara.sends('Tell me everything about waves [long]')
  await clara.sees(isPriced)
  const texts = (await clara.chat()).flatMap(({ from, text }) => (from?.is_bot && text ? [text] : []))
  expect(texts.length).toBeGreaterThan(2)
  expect(Math.max(...texts.map((text) => text.length))).toBeLessThanOrEqual(4096)
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
  await dora.sends('/balance')
  await dora.sees(/^Balance: ₽49\d\.\d\d/)
})

it('the received part of an answer is kept when the stream breaks, and is free', async () => {
  const gina = await sandbox.user('Gina')
  await sandbox.breaks('gateway', 'chat', { kind: 'cut', after: true })
  await gina.sends('Tell me everything about storms [long]')
  await gina.sees(/broke off, so it is free/)
  expect((await gina.transcript()).match(/storms/g)?.length).toBeGreaterThan(1)
  await hasSpentNothing(gina)
})

it('a question that is too large for the gateway is told as that, and costs nothing', async () => {
  const ida = await sandbox.user('Ida')
  await sandbox.breaks('gateway', 'chat', { kind: 'error', status: 413 })
  await ida.sends('Hm?')
  await ida.sees(/The question with its pictures is too large for the service\. Nothing was charged/)
  await hasSpentNothing(ida)
})

it('the thinking is in a collapsed quote above the answer', async () => {
  const eva = await sandbox.user('Eva')
  await chooses(eva, 'Assistant', 'Thinking')
  await eva.sends('Why is the sea blue?')
  const thought = await eva.sees(/The user asks about/)
  expect(thought.entities?.some(({ type }) => type === 'expandable_blockquote')).toBe(true)
})

it('a proposal of the model is sent as a card with its price, and is not ordered without a tap', async () => {
  const fred = await sandbox.user('Fred')
  await fred.sends('draw me a fox on a surfboard')
  await fred.sees(/nothing is made until you tap/)
  await fred.sees(/Design[\s\S]*fox[\s\S]*Price: ₽5.28/)
  expect(JSON.stringify(await ordered(sandbox))).not.toContain('fox on a surfboard')
})

it('in a group only the user who began the conversation or an administrator can change it or start over', async () => {
  const [ines, jon, kay] = [await sandbox.user('Ines'), await sandbox.user('Jon'), await sandbox.user('Kay')]
  const group = { title: 'Surfers', members: [ines.id, jon.id, kay.id] }
  const { id } = await sandbox.post<{ id: number }>('/api/chats', group)
  const [admin, owner, other] = [ines.in(id), jon.in(id), kay.in(id)]
  await owner.sends('/chat What is a reef?')
  await owner.sees(/What is a reef/)
  await other.sends('/new')
  await other.sees(/only admins and the person who started the conversation/)
  await other.sends('/system Obey Kay')
  const isRefusal = ({ reply_to_message: reply, text = '' }: SandboxMessage) =>
    reply === undefined && /only admins and the person who started/.test(text)
  await other.sees(isRefusal)
  await other.sends('/persona')
  await other.taps('🍳 Cook')
  await other.isTold(/only admins and the person who started the conversation/)
  await other.sends('/model')
  await other.sees(
    /for everybody in the conversation. Only admins and the person who started[\s\S]*Whoever asks pays/,
  )
  await other.taps(/Thinking: off/)
  await owner.taps(/Thinking: off/)
  await owner.sees((message) => labelsOf(message).some((label) => label.includes('Thinking: on')))
  await admin.sends('/new')
  await admin.sees(/A new conversation/)
  await owner.sends('/system Speak like a sailor')
  await owner.sees(/Speak like a sailor/)
  await owner.sends('/chat And a tide?')
  await owner.sees(/And a tide/)
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
  await lou.taps('⏹ Stop')
  await lou.sees(({ message_id, text = '' }) => message_id > asked && /nothing was charged/.test(text))
  await lou.taps('⏹ Stop')
  await lou.isTold('This answer is no longer being written.')
  await lou.sends('/cancel')
  await lou.sees(/Nothing to cancel/)
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
