// The buttons below a result offers only orders that accept its file: a file that the user sent would be refused for the same reason.

import { eq } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { z } from 'zod'
import type { FileFacts } from '../../src/catalog/field.ts'
import { artifacts } from '../../src/db/schema.ts'
import { order } from '../support/users/order.ts'
import { ordered } from '../support/users/pictures.ts'
import { sharedSandbox } from '../support/users/sandbox.ts'
import { labelsOf, type SandboxUser } from '../support/users/user.ts'

const sandbox = await sharedSandbox({ credit: '2000' })

const resultMs = 60_000
const voiced = z.object({
  inputs: z.object({ audio: z.url() }),
  settings: z.object({ audio: z.boolean() }),
})
const extend = '⏩ Continue as a new video'
const withSound = '🎬 Video with this voice'
const animate = '🎬 Animate'

/** Opens the further buttons of the last result, and goes back. @returns the labels of both pages */
async function offersOf(user: SandboxUser): Promise<string> {
  await user.taps('⋯ More', resultMs)
  const more = await user.sees((message) => labelsOf(message).includes('‹ Back'))
  await user.taps('‹ Back')
  const first = await user.sees((message) => labelsOf(message).includes('⋯ More'))
  return [...labelsOf(first), ...labelsOf(more)].join()
}

const setFacts = async (id: string, facts: FileFacts | null) =>
  void (await sandbox.app.db.update(artifacts).set({ facts }).where(eq(artifacts.generationId, id)))

it('a video with enough pixels is extended', async () => {
  const anna = await sandbox.user('Anna')
  await order(sandbox, anna, '/video a cat')
  await anna.taps(/^⏩ Continue as a new video · ₽/, resultMs)
  await anna.sends('and then it sleeps')
  await anna.sees(/and then it sleeps[\s\S]*Continue a video: 🎬/)
  await anna.taps(/^Generate/)
  await anna.sees(({ caption }) => caption?.includes('and then it sleeps') === true, resultMs)
  const video = { type: 'extend', tag: '@video', video: expect.stringMatching(/\/app\/files\/.*\.mp4$/) }
  expect((await ordered(sandbox)).at(-1)).toMatchObject({ inputs: { referenceVideos: [video] } })
})

it('no button below a video that bots cannot download extends it', async () => {
  const clara = await sandbox.user('Clara')
  const id = await order(sandbox, clara, '/video a whale')
  const most = { mime: 'video/mp4', width: 1920, height: 1080, bytes: 20 * 1024 * 1024 }
  await setFacts(id, { ...most, bytes: most.bytes + 1 })
  expect(await offersOf(clara)).not.toContain(extend)
  await setFacts(id, most)
  expect(await offersOf(clara)).toContain(extend)
})

it('the sound of a song is used by the model that takes long sounds', async () => {
  const dina = await sandbox.user('Dina')
  await order(sandbox, dina, '/music a song about the sea')
  await dina.taps('1', resultMs)
  await dina.taps(withSound)
  await dina.sends('a singing cat')
  await dina.sees(/^🎬 Video · Wan[\s\S]*Your own sound: 🎵/)
})

it('short speech is the voice of a video with sound, and its link has the type of its bytes', async () => {
  const fred = await sandbox.user('Fred')
  await order(sandbox, fred, '/speech Good morning')
  await fred.seesButton(/^🗣 Talking picture · ₽/, resultMs)
  await fred.taps('⋯ More')
  await fred.taps(withSound)
  await fred.sends('a talking cat')
  const card = await fred.sees(/Prompt: a talking cat[\s\S]*Voice: 🎵/)
  expect(labelsOf(card)).toContain('Sound: on')
  await fred.taps(/^Generate/)
  await fred.sees(({ video }) => video !== undefined, resultMs)
  const { inputs, settings } = voiced.parse((await ordered(sandbox)).at(-1))
  expect(settings).toEqual({ audio: true })
  const { audio } = inputs
  expect(audio).toMatch(/\/app\/files\/.*\.mp3$/)
  expect((await fetch(audio)).headers.get('content-type')).toBe('audio/mpeg')
})

it('a drawing in SVG is not animated', async () => {
  const gina = await sandbox.user('Gina')
  const body = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><path d="M0 0h9v9z"/></svg>'
  await sandbox.breaks('gateway', 'cdn', { kind: 'garbage', body })
  await order(sandbox, gina, '/image a logo')
  expect(await gina.sees(({ document }) => document !== undefined)).toMatchObject({
    document: { mime_type: 'image/svg+xml' },
  })
  const labels = await offersOf(gina)
  expect(labels).not.toContain(animate)
  expect(labels).not.toContain('🧊 Texture of a 3D model')
  expect(labels).toContain('🗣 A separate voice track')
})
