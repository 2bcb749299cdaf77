// Answers of text models as the chat shows them: streaming, stopping, long answers, thinking, sources, tools, money.

import { expect, it } from 'vitest'
import { ordered } from '../support/users/pictures.ts'
import { sharedSandbox } from '../support/users/sandbox.ts'
import { labelsOf, type SandboxMessage } from '../support/users/user.ts'

const sandbox = await sharedSandbox()

const answers = (messages: readonly SandboxMessage[]) =>
  messages.filter((message) => message.from?.is_bot && message.text)

it('plain text is answered, with a button that explains the price', async () => {
  const anna = await sandbox.user('Anna')
  await anna.sends('How do I learn to surf?')
  const answer = await anna.sees(/learn to surf/)
  expect(answer.entities?.map(({ type }) => type)).toEqual(expect.arrayContaining(['bold', 'italic']))
  await anna.taps(/^₽0\.\d\d$/)
  await anna.isTold(/This answer: ₽0\.\d\d \(\d+ \+ \d+ tokens\)/)
})

it('the conversation contains earlier questions until /new', async () => {
  const boris = await sandbox.user('Борис', 'ru')
  await boris.sends('Что такое серфинг?')
  await boris.sees(/Что такое серфинг/)
  await boris.sends('А зимой?')
  await boris.sees(/сочетается с вашим прошлым вопросом: «Что такое серфинг/)
  await boris.sends('/new')
  await boris.sees(/Новый разговор/)
  await boris.sends('А летом?')
  const last = await boris.sees(/А летом/)
  expect(last.text).not.toContain('прошлым вопросом')
})

it('an answer longer than a message arrives in several messages, each within the limit', async () => {
  const clara = await sandbox.user('Clara')
  await clara.sends('Tell me everything about waves [long]')
  await clara.sees((message) => message.reply_markup !== undefined && message.from?.is_bot === true)
  const texts = answers(await clara.chat()).map(({ text = '' }) => text)
  expect(texts.length).toBeGreaterThan(2)
  expect(Math.max(...texts.map((text) => text.length))).toBeLessThanOrEqual(4096)
})

it('an answer is shown while it is written, and stops by the Stop button', async () => {
  const dora = await sandbox.user('Dora')
  await sandbox.breaks('gateway', 'chat', { kind: 'hang', ms: 60_000 })
  await dora.sends('Tell me everything about boards [long]')
  await dora.seesDraft(/boards/)
  await dora.stops()
  const answer = await dora.sees(
    (message) => message.reply_markup !== undefined && message.from?.is_bot === true,
  )
  expect(answer.text).toBe('⏹ Stopped. Charged: your question and what was written until then.')
  await dora.sees(/boards/)
  await dora.sends('/balance')
  await dora.sees(/^Balance: ₽49\d\.\d\d/)
})

it('a stopped Russian answer costs no more than the gateway charges for the whole answer', async () => {
  const boris = await sandbox.user('Борис', 'ru')
  const spent = async () => (await sandbox.get<{ charged: number }>('/api/gateway/account')).charged
  await sandbox.breaks('gateway', 'chat', { kind: 'hang', ms: 60_000 })
  const before = await spent()
  await boris.sends('/chat Расскажи о приливах и отливах на северных морях [long]')
  await boris.seesDraft(/прилив/)
  await boris.stops()
  const { reply_markup: keyboard } = await boris.sees(/Остановлено\. Списано/)
  const price = keyboard?.inline_keyboard?.flat().find(({ text }) => text.includes('₽'))?.text ?? ''
  const kopecks = Number(price.replaceAll(/\D/g, ''))
  expect(kopecks).toBeGreaterThan(0)
  expect(kopecks).toBeLessThanOrEqual((await spent()) - before)
})

it('the thinking is in a collapsed quote above the answer', async () => {
  const eva = await sandbox.user('Eva')
  await eva.sends('/chat')
  await eva.taps(/Thinking: off/)
  await eva.sees((message) => labelsOf(message).some((label) => label.includes('Thinking: on')))
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

it('the received part of an answer is kept when the stream breaks, and is free', async () => {
  const gina = await sandbox.user('Gina')
  await sandbox.breaks('gateway', 'chat', { kind: 'cut', after: true })
  await gina.sends('Tell me everything about storms [long]')
  await gina.sees(/broke off, so it is free/)
  expect((await gina.transcript()).match(/storms/g)?.length).toBeGreaterThan(1)
  await gina.sends('/balance')
  await gina.sees(/^Balance: ₽500.00/)
})

it("a refused question costs nothing, and the gateway's message is quoted in one line", async () => {
  const hugo = await sandbox.user('Hugo')
  const description = 'not like this.\n\n✅ Your money is back'
  await sandbox.breaks('gateway', 'chat', { kind: 'error', status: 400, description })
  await hugo.sends('Hm?')
  await hugo.sees(/charged; .*: \/model\nThe service said: “not like this\. ✅ Your money is back”$/)
  await hugo.sends('/balance')
  await hugo.sees(/^Balance: ₽500.00/)
})

it.each([
  ['en', /The question with its pictures is too large for the service\. Nothing was charged/],
  ['ru', /Вопрос с картинками слишком велик для сервиса\. Деньги не списаны/],
] as const)('a question that is too large for the gateway is told as that, in %s', async (language, told) => {
  const ida = await sandbox.user('Ida', language)
  await sandbox.breaks('gateway', 'chat', { kind: 'error', status: 413 })
  await ida.sends('Hm?')
  await ida.sees(told)
})

it("the refusal of a question has no quotation when the gateway's message is empty", async () => {
  const hans = await sandbox.user('Hans')
  await sandbox.breaks('gateway', 'chat', { kind: 'error', status: 400, description: ' ' })
  await hans.sends('Hm?')
  await hans.sees(/The model did not accept the question\. Nothing was charged; .*: \/model$/)
})

it('in a group the bot answers only when it is addressed, and names the payer', async () => {
  const ines = await sandbox.user('Ines')
  const { id } = await sandbox.post<{ id: number }>('/api/chats', { title: 'Surfers', members: [ines.id] })
  const there = ines.in(id)
  await there.sends('nobody asked you')
  await there.sends('@sandbox_generation_bot how are the waves?')
  await there.sees(/how are the waves/)
  await there.sees((message) => JSON.stringify(message.reply_markup ?? {}).includes('· Ines'))
  expect(answers(await there.chat()).every(({ text }) => !text?.includes('nobody asked'))).toBe(true)
})
