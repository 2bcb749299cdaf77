// `npm run screenshots`: draws the ten key screens of the bot into docs/screens, as the README shows them. Run by hand; needs Chromium.
// Times are hidden, so that a screen changes only with its content.

import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { silentLog } from '../../src/runtime/log.ts'
import { startSandbox } from '../../src/sandbox/sandbox.ts'
import { sharedBrowser } from '../support/users/browser.ts'
import { type Language, openVisitor, type Visitor } from '../support/users/visitor.ts'

const folder = join(import.meta.dirname, '../../docs/screens')
const phone = { width: 390, height: 844 }
const mostBytes = 120_000
/** The qualities of the pictures. They are tried in this order until the file is small enough. */
const qualities = [86, 76, 64, 50]
/** Hides times by a constructed style sheet, since the page allows no inline styles. */
const hide = `{
  const sheet = new CSSStyleSheet()
  sheet.replaceSync('.meta, [data-testid=day], .toast { visibility: hidden }')
  document.adoptedStyleSheets = [sheet]
}`

/** Resolves when the visible pictures and the first frames of visible videos have loaded. */
const loaded = `Promise.all([...document.querySelectorAll('img, video')].map((one) => {
  const { top, bottom } = one.getBoundingClientRect()
  const isThere = one.complete || one.readyState >= 2 || bottom < 0 || top > innerHeight
  const come = (done) => ['load', 'loadeddata', 'error'].forEach((name) => one.addEventListener(name, done))
  return isThere || new Promise(come)
}))`

async function write(name: string, png: Buffer): Promise<void> {
  for (const quality of qualities) {
    const bytes = await sharp(png).webp({ quality, effort: 6 }).toBuffer()
    if (bytes.length > mostBytes && quality !== qualities.at(-1)) continue
    await writeFile(join(folder, `${name}.webp`), bytes)
    process.stdout.write(`${name}.webp ${Math.ceil(bytes.length / 1000)} KB\n`)
    return
  }
}

async function draw({ page }: Visitor, name: string): Promise<void> {
  await page.evaluate(loaded)
  await write(name, await page.screenshot({ animations: 'disabled', caret: 'hide' }))
}

type Scene = readonly [name: string, play: (visitor: Visitor) => Promise<unknown>]

const scenes: Readonly<Record<Language, readonly Scene[]>> = {
  ru: [
    ['start-ru', async () => undefined],
    [
      'card-ru',
      async ({ says, key }) => {
        await says('/video кот на доске для сёрфинга, закат')
        await key(/^Создать/).waitFor()
      },
    ],
    ['image-ru', ({ orders }) => orders('/image красная лодка на рассвете', 'photo')],
    ['speech-ru', ({ orders }) => orders('/speech Доброе утро! Сегодня отличный день.', 'voice-player')],
    ['chat-ru', ({ asks }) => asks('Почему небо синее?')],
    ['topup-ru', ({ topsUp }) => topsUp('/topup 500')],
  ],
  en: [
    ['start-en', async () => undefined],
    ['video-en', ({ orders }) => orders('/video a cat surfing at sunset', 'video')],
    ['music-en', ({ orders }) => orders('/music a calm song about the sea', 'audio-player')],
    ['model-en', ({ orders }) => orders('/model3d an old armchair', 'document')],
  ],
}

const dataDir = await mkdtemp(join(tmpdir(), 'bot-screens-'))
const sandbox = await startSandbox({ port: 0, dataDir, speed: 160, log: silentLog })
const browser = await sharedBrowser()
try {
  await mkdir(folder, { recursive: true })
  for (const [language, name] of [
    ['ru', 'Анна'],
    ['en', 'Anna'],
  ] as const) {
    const visitor = await openVisitor({
      url: sandbox.url,
      language,
      name,
      viewport: phone,
      deviceScaleFactor: 2,
      reducedMotion: 'reduce',
      colorScheme: 'light',
    })
    await visitor.page.evaluate(hide)
    for (const [scene, play] of scenes[language]) {
      await play(visitor)
      await draw(visitor, scene)
    }
    await visitor.close()
  }
} finally {
  await browser.close()
  await sandbox.stop()
  await rm(dataDir, { recursive: true, force: true })
}
// Threads of the app would keep the process alive.
process.exit()
