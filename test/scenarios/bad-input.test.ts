// Invalid input, accidental or malicious, and failures of other services: the user gets a clear message, no money moves and no draft is lost.

import { eq } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { generations, salesStops } from '../../src/db/schema.ts'
import { loggingTo } from '../support/runtime/log.ts'
import { openReceipt } from '../support/users/order.ts'
import { openSandbox, sharedSandbox } from '../support/users/sandbox.ts'
import { labelsOf, type SandboxMessage, type SandboxUser } from '../support/users/user.ts'

const sandbox = await sharedSandbox()

const isVideo = (message: SandboxMessage) => message.video !== undefined
const card = (user: SandboxUser) =>
  user.sees((message) => labelsOf(message).some((label) => label.startsWith('Generate')))
const dataOf = (message: SandboxMessage, label: RegExp) =>
  message.reply_markup?.inline_keyboard?.flat().find(({ text }) => label.test(text))?.callback_data ?? ''
const charged = async () => (await sandbox.get<{ charged: number }>('/api/gateway/account')).charged

async function hasBalance(user: SandboxUser, amount: string): Promise<void> {
  const { message_id: asked } = await user.sends('/balance')
  const shown = await user.sees(({ message_id, text = '' }) => message_id > asked && /^Balance/.test(text))
  expect(shown.text).toMatch(new RegExp(`${amount}(?![\\d.,])`))
}

async function orders(user: SandboxUser): Promise<void> {
  await user.sends('/video a cat')
  await user.taps(/^Generate/)
}

it('a prompt that is too long or no text is refused and asked for again, and a text file may hold a long one', async () => {
  const anna = await sandbox.user('Anna')
  const file = (length: number) => Buffer.from('к'.repeat(length))
  const sends = (name: string, bytes: Buffer) => anna.sendsFile({ kind: 'document', name, bytes })
  await anna.sends('/video')
  await anna.sees(/Prompt/)
  await sends('cat.bin', Buffer.from([0, 1, 2, 255]))
  await anna.sees(/I need text/)
  await sends('prompt.txt', file(5121))
  await anna.sees(/Too long: 5,121 characters, the limit is 5,120/)
  await sends('prompt.txt', file(5120))
  expect((await card(anna)).text).toMatch(/Prompt: к{700}…/)
})

it('a prompt with HTML in it is shown as plain text', async () => {
  const boris = await sandbox.user('Boris')
  await boris.sends('/video <b>bold</b> & <script>')
  expect((await card(boris)).text).toContain('<b>bold</b> & <script>')
})

it('a forged button sets nothing that the card does not offer', async () => {
  const clara = await sandbox.user('Clara')
  await clara.sends('/video a cat')
  const shown = await card(clara)
  const [, draft] = dataOf(shown, /Duration/).split(':')
  const forged = ['webhookURL:http://evil', 'safety.mode:full', 'duration:99', 'size:1x1', '__proto__:x']
  for (const [at, set] of forged.entries()) {
    await clara.tapsData(shown.message_id, `c:${draft}:s:${set}`)
    await expect.poll(() => clara.answers()).toHaveLength(at + 1)
  }
  for (const { text } of await clara.answers()) expect(text).toMatch(/no longer available/)
  expect((await card(clara)).text).toBe(shown.text)
})

it('two taps on Generate order and hold once', async () => {
  const dora = await sandbox.user('Dora')
  await dora.sends('/video a cat')
  const shown = await card(dora)
  const data = dataOf(shown, /Generate/)
  await Promise.all([dora.tapsData(shown.message_id, data), dora.tapsData(shown.message_id, data)])
  await dora.isTold('Already in progress')
  await dora.sees(isVideo)
  await hasBalance(dora, '₽407.55')
})

it('while the gateway has no money for us, an order fails and its money is released', async () => {
  const eva = await sandbox.user('Eva')
  await sandbox.breaks('gateway', 'create', { kind: 'error', status: 402 })
  await orders(eva)
  await eva.sees(/paused for a few minutes/)
  await hasBalance(eva, '₽500')
  await sandbox.app.db.delete(salesStops)
})

it('an order is delivered and charged once, although the gateway fails at each step', async () => {
  const fred = await sandbox.user('Fred')
  const before = await charged()
  await sandbox.breaks('gateway', 'create', { kind: 'error', status: 503 })
  await sandbox.breaks('gateway', 'poll', { kind: 'garbage' })
  await sandbox.breaks('gateway', 'callback', { kind: 'cut' })
  await sandbox.breaks('gateway', 'callback', { kind: 'twice' })
  await sandbox.breaks('gateway', 'cdn', { kind: 'garbage' })
  await orders(fred)
  await fred.sees(isVideo)
  await fred.sees(/✅ Done/)
  await hasBalance(fred, '₽407.55')
  expect((await charged()) - before).toBe(92_45)
})

it('a submit whose answer was lost is not repeated: the callback reveals the task', async () => {
  const gina = await sandbox.user('Gina')
  await sandbox.breaks('gateway', 'create', { kind: 'cut', after: true })
  const before = await charged()
  await orders(gina)
  await gina.sees(isVideo)
  expect((await charged()) - before).toBe(92_45)
  await hasBalance(gina, '₽407.55')
})

it('a user who blocks the bot while an order runs is charged once, and finds the result in /history afterwards', async () => {
  const hugo = await sandbox.user('Hugo')
  const before = await charged()
  await sandbox.breaks('gateway', 'create', { kind: 'task', status: 'stuck' })
  await orders(hugo)
  await hugo.sees(/In the queue|Drawing|Filming/)
  await hugo.blocks()
  await sandbox.post('/api/gateway/release', {})
  const ordered = async () =>
    (await sandbox.app.db.select().from(generations).where(eq(generations.chatId, hugo.id)))[0]
  await expect.poll(ordered).toMatchObject({ delivery: 'undeliverable', captured: 92_45n })
  await hugo.blocks(false)
  expect((await hugo.chat()).some(isVideo)).toBe(false)
  expect((await openReceipt(hugo)).text).toMatch(/₽92.45/)
  await hugo.taps(/Send again/)
  await hugo.sees(isVideo)
  await hasBalance(hugo, '₽407.55')
  expect((await charged()) - before).toBe(92_45)
})

it('a command from a chat or topic that accepts no messages is not logged as an error', async () => {
  const log = loggingTo()
  const own = await openSandbox('postgres', {}, 160, log)
  const ivan = await own.user('Ivan')
  const refusals = [{ status: 403 }, { status: 400, description: 'Bad Request: message thread not found' }]
  for (const [at, refusal] of refusals.entries()) {
    await own.breaks('telegram', 'sendMessage', { kind: 'error', ...refusal })
    await ivan.sends('/balance')
    const noted = () => log.said('not answered: the chat or its topic takes no messages')
    await expect.poll(noted).toHaveLength(at + 1)
  }
  expect(log.lines.filter(({ level }) => level === 'error')).toEqual([])
  await own.stop()
})
