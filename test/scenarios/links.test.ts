// Files that users only name, by a typed link, a hidden link or an id of the gateway: what they are is read from their first bytes, and the
// gateway gets the address or the id as it is. Also installations that pass files on in another way: without a public address, or as links.

import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { clip, colored, makeWav, sine } from '../support/media/media-files.ts'
import { requestOf } from '../support/users/order.ts'
import { jpeg, song } from '../support/users/pictures.ts'
import { openSandbox, type TestSandbox } from '../support/users/sandbox.ts'
import { labelsOf, type SandboxUser } from '../support/users/user.ts'

const id = '6e6e0b5c-8f1f-4f0a-9a5e-0d2d7a1c2b3d'
const files: Record<string, Buffer> = {
  '/film.mp4': await clip('1920x1088.mp4'),
  '/phone.mp4': await clip('480x848.mp4'),
  '/cat.png': await colored(320, 240, [200, 30, 30]).png().toBuffer(),
  '/long.wav': makeWav(17, sine(300), { rate: 8000 }),
  '/page': Buffer.from('<!doctype html><title>My film</title>'),
}
/** The paths that were asked for, with the parts that were wanted. */
const asked: string[] = []
const server = createServer((req, res) => {
  const { pathname } = new URL(req.url ?? '/', 'http://files')
  asked.push(`${pathname} ${req.headers.range ?? 'whole'}`)
  const bytes = files[pathname]
  if (pathname === '/inside') return void res.writeHead(302, { location: 'http://10.0.0.1/film.mp4' }).end()
  res.writeHead(bytes ? 200 : 404).end(bytes)
})

let base = ''
let sandbox: TestSandbox
let unlinked: TestSandbox
beforeAll(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  base = `http://${host}`
  const env = { WELCOME_CREDIT: '2000', PRIVATE_LINK_HOSTS: host }
  sandbox = await openSandbox('postgres', { ...env, PICTURES_AS: 'links' })
  unlinked = await openSandbox('postgres', { ...env, PUBLIC_URL: '' })
})
afterAll(async () => {
  for (const one of [sandbox, unlinked]) expect(await one.get('/api/audit')).toMatchObject({ clean: true })
  await sandbox.stop()
  await unlinked.stop()
  server.closeAllConnections()
  server.close()
})

const hidden = (words: string, text: string, url: string) => ({
  text,
  entities: [{ type: 'text_link', url, offset: text.indexOf(words), length: words.length }],
})

/** Opens the question for a file of the video that is described. */
async function asksFor(user: SandboxUser, field: string, model?: RegExp): Promise<void> {
  if (model) {
    await user.tapsAll(/^🎛/, model)
  }
  await user.tapsAll('⚙️ More', `📎 ${field}`)
}

describe('a typed link', () => {
  it('becomes the reference of a video, larger than a bot can download, also in the next order', async () => {
    const anna = await sandbox.user('Anna')
    await anna.sends('/video a cat @film')
    await asksFor(anna, 'Reference video')
    await anna.sees(
      /Reference video[\s\S]*Send a video here, or a direct link[\s\S]*Over 20 MB, only as a link/,
    )
    await anna.asks(`@film ${base}/film.mp4?part=1`, /Reference video: 🎬 127\.0\.0\.1 @film/)
    const request = {
      positivePrompt: 'a cat @film',
      inputs: { referenceVideos: [{ type: 'reference', video: `${base}/film.mp4?part=1`, tag: '@film' }] },
    }
    expect(await requestOf(sandbox, anna)).toMatchObject(request)
    expect(await requestOf(sandbox, anna, /^🔁 Again/)).toMatchObject(request)
  })

  it('becomes the texture of a 3D model, where an id does not fit', async () => {
    const boris = await sandbox.user('Boris')
    await boris.sends('/model3d a cube')
    await asksFor(boris, 'Texture sample')
    await boris.asks(id, /A file ID won’t work here/)
    await boris.asks(`${base}/cat.png`, /Texture sample: 🖼 127\.0\.0\.1/)
    expect(await requestOf(sandbox, boris)).toMatchObject({ texture_image: `${base}/cat.png` })
  })

  it('that does not fit is refused with what to do', async () => {
    const inga = await sandbox.user('Inga')
    await inga.sends('/video a cat')
    await asksFor(inga, 'Reference video')
    const refusals: readonly (readonly [string, RegExp])[] = [
      [`${base}/phone.mp4`, /resolution is too low/],
      [`${base}/cat.png`, /I need a video here/],
      [`${base}/page`, /opens a page or another file/],
      [`${base}/missing.mp4`, /didn’t open/],
      [`${base}/inside`, /isn’t on the open internet/],
      ['http://192.168.0.1/film.mp4', /isn’t on the open internet/],
      ['https://api.telegram.org/file/bot1:A/film.mp4', /isn’t on the open internet/],
      [`${base}/film.mp4 ${base}/phone.mp4`, /Send one link per message/],
    ]
    for (const [words, why] of refusals) await inga.asks(words, why)
    await inga.sends('/video a cat')
    await asksFor(inga, 'References')
    await inga.asks(`${base}/long.wav`, /Too long: at most 15 seconds/)
    expect(asked).toContain('/long.wav bytes=0-262143')
  })
})

