// The steps of a user to a result: the whole chat of a dozen journeys, with the number of taps and messages of each. A change of the
// screens changes the files in `journeys`: review the difference, then run `npm run vitest -- run test/scenarios/journeys -u`.
// And one journey on the embedded database.

import { and, eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { generations } from '../../src/db/schema.ts'
import { jpeg } from '../support/users/pictures.ts'
import { openSandbox, sharedSandbox, type TestSandbox } from '../support/users/sandbox.ts'
import { type SandboxMessage, type SandboxUser, transcript } from '../support/users/user.ts'

const sandbox = await sharedSandbox()

type Journey = (user: SandboxUser) => Promise<unknown>

const has =
  (kind: 'photo' | 'video' | 'voice' | 'audio' | 'document') =>
  (message: SandboxMessage): boolean =>
    message.from?.is_bot === true && message[kind] !== undefined

/** Taps Generate on the open card and waits for the result. */
async function generates(user: SandboxUser, kind: Parameters<typeof has>[0]): Promise<void> {
  await user.tapsFor(/^Generate/, has(kind))
}
async function orders(user: SandboxUser, command: string, kind: Parameters<typeof has>[0]): Promise<void> {
  await user.sends(command)
  await generates(user, kind)
}
const fox = '/image a fox, watercolour'

const journeys: readonly (readonly [string, Journey])[] = [
  [
    'a first picture, by the example of the greeting',
    async (user) => {
      await user.opens('/start', /^▶️/)
      await user.sees(has('photo'))
    },
  ],
  ['a picture by a command', (user) => orders(user, fox, 'photo')],
  [
    'a video of ten seconds',
    async (user) => {
      await user.opens('/video a cat surfing', /^Duration/, '10 s')
      await generates(user, 'video')
    },
  ],
  [
    'a video step by step',
    async (user) => {
      await user.opens('/video a cat surfing', '⚙️ More', '🪜 Step by step', '✅ Enough, show the price')
      await generates(user, 'video')
    },
  ],
  [
    'a video of an example',
    async (user) => {
      await user.opens('/video', '👆 Use this')
      await generates(user, 'video')
    },
  ],
  ['a voice message', (user) => orders(user, '/speech Good morning!', 'voice')],
  ['a dialogue', (user) => orders(user, '/dialogue Anna: hello\nBob: bye', 'voice')],
  ['a song', (user) => orders(user, '/music a song about the sea', 'audio')],
  [
    'a song with own lyrics',
    async (user) => {
      await user.opens(`/music The sea is calm tonight,\n${'la la la '.repeat(60).trim()}`, 'Lullaby')
      await generates(user, 'audio')
    },
  ],
  [
    'a photo that is animated',
    async (user) => {
      await user.sendsFile(await jpeg())
      await user.taps(/^🎬/)
      await user.sends('it smiles')
      await generates(user, 'video')
    },
  ],
  [
    'the same picture again',
    async (user) => {
      await orders(user, fox, 'photo')
      await user.tapsAll(/^⋯/, /^🔁 Again/)
      await expect.poll(async () => (await user.chat()).filter(has('photo'))).toHaveLength(2)
    },
  ],
  [
    'a video from a picture',
    async (user) => {
      await orders(user, fox, 'photo')
      await user.taps(/^🎬 Animate/)
      await user.sends('the fox turns its head')
      await generates(user, 'video')
    },
  ],
  [
    'two videos when the balance is short',
    async (user) => {
      await user.opens(
        '/video a cat surfing',
        /^Duration/,
        '15 s',
        /^⚙️/,
        /^How many/,
        '2',
        /^💳 Top up/,
        /Stars/,
      )
      await user.pays(await user.sees(({ invoice }) => invoice !== undefined))
      await generates(user, 'video')
    },
  ],
  [
    'a top-up',
    async (user) => {
      await user.opens('/topup 500', '💳 Card')
      await user.pays(await user.sees(({ invoice }) => invoice !== undefined))
      await user.sees(/added/)
      await expect.poll(async () => (await user.chat()).filter(({ invoice }) => invoice)).toEqual([])
      await expect.poll(() => user.transcript()).not.toContain('How would you like to pay')
    },
  ],
  [
    'an order that fails',
    async (user) => {
      await sandbox.breaks('gateway', 'create', { kind: 'error', status: 400, description: 'no cats today' })
      await user.opens('/image a cat', /^Generate/)
      await user.sees(/no cats today/)
    },
  ],
]

/** Orders whose delivery is not finished. */
const unsettled = ({ id }: SandboxUser) =>
  sandbox.app.db
    .select()
    .from(generations)
    .where(and(eq(generations.chatId, id), eq(generations.delivery, 'pending')))

/** Replaces the parts of a transcript that differ from run to run. */
const steady = (text: string): string =>
  text.replace(/\b\d+:\d\d\b/g, '0:00').replace(/(\.mp4|\.glb|files)\S*/g, '$1')

it.each(journeys)('%s', async (name, journey) => {
  const user = await sandbox.user('Anna')
  await journey(user)
  await expect.poll(() => unsettled(user)).toEqual([])
  // The status above a result is updated after the result has arrived.
  await expect.poll(() => user.transcript()).not.toMatch(/In the queue|Drawing|Filming/)
  const chat = await user.chat()
  const messages = chat.filter(({ from }) => from?.is_bot).length
  const summary = `taps: ${(await user.answers()).length}, messages of the bot: ${messages}`
  await expect(`${summary}\n\n${steady(transcript(chat))}\n`).toMatchFileSnapshot(
    `journeys/${name.replaceAll(/\W+/g, '-')}.txt`,
  )
})

interface Recent {
  update: { update_id: number; message?: { from?: { id: number }; successful_payment?: object } }
}

describe('on the embedded database', () => {
  let sandbox: TestSandbox
  beforeAll(async () => {
    sandbox = await openSandbox('pglite')
  })
  afterAll(async () => {
    expect(await sandbox.get('/api/audit')).toMatchObject({ clean: true, findings: [] })
    await sandbox.stop()
  })

  const charged = async () => (await sandbox.get<{ charged: number }>('/api/gateway/account')).charged
  const balanceIs = async (user: SandboxUser, amount: string) => expect(await user.balance()).toBe(amount)

  it('a card shows the exact price, a video is charged at it, and an order that fails or is cancelled costs nothing', async () => {
    const boris = await sandbox.user('Boris')
    await boris.asks('/start', /Hello, Boris![\s\S]*A gift for you: \D?500/)
    await boris.asks(
      '/video a cat surfing',
      /Prompt: a cat surfing[\s\S]*Price: ₽92.45 \(5 s × ₽18.49\)[\s\S]*Balance: ₽500/,
    )
    const result = await boris.tapsFor('Generate · ₽92.45', (message) => message.video !== undefined)
    expect(result.video).toMatchObject({ width: 1920, height: 1088, duration: 5, mime_type: 'video/mp4' })
    await boris.sees(/Done in \d:\d\d · ₽92.45 charged/)
    await balanceIs(boris, '₽407.55')
    await sandbox.breaks('gateway', 'create', { kind: 'task', status: 'failed', error: 'no <cats> today' })
    await boris.tapsFor(
      [/^⋯/, '🔁 Again · ₽92.45'],
      /Something went wrong\.[\s\S]*no <cats> today[\s\S]*₽92.45 is back on your balance/,
    )
    await balanceIs(boris, '₽407.55')
    await sandbox.breaks('gateway', 'create', { kind: 'task', status: 'canceled' })
    await boris.opens('/video a dog', 'Generate · ₽92.45')
    await boris.sees(/cancelled on the model’s side/)
    await balanceIs(boris, '₽407.55')
    expect(await charged()).toBe(9245)
  })

  it('a payment that is reported twice is credited once, and its invoice cannot be paid again', async () => {
    const eva = await sandbox.user('Eva')
    await eva.sends('/topup 500')
    const invoice = await eva.tapsFor('💳 Card', (message) => message.invoice !== undefined)
    expect(invoice.invoice).toMatchObject({ currency: 'RUB', total_amount: 50000 })
    expect(await eva.pays(invoice)).toMatchObject({ ok: true })
    await eva.sees(/₽500 added\.\s+Balance: ₽1,000/)
    const updates = await sandbox.get<Recent[]>('/api/updates')
    const paid = updates.find(
      ({ update: { message } }) => message?.successful_payment && message.from?.id === eva.id,
    )
    await sandbox.post('/api/updates/redeliver', { update_id: paid?.update.update_id })
    await balanceIs(eva, '₽1,000')
    expect((await eva.transcript()).match(/₽500 added/g)).toHaveLength(1)
    const error = expect.stringContaining('already been paid')
    expect(await eva.pays(invoice)).toMatchObject({ ok: false, error })
  })
})
