// Messages on the chat page: menus of media, quotes, files, invoices, albums.

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
  let anna: SandboxUser
  beforeAll(async () => {
    stage = await openPageStage({ acceptDownloads: true })
  })
  afterAll(() => stage?.close())
  beforeEach(async () => {
    anna = await stage.arrive()
  })

  it('replies to a photo from its menu, by a right click and by the button', async () => {
    const { id, page } = stage
    const { message_id } = await stage.bot.api.sendPhoto(anna.id, new InputFile(await red(), 'cat.png'))
    await id('photo').click({ button: 'right' })
    await id('menu-reply').click()
    await id('input').fill('animate it')
    await id('input').press('Enter')
    const answered = await anna.sees((one) => one.text === 'animate it')
    expect(answered.reply_to_message?.message_id).toBe(message_id)
    await id(`message-${message_id}`).getByTestId('message-menu').click()
    await id('menu-reply').waitFor()
    const saved = page.waitForEvent('download')
    await id('menu-save').click()
    expect((await saved).suggestedFilename()).toMatch(/^photo_2\.(jpg|png)$/)
  })

  it('replies to the clicked photo of an album', async () => {
    const { id } = stage
    const media = await Promise.all(
      ['a.png', 'b.png', 'c.png'].map(async (name) => ({
        type: 'photo' as const,
        media: new InputFile(await red(), name),
      })),
    )
    const sent = await stage.bot.api.sendMediaGroup(anna.id, media)
    await id('album').getByTestId('photo').nth(1).click({ button: 'right' })
    await id('menu-reply').click()
    await id('input').fill('this one')
    await id('input').press('Enter')
    const answered = await anna.sees((one) => one.text === 'this one')
    expect(answered.reply_to_message?.message_id).toBe(sent[1]?.message_id)
  })

  it('shows the present text of a quoted message', async () => {
    const { bot, id } = stage
    const { message_id } = await bot.api.sendMessage(anna.id, 'first words')
    await anna.sends('why?', { reply_to: message_id })
    await id('reply-quote').filter({ hasText: 'first words' }).waitFor()
    await bot.api.editMessageText(anna.id, message_id, 'second words')
    await id('reply-quote').filter({ hasText: 'second words' }).waitFor()
    await stage.page.reload()
    await id('reply-quote').filter({ hasText: 'second words' }).waitFor()
  })

  it('sends several photos as one album, with one caption', async () => {
    const { id } = stage
    await id('files').setInputFiles([await photo('a.png'), await photo('b.png')])
    await id('caption').fill('two cats')
    await id('files-dialog-submit').click()
    await id('album').getByTestId('photo').nth(1).waitFor()
    const sent = (await anna.chat()).slice(-2)
    expect(sent.map((one) => one.caption)).toEqual(['two cats', undefined])
    expect(sent[0]?.media_group_id).toMatch(/^\d+$/)
    expect(sent[1]?.media_group_id).toBe(sent[0]?.media_group_id)
  })

  it('sends one photo without an album, and files of another kind as an album of their own', async () => {
    const { id } = stage
    await id('files').setInputFiles([await photo()])
    await id('files-dialog-submit').click()
    expect((await anna.sees((one) => one.photo !== undefined)).media_group_id).toBeUndefined()
    const files = ['a.txt', 'b.txt'].map((name) => ({
      name,
      mimeType: 'text/plain',
      buffer: Buffer.from(name),
    }))
    await id('files').setInputFiles(files)
    await id('files-dialog-submit').click()
    const last = await anna.sees((one) => one.document?.file_name === 'b.txt')
    expect(last.media_group_id).toBeDefined()
  })

  it('sends a video with its size and length', async () => {
    const buffer = await clip('640x640.webm')
    await stage.id('files').setInputFiles({ name: 'film.webm', mimeType: 'video/webm', buffer })
    await stage.id('files-dialog-submit').click()
    await anna.sees((one) => one.document !== undefined)
    const mp4 = await clip('480x848.mp4')
    await stage.id('files').setInputFiles({ name: 'film.mp4', mimeType: 'video/mp4', buffer: mp4 })
    await stage.id('files-dialog-submit').click()
    const { video } = await anna.sees((one) => one.video !== undefined)
    expect(video).toMatchObject({ width: 480, height: 848, file_name: 'film.mp4' })
    expect(video?.duration).toBeGreaterThan(0)
  })

  it('shows a thumbnail of a picture that was sent as a file', async () => {
    await stage.bot.api.sendDocument(anna.id, new InputFile(await red(), 'original.png'))
    await stage.id('document-thumb').waitFor()
    const shown = `document.querySelector('[data-testid=document-thumb]').naturalWidth`
    await expect.poll(() => stage.page.evaluate(shown)).toBe(320)
    await stage.id('document-open').click()
    await stage.id('lightbox').waitFor()
    await stage.id('close').click()
  })

  it('opens links of buttons after asking, and copies the text of a button', async () => {
    const { bot, page, id } = stage
    const keyboard = new InlineKeyboard()
      .url('Site', 'https://site.example/page')
      .row()
      .copyText('Prompt', 'a red cat')
      .row()
      .text('Generate', 'go')
      .primary()
    await bot.api.sendMessage(anna.id, 'Choose', { reply_markup: keyboard })
    const context = page.context()
    const opened: string[] = []
    await context.route(/^https:\/\/site\.example\//, (route) => {
      opened.push(route.request().url())
      return route.fulfill({ contentType: 'text/html', body: 'Welcome' })
    })
    const address = 'https://site.example/page'
    const asks = async () => {
      await id('inline-button').filter({ hasText: 'Site' }).click()
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
    expect(opened).toEqual([address])
    expect(context.pages()).toHaveLength(1)
    await id('inline-button').filter({ hasText: 'Prompt' }).click()
    await id('toast').filter({ hasText: 'Copied' }).waitFor()
    expect(await id('inline-button').filter({ hasText: 'Generate' }).getAttribute('class')).toContain(
      'primary',
    )
  })

  describe('for an invoice', () => {
    const sendInvoice = () =>
      stage.bot.api.sendInvoice(
        anna.id,
        'Top-up',
        'Your balance',
        'payload',
        'RUB',
        [{ label: 'Top-up', amount: 50_000 }],
        { provider_token: '381764678:TEST:100037' },
      )

    /** Approves the next payment as the bot. */
    async function approve(): Promise<void> {
      const [update] = await stage.bot.api.getUpdates({ offset: -1 })
      const id = update?.pre_checkout_query?.id
      if (id === undefined) return approve()
      await stage.bot.api.answerPreCheckoutQuery(id, true)
    }

    it("shows the label of the button in the user's language, and says when it is paid", async () => {
      anna = await stage.arrive('ru')
      const { id } = stage
      await sendInvoice()
      const key = id('inline-button')
      await key.filter({ hasText: 'Оплатить 500,00\u00a0₽' }).click()
      await id('pay-dialog-submit').click()
      await approve()
      await id('invoice').filter({ hasText: 'Оплачено' }).waitFor()
      await key.filter({ hasText: 'Чек' }).click()
      await id('pay-dialog').waitFor({ state: 'detached' })
      await stage.page.reload()
      await key.filter({ hasText: 'Чек' }).waitFor()
    })
  })

  it('throws no errors', () => {
    expect(stage.errors).toEqual([])
  })
})
