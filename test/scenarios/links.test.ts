// Files that users only name, by a typed link, a hidden link or an id of the gateway: what they are is read from their first bytes, and the
// gateway gets the address or the id as it is.

import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { clip, colored, makeWav, sine } from '../support/media/media-files.ts'
import { jpeg, ordered } from '../support/users/pictures.ts'
import { openSandbox, type TestSandbox } from '../support/users/sandbox.ts'
import type { SandboxUser } from '../support/users/user.ts'

const resultMs = 60_000
const id = '6e6e0b5c-8f1f-4f0a-9a5e-0d2d7a1c2b3d'

const files: Record<string, Buffer> = {
  '/film.mp4': await clip('1920x1088.mp4'),
  '/phone.mp4': await clip('480x848.mp4'),
  '/cat.png': await colored(320, 240, [200, 30, 30]).png().toBuffer(),
  '/long.wav': makeWav(17, sine(300), { rate: 8000 }),
  '/voice.wav': makeWav(3, sine(300), { rate: 8000 }),
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
  sandbox = await openSandbox('postgres', env)
  unlinked = await openSandbox('postgres', { ...env, PUBLIC_URL: '' })
})
afterAll(async () => {
  await sandbox.stop()
  await unlinked.stop()
  server.closeAllConnections()
  server.close()
})
afterEach(async () => {
  expect(await sandbox.get('/api/audit')).toMatchObject({ clean: true })
})

const lastOrder = async (at = sandbox) => (await ordered(at)).at(-1)
const hidden = (words: string, text: string, url: string) => ({
  text,
  entities: [{ type: 'text_link', url, offset: text.indexOf(words), length: words.length }],
})

/** Opens the question for a file of the video that is described. */
async function asksFor(user: SandboxUser, field: string, { model, more }: { model?: RegExp; more: string }) {
  if (model) {
    await user.taps(/^🎛/)
    await user.taps(model)
  }
  await user.taps(more)
  await user.taps(`📎 ${field}`)
}
const inEnglish = { more: '⚙️ More settings' }
const inRussian = { more: '⚙️ Ещё настройки' }

async function generates(user: SandboxUser, button: RegExp) {
  await user.taps(button)
  await user.sees((message) => message.video !== undefined, resultMs)
}

describe('a typed link', () => {
  it('becomes the reference of a video, larger than a bot can download', async () => {
    const anna = await sandbox.user('Anna')
    await anna.sends('/video a cat @film')
    await asksFor(anna, 'Reference video', inEnglish)
    await anna.sees(/Reference video[\s\S]*Send a video or a direct link[\s\S]*Above 20 MB only a link/)
    await anna.sends(`@film ${base}/film.mp4?part=1`)
    await anna.sees(/Reference video: 🎬 127\.0\.0\.1 @film/)
    await generates(anna, /^Generate · ₽92\.45/)
    expect(await lastOrder()).toMatchObject({
      positivePrompt: 'a cat @film',
      inputs: { referenceVideos: [{ type: 'reference', video: `${base}/film.mp4?part=1`, tag: '@film' }] },
    })
    // The same order again, with the same link.
    await anna.taps(/^🔁 Again/)
    await anna.sees(({ message_id, video }) => message_id > 0 && video !== undefined, resultMs)
    await expect.poll(async () => (await ordered(sandbox)).length, { timeout: resultMs }).toBe(2)
    expect(await lastOrder()).toMatchObject({
      inputs: { referenceVideos: [{ video: `${base}/film.mp4?part=1` }] },
    })
  })

  it('is asked for and shown in Russian as well', async () => {
    const vera = await sandbox.user('Вера', 'ru')
    await vera.sends('/video кот')
    await asksFor(vera, 'Видео-образец', inRussian)
    await vera.sees(/Пришлите в этот чат видео или прямую ссылку[\s\S]*только ссылкой/)
    await vera.sends(`${base}/film.mp4`)
    await vera.sees(/Видео-образец: 🎬 127\.0\.0\.1/)
    await generates(vera, /^Создать/)
    expect(await lastOrder()).toMatchObject({
      inputs: { referenceVideos: [{ type: 'reference', video: `${base}/film.mp4`, tag: '@video' }] },
    })
  })

  it('becomes the texture of a 3D model', async () => {
    const boris = await sandbox.user('Boris')
    await boris.sends('/model3d a cube')
    await asksFor(boris, 'Texture sample', inEnglish)
    await boris.sends(id)
    await boris.sees(/The id of a file does not fit here/)
    await boris.sends(`${base}/cat.png`)
    await boris.sees(/Texture sample: 🖼 127\.0\.0\.1/)
    await boris.taps(/^Generate/)
    await expect
      .poll(async () => (await lastOrder())?.texture_image, { timeout: resultMs })
      .toBe(`${base}/cat.png`)
  })

  it('is replaced by a file, removed, and kept when the model changes', async () => {
    const clara = await sandbox.user('Clara')
    await clara.sends('/video a cat')
    await clara.taps('📎 Frames')
    await clara.sends(`${base}/cat.png`)
    await clara.sees(/1 of 8/)
    await clara.taps('✅ That’s all')
    await clara.seesButton('Frames: 🖼 127.0.0.1')
    await clara.taps(/^🎛/)
    await clara.taps(/^Dream/)
    await clara.seesButton('First frame: 🖼 127.0.0.1')
    await generates(clara, /^Generate/)
    expect(await lastOrder()).toMatchObject({
      keyframes: { frame0: { type: 'image', url: `${base}/cat.png` } },
    })
  })
})