it('a hidden link becomes the frame that its words name', async () => {
  const dora = await sandbox.user('Dora')
  await dora.opens('/video a cat', '📎 Frames')
  await dora.sendsContent(hidden('this picture', 'last this picture', `${base}/cat.png`))
  await dora.taps('✅ That’s all')
  await dora.seesButton(/^Frames: 🖼 127.0.0.1/)
  const request = await requestOf(sandbox, dora)
  expect(request).toMatchObject({ inputs: { frameImages: [{ frame: 'last', image: expect.any(String) }] } })
  expect(JSON.stringify(request)).toContain(`${base}/cat.png`)
})

it('an id of the gateway becomes the sound of a video, or the picture and the voice of a character', async () => {
  const eva = await sandbox.user('Eva')
  await eva.sends('/video a cat')
  await asksFor(eva, 'Your own sound', /^Wan/)
  await eva.asks(id.toUpperCase(), /Your own sound: 🎵 6e6e0b5c/)
  expect(await requestOf(sandbox, eva)).toMatchObject({ inputs: { audio: id } })
  const fred = await sandbox.user('Fred')
  await fred.sends('/video @cat sings')
  await asksFor(fred, 'References')
  await fred.asks(`@cat ${id}`, /1 of/)
  await fred.asks(`@cat voice ${id}`, /2 of/)
  await fred.tapsFor('✅ That’s all', /References: 🖼 6e6e0b5c\S* @cat, 🎵 6e6e0b5c\S* @cat/)
  const character = { type: 'image', images: [id], tag: '@cat', audio: id }
  expect(await requestOf(sandbox, fred)).toMatchObject({ inputs: { referenceImages: [character] } })
})

describe('without a public address', () => {
  it('a link is taken where a file cannot be passed on', async () => {
    const ivan = await unlinked.user('Ivan')
    await ivan.opens('/video a cat', /^🎛/, /^Dream/, '📎 First frame')
    await ivan.attaches(await jpeg(), '', /can’t pass the file itself on[\s\S]*send me a direct link/)
    await ivan.sends(`${base}/cat.png`)
    await ivan.seesButton('First frame: 🖼 127.0.0.1')
    const keyframes = { frame0: { type: 'image', url: `${base}/cat.png` } }
    expect(await requestOf(unlinked, ivan)).toMatchObject({ keyframes })
  })

  it('pictures that are too large together are refused before money is held, and the card names the limit', async () => {
    const dora = await unlinked.user('Dora')
    await dora.opens('/video a cat', '📎 Frames')
    const { bytes: start } = await jpeg()
    const bytes = Buffer.concat([start, Buffer.alloc(7 * 1024 * 1024)])
    for (const name of ['1.jpg', '2.jpg', '3.jpg']) await dora.sendsFile({ kind: 'document', name, bytes })
    await dora.sees(/Got it: 3/)
    const card = await dora.tapsFor(
      '✅ That’s all',
      /The pictures are 22 MB together, and one order takes 20 MB/,
    )
    expect(labelsOf(card).join()).not.toContain('Generate')
  })

  it('a character with a voice, which needs a link, cannot be ordered, and music is not offered', async () => {
    const clara = await unlinked.user('Clara')
    await clara.sends('/video @cat sings')
    await asksFor(clara, 'References')
    await clara.sendsFile(await jpeg(), '@cat')
    await clara.attaches(await song(), '@cat', /Got it: 2/)
    const card = await clara.tapsFor('✅ That’s all', /One of the files can’t be passed/)
    expect(labelsOf(card).join()).not.toContain('Generate')
    await clara.asks('/music a song about the sea', /don’t know this command/)
    expect((await clara.asks('/help', /How it works/)).text).not.toContain('/music')
  })
})
