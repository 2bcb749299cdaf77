// The chat page in a real browser, with the whole sandbox.

import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { localeName, locales } from '../../../src/texts.ts'
import { executablePath, interrupt, openPage } from '../../support/users/browser.ts'
import { openSandbox, type TestSandbox } from '../../support/users/sandbox.ts'

const name = executablePath
  ? 'the chat page'
  : 'the chat page (skipped: Chromium was not found; set CHROMIUM to its path)'

const hostile = '<img src=x onerror="window.hacked = true"> & <b>a cat</b>'

describe.skipIf(!executablePath)(name, () => {
  let sandbox: TestSandbox
  let page: Page
  const errors: string[] = []
  const id = (testid: string): Locator => page.getByTestId(testid)
  const texts = (words: string | RegExp): Locator => id('text').filter({ hasText: words })
  const key = (label: string | RegExp): Locator => id('inline-button').filter({ hasText: label }).last()
  const says = async (text: string) => {
    await id('input').fill(text)
    await id('input').press('Enter')
  }

  beforeAll(async () => {
    sandbox = await openSandbox()
    page = await openPage({ viewport: { width: 1200, height: 820 }, locale: 'en-US' })
    page.setDefaultTimeout(25_000)
    page.on('console', (message) => message.type() === 'error' && errors.push(message.text()))
    page.on('pageerror', (error) => errors.push(String(error.stack)))
    await page.goto(sandbox.url)
  })
  afterAll(async () => {
    await page?.context().close()
    await sandbox?.stop()
  })

  it('creates the user Anna on the first visit, and starts the bot by the start button', async () => {
    expect(await id('user-switch').textContent()).toContain('Anna')
    await id('start').click()
    await texts('Hello, Anna!').waitFor()
    expect(await id('empty').isVisible()).toBe(false)
  })

  it("shows HTML as text, in the user's message and in the bot's answer", async () => {
    await says(`/video ${hostile}`)
    await texts(/Price: ₽92.45/).waitFor()
    expect(await texts(hostile).count()).toBe(2)
    expect(await page.locator('img[src=x]').count()).toBe(0)
    expect(await page.evaluate('window.hacked')).toBeUndefined()
  })

  it('shows a tapped button as busy until the bot answers, and marks the edited message', async () => {
    const tap = Promise.withResolvers<void>()
    await page.route('**/taps', async (route) => {
      await tap.promise
      await route.continue()
    })
    await key(/^Generate · ₽92.45$/).click()
    await page.locator('[aria-busy=true]').waitFor()
    tap.resolve()
    await page.locator('[aria-busy=true]').waitFor({ state: 'detached' })
    await texts(/Done in \d:\d\d · ₽92.45 charged/).waitFor()
    expect(await id('edited').last().textContent()).toBe('edited')
  })

  it('plays and seeks a video, in its own aspect ratio', async () => {
    const video = id('video').last()
    await video.waitFor()
    await page.evaluate(`[...document.querySelectorAll('[data-testid=video]')].at(-1).play()`)
    const playing = `(() => { const one = [...document.querySelectorAll('[data-testid=video]')].at(-1)
      return one.readyState >= 2 && one.videoWidth === 1920 && one.currentTime > 0 })()`
    await expect.poll(() => page.evaluate(playing)).toBeTruthy()
    const box = await video.boundingBox()
    expect((box?.width ?? 0) / (box?.height ?? 1)).toBeCloseTo(1920 / 1088, 1)
    const seek = `(one) => new Promise((resolve) => {
      one.pause()
      one.addEventListener('seeked', () => resolve(one.currentTime), { once: true })
      one.currentTime = 3 })`
    expect(await video.evaluate(`(${seek})(document.querySelector('[data-testid=video]'))`)).toBeCloseTo(3, 0)
  })

  it('the way back from the checkout opens the chat of the payer, who is not the first user', async () => {
    const first = page.url()
    const boris = await sandbox.user('Boris')
    await page.goto('about:blank')
    await page.goto(`${sandbox.url}/#${boris.id}/${boris.id}`)
    await says('/topup 500')
    await key(/YooKassa/).click()
    await key(/Pay/).click()
    const opening = page.context().waitForEvent('page')
    await id('link-dialog-submit').click()
    const checkout = await opening
    await checkout.getByRole('button', { name: /Оплатить/ }).click()
    await checkout.getByText('Вернуться в чат').click()
    await checkout.getByTestId('user-switch').filter({ hasText: 'Boris' }).waitFor()
    await checkout.getByTestId('text').filter({ hasText: '₽500 added' }).waitFor()
    await checkout.close()
    await page.goto('about:blank')
    await page.goto(first)
    await id('user-switch').filter({ hasText: 'Anna' }).waitFor()
  })

  it('shows a lost connection, reconnects, and reads the missed messages', async () => {
    const connect = await interrupt(page, '**/events?*')
    await page.reload()
    await id('connection-banner').waitFor()
    const anna = Number(new URL(page.url()).hash.slice(1).split('/')[0])
    await fetch(`${sandbox.url}/api/chats/${anna}/messages`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ from: anna, text: 'from another phone' }),
    })
    connect()
    await id('connection-banner').waitFor({ state: 'hidden' })
    await texts('from another phone').first().waitFor()
    // The browser logs the requests that this test has aborted.
    const isAborted = (text: string) => text.includes('net::ERR_FAILED')
    errors.splice(0, errors.length, ...errors.filter((text) => !isAborted(text)))
  })

  it('opens the chat of a new user, in the language of that user', async () => {
    await id('user-switch').click()
    await id('new-user').click()
    await id('user-dialog-name').fill('Борис')
    const offered = await id('user-language').locator('option').allTextContents()
    expect(offered).toEqual(locales.map(localeName))
    await id('user-language').selectOption('ru')
    await id('user-dialog-submit').click()
    await id('start').filter({ hasText: 'Начать' }).click()
    await texts('Здравствуйте, Борис!').waitFor()
    expect(await page.locator('html').getAttribute('lang')).toBe('ru')
  })

  it('fits a phone of 360 pixels, with the chats in place of the open one', async () => {
    await page.setViewportSize({ width: 360, height: 720 })
    await says(`/video ${'х'.repeat(400)}`)
    await key(/Создать/).waitFor()
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360)
    const overflow = `(() => { const box = document.querySelector('[data-testid=scroll]')
      return box.scrollWidth - box.clientWidth })()`
    expect(await page.evaluate(overflow)).toBe(0)
    await id('sidebar').waitFor({ state: 'hidden' })
    await id('open-sidebar').click()
    await id('chat').waitFor({ state: 'hidden' })
    await page.locator('[data-testid^=chat-]').first().click()
    await id('sidebar').waitFor({ state: 'hidden' })
  })

  it('draws the entities of a text, nested by UTF-16 units; unsafe links and unknown kinds stay text', async () => {
    const at = (type: string, offset: number, length: number, more = {}) => ({
      type,
      offset,
      length,
      ...more,
    })
    for (const [text, entities, html] of [
      ['👍 a b', [at('bold', 0, 6), at('italic', 3, 1)], '<strong>👍 <em>a</em> b</strong>'],
      // A block ends its line.
      ['q\nrest', [at('blockquote', 0, 1)], '<blockquote>q</blockquote>rest'],
      ['x', [at('text_link', 0, 1, { url: 'javascript:alert(1)' })], '<span>x</span>'],
      ['x', [at('new_thing', 0, 1)], '<span>x</span>'],
    ] as const) {
      const draw = `Promise.all([import('/page/ts/content.ts'), import('preact')]).then(([{ textNodes }, { render }]) => {
        const box = document.createElement('div')
        render(textNodes(${JSON.stringify(text)}, ${JSON.stringify(entities)}), box)
        return box.innerHTML })`
      expect(await page.evaluate(draw)).toBe(html)
    }
  })

  it('logs no errors', () => {
    expect(errors).toEqual([])
  })
})