describe('a hidden link', () => {
  it.each([
    ['the words that hide it', 'last', ''],
    ['the words beside it', 'this picture', 'last '],
  ])('becomes the frame that is named by %s', async (_, words, before) => {
    const dora = await sandbox.user('Dora')
    await dora.sends('/video a cat')
    await dora.taps('📎 Frames')
    await dora.sendsContent(hidden(words, `${before}${words}`, `${base}/cat.png`))
    await dora.taps('✅ That’s all')
    await dora.seesButton('Frames: 🖼 127.0.0.1 last')
    await generates(dora, /^Generate/)
    expect(await lastOrder()).toMatchObject({
      inputs: { frameImages: [{ image: `${base}/cat.png`, frame: 'last' }] },
    })
  })

  it('becomes the first frame, whatever words hide it', async () => {
    const gleb = await sandbox.user('Глеб', 'ru')
    await gleb.sends('/video кот')
    await gleb.taps('📎 Кадры')
    await gleb.sendsContent(hidden('моя картинка', 'моя картинка', `${base}/cat.png`))
    await gleb.taps('✅ Это всё')
    await gleb.seesButton('Кадры: 🖼 127.0.0.1')
    await generates(gleb, /^Создать/)
    expect(await lastOrder()).toMatchObject({ inputs: { frameImages: [`${base}/cat.png`] } })
  })
})

describe('an id of the gateway', () => {
  it('becomes the sound of a video', async () => {
    const eva = await sandbox.user('Eva')
    await eva.sends('/video a cat')
    await asksFor(eva, 'Your own sound', { model: /^Wan/, ...inEnglish })
    await eva.sends(id.toUpperCase())
    await eva.sees(/Your own sound: 🎵 6e6e0b5c/)
    await generates(eva, /^Generate/)
    expect(await lastOrder()).toMatchObject({ inputs: { audio: id } })
  })

  it('becomes the picture or the voice of a character', async () => {
    const fred = await sandbox.user('Fred')
    await fred.sends('/video @cat sings')
    await asksFor(fred, 'References', inEnglish)
    await fred.sends(`@cat ${id}`)
    await fred.sees(/1 of/)
    await fred.sends(`@cat voice ${id}`)
    await fred.sees(/2 of/)
    await fred.taps('✅ That’s all')
    await fred.sees(/References: 🖼 6e6e0b5c\S* @cat, 🎵 6e6e0b5c\S* @cat/)
    await generates(fred, /^Generate/)
    expect(await lastOrder()).toMatchObject({
      inputs: { referenceImages: [{ type: 'image', images: [id], tag: '@cat', audio: id }] },
    })
  })
})

