// Messages on the chat page: their menus, replies and quotes, files, albums, invoices, buttons, and drafts.

import { InlineKeyboard, InputFile } from 'grammy'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { clip, colored } from '../../support/media/media-files.ts'
import { executablePath } from '../../support/users/browser.ts'
import { openPageStage, type PageStage } from '../../support/users/page-stage.ts'
import type { SandboxUser } from '../../support/users/user.ts'

const red = () => colored(320, 240, [200, 30, 30]).png().toBuffer()
const photo = async (name = 'cat.png') => ({ name, mimeType: 'image/png', buffer: await red() })

describe.skipIf(!executablePath)('the chat page', () => {
  let stage: PageStage
  let page: PageStage['page']
  let bot: PageStage['bot']
  let anna: SandboxUser
  const id = (testid: string) => stage.id(testid)
  beforeAll(async () => {
    stage = await openPageStage({ acceptDownloads: true })
    ;({ page, bot } = stage)
  })
  afterAll(() => stage?.close())
  beforeEach(async () => {
    anna = await stage.arrive()
  })

  async function says(words: string) {
    await id('input').fill(words)
    await id('input').press('Enter')
    return anna.sees((one) => one.text === words)
  }
  async function sendsFiles(...files: { name: string; mimeType: string; buffer: Buffer }[]) {
    await id('files').setInputFiles(files)
    await id('files-dialog-submit').click()
  }

  it('replies to a photo from its menu, by a right click and by the button', async () => {
    const { message_id } = await bot.api.sendPhoto(anna.id, new InputFile(await red(), 'cat.png'))
    await id('photo').click({ button: 'right' })
    await id('menu-reply').click()
    expect((await says('animate it')).reply_to_message?.message_id).toBe(message_id)
    await id(`message-${message_id}`).getByTestId('message-menu').click()
    await id('menu-reply').waitFor()
    const saved = page.waitForEvent('download')
    await id('menu-save').click()
    expect((await saved).suggestedFilename()).toMatch(/^photo_2\.(jpg|png)$/)
  })

  it('replies to the clicked photo of an album', async () => {
    const media = await Promise.all(
      ['a.png', 'b.png', 'c.png'].map(async (name) => ({
        type: 'photo' as const,
        media: new InputFile(await red(), name),
      })),
    )
    const sent = await bot.api.sendMediaGroup(anna.id, media)
    await id('album').getByTestId('photo').nth(1).click({ button: 'right' })
    await id('menu-reply').click()
    expect((await says('this one')).reply_to_message?.message_id).toBe(sent[1]?.message_id)
  })

  it('shows the present text of a message that is replied to', async () => {
    const { message_id } = await bot.api.sendMessage(anna.id, 'the black cat sleeps')
    await anna.sends('why?', { reply_to: message_id })
    await id('reply-quote').filter({ hasText: 'the black cat sleeps' }).waitFor()
    await bot.api.editMessageText(anna.id, message_id, 'second words')
    await id('reply-quote').filter({ hasText: 'second words' }).waitFor()
    await page.reload()
    await id('reply-quote').filter({ hasText: 'second words' }).waitFor()
  })

  it('sends several photos as one album with one caption, one photo alone, and other files as an album of their own', async () => {
    await id('files').setInputFiles([await photo('a.png'), await photo('b.png')])
    await id('caption').fill('two cats')
    await id('files-dialog-submit').click()
    await id('album').getByTestId('photo').nth(1).waitFor()
    const sent = (await anna.chat()).slice(-2)
    expect(sent.map((one) => one.caption)).toEqual(['two cats', undefined])
    expect(sent[0]?.media_group_id).toMatch(/^\d+$/)
    expect(sent[1]?.media_group_id).toBe(sent[0]?.media_group_id)
    const [, { message_id: last } = { message_id: 0 }] = sent
    await sendsFiles(await photo())
    const alone = await anna.sees((one) => one.photo !== undefined && one.message_id > last)
    expect(alone.media_group_id).toBeUndefined()
    const texts = ['a.txt', 'b.txt'].map((name) => ({
      name,
      mimeType: 'text/plain',
      buffer: Buffer.from(name),
    }))
    await sendsFiles(...texts)
    expect((await anna.sees((one) => one.document?.file_name === 'b.txt')).media_group_id).toBeDefined()
  })

  it('sends a video with its size and length', async () => {
    await sendsFiles({ name: 'film.webm', mimeType: 'video/webm', buffer: await clip('640x640.webm') })
    await anna.sees((one) => one.document !== undefined)
    await sendsFiles({ name: 'film.mp4', mimeType: 'video/mp4', buffer: await clip('480x848.mp4') })
    const { video } = await anna.sees((one) => one.video !== undefined)
    expect(video).toMatchObject({ width: 480, height: 848, file_name: 'film.mp4' })
    expect(video?.duration).toBeGreaterThan(0)
  })

  it('shows a thumbnail of a picture that was sent as a file', async () => {
    await bot.api.sendDocument(anna.id, new InputFile(await red(), 'original.png'))
    await id('document-thumb').waitFor()
    const shown = `document.querySelector('[data-testid=document-thumb]').naturalWidth`
    await expect.poll(() => page.evaluate(shown)).toBe(320)
  })

  it('opens links of buttons after asking, and copies the text of a button', async () => {
    const address = 'https://site.example/page'
    const keyboard = new InlineKeyboard().url('Site', address).row().copyText('Prompt', 'a red cat').row()
    await bot.api.sendMessage(anna.id, 'Choose', { reply_markup: keyboard.text('Generate', 'go').primary() })
    const context = page.context()
    const opened: string[] = []
    await context.route(/^https:\/\/site\.example\//, (route) => {
      opened.push(route.request().url())
      return route.fulfill({ contentType: 'text/html', body: 'Welcome' })
    })
    const button = (label: string) => id('inline-button').filter({ hasText: label })
    const asks = async () => {
      await button('Site').click()
      await id('link-dialog').filter({ hasText: address }).waitFor()
    }
    await asks()
    await id('close').click()
    await id('link-dialog').waitFor({ state: 'detached' })
    await asks()
    const tab = context.waitForEvent('page')
    await id('link-dialog-submit').click()
    await (await tab).waitForURL(address)
    await (await tab).close()
    await id('link-dialog').waitFor({ state: 'detached' })
    expect([opened, context.pages().length]).toEqual([[address], 1])
    await button('Prompt').click()
    await id('toast').filter({ hasText: 'Copied' }).waitFor()
    expect(await button('Generate').getAttribute('class')).toContain('primary')
  })

  it("pays an invoice, whose button is labelled in the user's language and says when it is paid", async () => {
    anna = await stage.arrive('ru')
    const prices = [{ label: 'Top-up', amount: 50_000 }]
    const provider_token = '381764678:TEST:100037'
    await bot.api.sendInvoice(anna.id, 'Top-up', 'Your balance', 'payload', 'RUB', prices, { provider_token })
    const key = id('inline-button')
    await key.filter({ hasText: 'Оплатить 500,00\u00a0₽' }).click()
    await id('pay-dialog-submit').click()
    const asked = async () => (await bot.api.getUpdates({ offset: -1 }))[0]?.pre_checkout_query?.id
    await expect.poll(asked).toBeDefined()
    await bot.api.answerPreCheckoutQuery((await asked()) ?? '', true)
    await id('invoice').filter({ hasText: 'Оплачено' }).waitFor()
    await key.filter({ hasText: 'Чек' }).click()
    await id('pay-dialog').waitFor({ state: 'detached' })
    await page.reload()
    await key.filter({ hasText: 'Чек' }).waitFor()
  })

  it('keeps the newest message in view, unless the user has scrolled up', async () => {
    const say = async (words: string) => {
      await bot.api.sendMessage(anna.id, words)
      await stage.texts(words).waitFor()
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

  describe('with a draft', () => {
    const draft = (text: string, other = {}) =>
      bot.api.sendMessageDraft(anna.id, 7, text, { parse_mode: 'HTML', ...other })
    const stoppable = { can_stop: true }

    it('shows that the bot is thinking, then the text of the draft, and finally the message in its place', async () => {
      await draft('')
      expect(await id('draft').textContent()).toContain('Thinking…')
      await draft('<b>Once</b>')
      await id('draft').locator('strong').waitFor()
      await draft('<b>Once</b> upon')
      await id('draft').filter({ hasText: 'upon' }).waitFor()
      expect(await id('stop-draft').isVisible()).toBe(false)
      await bot.api.sendMessage(anna.id, 'Once upon a time')
      await stage.texts('Once upon a time').waitFor()
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
      const quote = `<blockquote expandable>${'line\n'.repeat(5)}</blockquote>`
      const toggle = id('draft').getByTestId('quote-toggle')
      const isOpen = () => toggle.getAttribute('aria-expanded')
      await draft(quote)
      expect(await isOpen()).toBe('false')
      await toggle.click()
      expect(await isOpen()).toBe('true')
      await draft(`${quote}\nSo it is.`)
      await id('draft').filter({ hasText: 'So it is.' }).waitFor()
      expect(await isOpen()).toBe('true')
    })
  })

  it('throws no errors', () => {
    expect(stage.errors).toEqual([])
  })
})
