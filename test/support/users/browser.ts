// A real browser for tests of the chat page, if one is installed.

import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'

const places = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']
const quiet = [
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]
/** WebGL without a graphics card, which the page shows 3D models with. */
const webgl = ['--use-angle=swiftshader', '--enable-unsafe-swiftshader']
const args = ['--no-sandbox', '--disable-gpu', '--disable-quic', ...webgl, ...quiet]

export const executablePath = [process.env.CHROMIUM ?? '', ...places].find(
  (path) => path !== '' && existsSync(path),
)

export const openBrowser = (): Promise<Browser> =>
  chromium.launch({ ...(executablePath && { executablePath }), args })