describe('a link that does not fit is refused with what to do', () => {
  const refusals: readonly [string, RegExp, RegExp][] = [
    ['/phone.mp4', /resolution is too low/, /Слишком низкое разрешение/],
    ['/cat.png', /I need a video here/, /Здесь нужно видео/],
    ['/page', /opens a page or another file/, /открывается страница или другой файл/],
    ['/missing.mp4', /did not open/, /не открылся/],
    ['/inside', /does not lead to the open internet/, /не в открытый интернет/],
  ]
  it.each(['en', 'ru'] as const)('in %s', async (language) => {
    const inga = await sandbox.user('Inga', language)
    await inga.sends('/video a cat')
    const isEnglish = language === 'en'
    await asksFor(inga, isEnglish ? 'Reference video' : 'Видео-образец', isEnglish ? inEnglish : inRussian)
    for (const [path, english, russian] of refusals) {
      await inga.sends(base + path)
      await inga.sees(isEnglish ? english : russian)
    }
    const closed = isEnglish ? /does not lead to the open internet/ : /не в открытый интернет/
    const others = ['http://192.168.0.1/film.mp4', 'https://api.telegram.org/file/bot1:A/film.mp4']
    for (const address of others) {
      const { message_id: sent } = await inga.sends(address)
      await inga.sees(({ message_id, text = '' }) => message_id > sent && closed.test(text))
    }
    await inga.sends(`${base}/film.mp4 ${base}/phone.mp4`)
    await inga.sees(isEnglish ? /Send one link in a message/ : /по одной ссылке/)
  })

  it('when a sound is too long', async () => {
    const hugo = await sandbox.user('Hugo')
    await hugo.sends('/video a cat')
    await asksFor(hugo, 'References', inEnglish)
    await hugo.sends(`${base}/long.wav`)
    await hugo.sees(/Too long: at most 15 seconds/)
    expect(asked).toContain('/long.wav bytes=0-262143')
  })
})

describe('an operator may say', () => {
  it('that pictures go as links, and a refusal for the size of a request is told as what it is', async () => {
    const linked = await openSandbox('postgres', { WELCOME_CREDIT: '2000', PICTURES_AS: 'links' })
    const julia = await linked.user('Julia')
    await julia.sendsFile(await jpeg(), '/video a cat')
    await julia.seesButton('Frames: 🖼')
    await generates(julia, /^Generate/)
    expect(await lastOrder(linked)).toMatchObject({
      inputs: { frameImages: [expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/app\/files\/.*\.jpg$/)] },
    })
    await linked.breaks('gateway', 'create', { kind: 'error', status: 413 }, 2)
    await julia.taps(/^🔁 Again/)
    await julia.sees(/too large for the service\. Send smaller pictures[\s\S]*₽92\.45 is back/)
    const kira = await linked.user('Кира', 'ru')
    await kira.sends('/video кот')
    await kira.taps(/^Создать/)
    await kira.sees(/слишком велик для сервиса\. Пришлите картинки поменьше/)
    await linked.stop()
  })
})

describe('without a public address', () => {
  it('a link is taken where a file cannot be passed on', async () => {
    const ivan = await unlinked.user('Ivan')
    await ivan.sends('/video a cat')
    await ivan.taps(/^🎛/)
    await ivan.taps(/^Dream/)
    await ivan.taps('📎 First frame')
    await ivan.sendsFile(await jpeg())
    await ivan.sees(/The file itself cannot be passed on[\s\S]*send a direct link/)
    await ivan.sends(`${base}/cat.png`)
    await ivan.seesButton('First frame: 🖼 127.0.0.1')
    await generates(ivan, /^Generate/)
    expect(await lastOrder(unlinked)).toMatchObject({
      keyframes: { frame0: { type: 'image', url: `${base}/cat.png` } },
    })
  })
})
