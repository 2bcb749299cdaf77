// A real browser for tests of the chat page, if one is installed.

import { existsSync } from 'node:fs'
import { type Browser, type BrowserContextOptions, chromium, type Page, type Request } from 'playwright-core'

const places = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']
const quiet = [
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]
/** A flag with which a page keeps its process when it goes to another address. */
const fewProcesses = ['--disable-site-isolation-trials']
const args = ['--no-sandbox', '--disable-gpu', '--disable-quic', ...quiet, ...fewProcesses]

export const executablePath = [process.env.CHROMIUM ?? '', ...places].find(
  (path) => path !== '' && existsSync(path),
)

let shared: Promise<Browser> | undefined

/** One browser for all test files of a worker, since a start takes seconds of processor time. It ends with the worker. */
export async function sharedBrowser(): Promise<Browser> {
  const running = await shared?.catch(() => undefined)
  if (running?.isConnected()) return running
  shared = chromium.launch({ ...(executablePath && { executablePath }), args })
  return shared
}

/** Opens a page in a separate context, which shares no storage with other pages. The page must be closed. */
export async function openPage(options: BrowserContextOptions): Promise<Page> {
  const browser = await sharedBrowser()
  return browser.newPage(options)
}

/**
 * Aborts the requests of the page to these addresses until the returned function is called, then lets them through. The route stays
 * until the page is closed: a request that Playwright intercepts at the moment of `unroute` may be left without an answer.
 */
export async function interrupt(page: Page, addresses: string, method?: string): Promise<() => void> {
  let isDown = true
  const isMeant = (request: Request) => method === undefined || request.method() === method
  await page.route(addresses, (route) =>
    isDown && isMeant(route.request()) ? route.abort() : route.fallback(),
  )
  return () => {
    isDown = false
  }
}
