// Talking pictures: one card and one price for a voice and the video that follows it. Also what a photo or a video that is sent becomes by
// words.

import { and, eq } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { accounts, users } from '../../src/db/schema.ts'
import { requestOf } from '../support/users/order.ts'
import { film, jpeg, ordered, song } from '../support/users/pictures.ts'
import { sharedSandbox } from '../support/users/sandbox.ts'
import { labelsOf, type SandboxUser } from '../support/users/user.ts'

const sandbox = await sharedSandbox({ credit: '100' })

const balanceOf = async (user: SandboxUser) => {
  const [row] = await sandbox.app.db
    .select({ available: accounts.available, held: accounts.held })
    .from(accounts)
    .innerJoin(users, eq(users.id, accounts.ownerId))
    .where(and(eq(accounts.kind, 'user'), eq(users.telegramId, user.id)))
  return row
}
const total = /^Generate · ₽(\d+)\.(\d\d)$/

it('a picture says its caption: one price for the voice and the video, and the video follows the voice', async () => {
  const clara = await sandbox.newcomer('Clara', 'en', { credit: '300' })
  await clara.sendsFile(await jpeg(), 'Good morning to all of you, it is a fine day')
  await clara.sees(/sings, 5 s ≈ ₽99\.05/)
  await clara.taps('🗣 Make it talk')
  const card = await clara.sees(
    /Wan[\s\S]*Your own sound: 🎵 “Good morning to all[\s\S]*\(video ₽\d+\.\d\d \+ voice ₽0\.\d\d\)/,
  )
  const [, roubles, kopecks] = labelsOf(card).flatMap((label) => total.exec(label) ?? [])
  await Promise.all([clara.taps(total), clara.taps(total)])
  await clara.sees(/First I record the voice/)
  await clara.sees((message) => message.audio !== undefined || message.voice !== undefined)
  await clara.sees((message) => message.video !== undefined)
  await expect
    .poll(() => balanceOf(clara))
    .toEqual({ available: 30_000n - BigInt(`${roubles}${kopecks}`), held: 0n })
  const [video] = (await ordered(sandbox, /videos/)).slice(-1)
  expect(video).toMatchObject({ duration: 5, inputs: { audio: expect.stringMatching(/^http.*\/files\//) } })
})

it('without the voice there is no video, and nothing is charged; “Again” names the price of both and voices the words anew', async () => {
  const boris = await sandbox.user('Boris', 'en', { credit: '300' })
  await boris.sendsFile(await jpeg())
  await boris.taps('🗣 Make it talk')
  await boris.sees(/write what to say/)
  await boris.sends('Hello')
  const [price = ''] = labelsOf(await boris.sees(/video ₽/)).filter((label) => total.test(label))
  await sandbox.breaks('gateway', 'create', { kind: 'task', status: 'failed', error: 'no voice today' })
  await boris.taps(total)
  await boris.sees(/couldn’t be voiced, so the video wasn’t made/)
  await expect.poll(() => balanceOf(boris)).toEqual({ available: 30_000n, held: 0n })
  await boris.tapsFor(price.replace('Generate', '🔁 Again'), (message) => message.video !== undefined)
  const [, roubles, kopecks] = total.exec(price) ?? []
  const left = 30_000n - BigInt(`${roubles}${kopecks}`)
  await expect.poll(() => balanceOf(boris)).toEqual({ available: left, held: 0n })
})

it('a song makes a picture sing', async () => {
  const diana = await sandbox.user('Diana', 'en', { credit: '300' })
  await diana.sendsFile(await song())
  await diana.taps(/^🗣 Talking picture/)
  await diana.sees(/Frames/)
  await diana.sendsFile(await jpeg())
  await diana.tapsFor('✅ That’s all', /Wan/)
  expect(await requestOf(sandbox, diana, total)).toMatchObject({ inputs: { audio: expect.any(String) } })
})

it('something like a picture: a text model describes it, and the description is the prompt of a picture card', async () => {
  const fiona = await sandbox.newcomer('Fiona')
  await fiona.sendsFile(await jpeg(), 'The same in snow')
  await fiona.taps(/^🖼 Something like it · ≈ ₽\d/)
  const card = await fiona.sees(
    /Picture · [\s\S]*Prompt: The same in snow: a plain coloured ground[\s\S]*Done, ₽\d+\.\d\d charged/,
  )
  expect(JSON.stringify((await ordered(sandbox, /completions$|messages$/)).at(-1))).toMatch(/image/)
  expect(labelsOf(card)).toContain('Generate · ₽5.28')
})

it('a video is changed by words: it is the reference of the next one', async () => {
  const vera = await sandbox.newcomer('Vera')
  await vera.sendsFile(await film(), 'make it night')
  await vera.taps(/^🎬 Change it by words · ₽/)
  await vera.sees(/Prompt: make it night\nSample videos: 🎬/)
})
