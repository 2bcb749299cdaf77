// The steps of a user to a result: the whole chat of a dozen journeys, with the number of taps and messages of each. A change of the
// screens changes the files in `journeys`: review the difference, then run `npm run vitest -- run test/scenarios/journeys -u`.

import { and, eq } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { generations } from '../../src/db/schema.ts'
import { jpeg } from '../support/users/pictures.ts'
import { sharedSandbox } from '../support/users/sandbox.ts'
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
