// Drafts on the chat page: how they grow, end and are stopped, and the quotes and code in them.

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { executablePath } from '../../support/users/browser.ts'
import { openPageStage, type PageStage } from '../../support/users/page-stage.ts'
import type { SandboxUser } from '../../support/users/user.ts'

const HTML = { parse_mode: 'HTML' } as const
const fiveLines = ['First', 'second', 'third', 'fourth', 'fifth'].join('\n')

describe.skipIf(!executablePath)('the chat page with drafts', () => {
  let stage: PageStage
  let page: PageStage['page']
  let bot: PageStage['bot']
  let anna: SandboxUser
  const id = (testid: string) => stage.id(testid)
  const draft = (text: string, other = {}) =>
    bot.api.sendMessageDraft(anna.id, 7, text, { ...HTML, ...other })
  const stoppable = { can_stop: true }

  beforeAll(async () => {
    stage = await openPageStage()
    ;({ page, bot } = stage)
  })
  afterAll(() => stage?.close())
  beforeEach(async () => {
    anna = await stage.arrive()
  })

  it('shows that the bot is thinking, then the text of the draft, and finally the message in its place', async () => {
    await draft('')
    expect(await id('draft').textContent()).toContain('Thinking…')
    await draft('<b>Once</b>')
    await id('draft').locator('strong').waitFor()
    await draft('<b>Once</b> upon')
    await id('draft').filter({ hasText: 'upon' }).waitFor()
    expect(await id('stop-draft').isVisible()).toBe(false)
    await bot.api.sendMessage(anna.id, 'Once upon a time')
    await id('text').filter({ hasText: 'Once upon a time' }).waitFor()
    expect(await id('draft').count()).toBe(0)
  })

  it('keeps the focus on Stop while the text grows, and stops the draft when Stop is pressed', async () => {
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

  it('keeps a quote open that the user has expanded, while the draft grows', async () => {
    const quote = `<blockquote expandable>${fiveLines}</blockquote>`
    const toggle = id('draft').getByTestId('quote-toggle')
    await draft(quote)
    expect(await toggle.getAttribute('aria-expanded')).toBe('false')
    await toggle.click()
    expect(await toggle.getAttribute('aria-expanded')).toBe('true')
    await draft(`${quote}\nSo it is.`)
    await id('draft').filter({ hasText: 'So it is.' }).waitFor()
    expect(await toggle.getAttribute('aria-expanded')).toBe('true')
  })

  it('keeps the newest message in view, unless the user has scrolled up', async () => {
    const say = async (words: string) => {
      await bot.api.sendMessage(anna.id, words)
      await id('text').filter({ hasText: words }).waitFor()
    }
    for (let line = 0; line < 30; line += 1) await bot.api.sendMessage(anna.id, `line ${line}`)
    await say('last line')
    const isSeen = (words: string) =>
      page.evaluate(`(() => { const all = [...document.querySelectorAll('[data-testid=text]')]
        const box = all.findLast((one) => one.textContent === '${words}').getBoundingClientRect()
        return box.top > 0 && box.bottom < innerHeight })()`)
    expect(await isSeen('last line')).toBe(true)
    await page.evaluate(`document.querySelector('[data-testid=scroll]').scrollBy(0, -500)`)
    await say('unseen')
    expect(await isSeen('unseen')).toBe(false)
  })

  it('quotes the selected words in a reply', async () => {
    await bot.api.sendMessage(anna.id, 'the black cat sleeps')
    const message = id('text').filter({ hasText: 'black' })
    await message.waitFor()
    await page.evaluate(`(() => {
      const words = [...document.querySelectorAll('[data-testid=text]')].at(-1).firstChild
      getSelection().setBaseAndExtent(words, 4, words, 13) })()`)
    await message.click({ button: 'right' })
    await id('menu-quote').click()
    await id('input').fill('which?')
    await id('input').press('Enter')
    await id('reply-quote').filter({ hasText: 'black cat' }).waitFor()
    expect((await anna.chat()).at(-1)).toMatchObject({ quote: { text: 'black cat', position: 4 } })
  })

  it('logs no errors', () => {
    expect(stage.errors).toEqual([])
  })
})
