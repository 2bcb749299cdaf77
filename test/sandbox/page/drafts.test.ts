// The chat page while the bot is writing: drafts that grow, think and are stopped; quotes and code inside of them.

import { createServer, type Server } from 'node:http'
import { Bot } from 'grammy'
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createPage } from '../../../src/sandbox/page.ts'
import { type LocalTelegram, startTelegram, token } from '../../support/telegram/local-telegram.ts'
import { executablePath, openBrowser } from '../../support/users/browser.ts'
import { createUser, type SandboxUser } from '../../support/users/user.ts'

const HTML = { parse_mode: 'HTML' } as const
const thoughts = ['First', 'second', 'third', 'fourth', 'fifth'].join('\n')
const wide = `let ${'x'.repeat(300)} = 1`

describe.skipIf(!executablePath)('drafts on the chat page', () => {
  let local: LocalTelegram
  let server: Server
  let url: string
  let browser: Browser
  let page: Page
  let bot: Bot
  let anna: SandboxUser
  let nextUser = 11
  const complaints: string[] = []
  const id = (testid: string): Locator => page.getByTestId(testid)
  const draft = (text: string, other = {}) =>
    bot.api.sendMessageDraft(anna.id, 7, text, { ...HTML, ...other })
  const stoppable = { can_stop: true }

  beforeAll(async () => {
    local = await startTelegram()
    const { room, users } = local.telegram
    const rooms = [room, users, createPage()]
    server = createServer(async (req, res) => {
      const address = new URL(req.url ?? '/', 'http://sandbox')
      for (const one of rooms) if (await one(req, res, address)) return
      res.writeHead(404).end()
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const address = server.address()
    url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
    bot = new Bot(token, { client: { apiRoot: url } })
    browser = await openBrowser()
    page = await browser.newPage({ viewport: { width: 1000, height: 760 } })
    page.setDefaultTimeout(10_000)
    page.on('pageerror', (error) => complaints.push(String(error.stack)))
  })
  afterAll(async () => {
    await browser?.close()
    server?.closeAllConnections()
    server?.close()
    await local?.discard()
  })

  const arrive = async (language_code: string) => {
    nextUser += 1
    anna = await createUser(url, { first_name: 'Anna', id: nextUser, language_code })
    await anna.sends('tell me')
    // A new hash alone would not load the page anew, with the users that it knows.
    await page.goto('about:blank')
    await page.goto(`${url}/#${anna.id}/${anna.id}`)
    await id('text').filter({ hasText: 'tell me' }).waitFor()
  }
  beforeEach(() => arrive('en'))

  it('thinks, finds its words, and is replaced by the message', async () => {
    await draft('')
    expect(await id('draft').textContent()).toContain('Thinking…')
    await draft('<b>Once</b>')
    await id('draft').locator('strong').waitFor()
    await draft('<b>Once</b> upon')
    await id('draft').locator('.fresh').filter({ hasText: 'upon' }).waitFor()
    expect(await id('stop-draft').isVisible()).toBe(false)
    await bot.api.sendMessage(anna.id, 'Once upon a time')
    await id('text').filter({ hasText: 'Once upon a time' }).waitFor()
    expect(await id('draft').count()).toBe(0)
  })

  it('stops at a press, and the button keeps the focus while the words come', async () => {
    await draft('one', stoppable)
    await id('stop-draft').focus()
    await draft('one, two', stoppable)
    await id('draft').filter({ hasText: 'one, two' }).waitFor()
    await page.keyboard.press('Enter')
    await id('draft').waitFor({ state: 'detached' })
    expect((await bot.api.getUpdates()).at(-1)).toMatchObject({
      stopped_message_generation: { chat: { id: anna.id }, draft_id: 7 },
    })
  })

  it('stays when it is to be kept, without the button, over a reload', async () => {
    await draft('one', { ...stoppable, keep_on_stop: true })
    await id('stop-draft').click()
    await id('stop-draft').waitFor({ state: 'hidden' })
    await page.reload()
    await id('draft').filter({ hasText: 'one' }).waitFor()
    expect(await id('stop-draft').isVisible()).toBe(false)
  })

  it('leaves a quote open that a person has opened', async () => {
    const quote = `<blockquote expandable>${thoughts}</blockquote>`
    const toggle = id('draft').getByTestId('quote-toggle')
    await draft(quote)
    expect(await toggle.getAttribute('aria-expanded')).toBe('false')
    await id('draft').locator('.quote-text').click()
    expect(await toggle.getAttribute('aria-expanded')).toBe('true')
    await draft(`${quote}\nSo it is.`)
    await id('draft').filter({ hasText: 'So it is.' }).waitFor()
    expect(await toggle.getAttribute('aria-expanded')).toBe('true')
  })

  it('offers to expand only a quote that hides something', async () => {
    await bot.api.sendMessage(anna.id, '<blockquote expandable>Short</blockquote>x', HTML)
    await bot.api.sendMessage(anna.id, `<blockquote expandable>${thoughts}</blockquote>x`, HTML)
    await id('quote-toggle').last().waitFor()
    await id('quote-toggle').first().waitFor({ state: 'hidden' })
    expect(await id('quote-toggle').last().isVisible()).toBe(true)
  })

  it('scrolls wide code inside of its block', async () => {
    await draft(`<pre><code class="language-js">${wide}</code></pre>`)
    const block = id('draft').locator('pre')
    await block.waitFor()
    const spill = '(one) => one.scrollWidth - one.clientWidth'
    const spillOf = (selector: string) => page.evaluate(`(${spill})(document.querySelector('${selector}'))`)
    expect(await spillOf('.draft pre')).toBeGreaterThan(500)
    expect(await spillOf('[data-testid=scroll]')).toBe(0)
  })

  it('keeps the newest message in view when its reply keyboard opens', async () => {
    for (let line = 0; line < 30; line += 1) await bot.api.sendMessage(anna.id, `line ${line}`)
    await id('text').filter({ hasText: 'line 29' }).waitFor()
    const keyboard = [['one'], ['two'], ['three']]
    await bot.api.sendMessage(anna.id, 'choose', { reply_markup: { keyboard, resize_keyboard: true } })
    await id('reply-button').last().waitFor()
    const hidden = `(() => { const box = document.querySelector('[data-testid=scroll]')
      return box.scrollHeight - box.scrollTop - box.clientHeight })()`
    await expect.poll(() => page.evaluate(hidden)).toBeLessThan(2)
  })

  it('quotes the words that are marked', async () => {
    await bot.api.sendMessage(anna.id, 'the black cat sleeps')
    const said = id('text').filter({ hasText: 'black' })
    await said.waitFor()
    await page.evaluate(`(() => {
      const words = [...document.querySelectorAll('[data-testid=text]')].at(-1).firstChild
      getSelection().setBaseAndExtent(words, 4, words, 13) })()`)
    await said.click({ button: 'right' })
    await id('menu-quote').click()
    await id('input').fill('which?')
    await id('input').press('Enter')
    await id('reply-quote').filter({ hasText: 'black cat' }).waitFor()
    expect((await anna.chat()).at(-1)).toMatchObject({ quote: { text: 'black cat', position: 4 } })
  })

  it('speaks Russian to those who do', async () => {
    await arrive('ru')
    await draft('', stoppable)
    await id('stop-draft').filter({ hasText: 'Остановить' }).waitFor()
    expect(await id('draft').textContent()).toContain('Думает…')
  })

  it('has nothing to complain about', () => {
    expect(complaints).toEqual([])
  })
})
