// The chat page checked with axe: names, roles, contrast and order, in both themes, on a phone and a desktop.

import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { InlineKeyboard, InputFile, InputMediaBuilder } from 'grammy'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { clip, colored, makeMp3 } from '../../support/media/media-files.ts'
import { executablePath } from '../../support/users/browser.ts'
import { openPageStage, type PageStage } from '../../support/users/page-stage.ts'
import type { SandboxUser } from '../../support/users/user.ts'

interface Found {
  id: string
  nodes: { html: string; failureSummary?: string }[]
}

describe.skipIf(!executablePath)('the chat page is accessible', () => {
  let stage: PageStage
  let anna: SandboxUser
  let axe: string
  beforeAll(async () => {
    axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
    stage = await openPageStage({ reducedMotion: 'reduce' })
    anna = await stage.arrive()
    await fillChat()
  })
  afterAll(() => stage?.close())

  /** Sends a message of every kind. */
  async function fillChat(): Promise<void> {
    const { api } = stage.bot
    const picture = () => colored(320, 240, [200, 30, 30]).png().toBuffer()
    await api.setMyCommands([{ command: 'video', description: 'Make a video' }])
    const html = `<b>Bold</b> <code>code 12</code> <a href="https://a.b">link</a> <tg-spoiler>hidden</tg-spoiler> @somebody /video
      <blockquote expandable>one\ntwo\nthree\nfour\nfive</blockquote><pre><code class="language-js">let x = 1</code></pre>`
    const { message_id } = await api.sendMessage(anna.id, html, { parse_mode: 'HTML' })
    await anna.sends('an answer', { reply_to: message_id })
    const file = async (name: string, bytes: Promise<Buffer>) => new InputFile(await bytes, name)
    const photo = async () => InputMediaBuilder.photo(await file('a.png', picture()))
    await api.sendPhoto(anna.id, await file('a.png', picture()), { caption: 'A photo' })
    await api.sendMediaGroup(anna.id, [await photo(), await photo()])
    const size = { width: 480, height: 848, duration: 5 }
    await api.sendVideo(anna.id, await file('a.mp4', clip('480x848.mp4')), size)
    await api.sendAudio(anna.id, await file('a.mp3', makeMp3(1)), { title: 'Song', performer: 'Anna' })
    await api.sendVoice(anna.id, await file('v.mp3', makeMp3(1)))
    await api.sendDocument(anna.id, await file('original.png', picture()))
    const prices = [{ label: 'Top-up', amount: 50_000 }]
    const provider_token = '381764678:TEST:100037'
    await api.sendInvoice(anna.id, 'Top-up', 'Your balance', 'payload', 'RUB', prices, { provider_token })
    const keyboard = new InlineKeyboard().text('Plain', 'a').text('Go', 'b').primary().row()
    keyboard.text('Done', 'c').success().text('Delete', 'd').danger().row()
    keyboard.url('Site', 'https://a.b').copyText('Copy', 'x')
    const last = await api.sendMessage(anna.id, 'Choose', { reply_markup: keyboard })
    await api.setMessageReaction(anna.id, last.message_id, [{ type: 'emoji', emoji: '👍' }])
    await api.sendMessage(anna.id, 'What next?')
  }

  async function violations(): Promise<string[]> {
    await stage.page.evaluate(axe)
    const found: Found[] = await stage.page.evaluate(
      `axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations)`,
    )
    return found.flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html}\n${failureSummary}`),
    )
  }

  const phone = { width: 390, height: 844 }
  const desktop = { width: 1200, height: 820 }
  it.each([
    ['light', phone],
    ['dark', phone],
    ['light', desktop],
    ['dark', desktop],
  ] as const)('in the %s theme at %o', async (colorScheme, size) => {
    await stage.page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await stage.page.setViewportSize(size)
    await stage.open(anna)
    await stage.texts('What next?').waitFor()
    expect(await violations()).toEqual([])
  })

  it.each([
    ['the menu of a message', async () => stage.texts('A photo').click(), 'message-actions'],
    ['the list of commands', async () => stage.id('commands-button').click(), 'commands'],
    ['the users', async () => stage.id('user-switch').click(), 'user-menu'],
    ['a new group', async () => stage.id('new-group').click(), 'group-dialog'],
    ['a payment', async () => stage.id('inline-button').filter({ hasText: 'Pay' }).click(), 'pay-dialog'],
    ['an inline query', async () => stage.id('input').fill('@sandbox_generation_bot x'), 'inline-panel'],
  ])('with %s open', async (_, act, shown) => {
    await stage.page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
    await stage.page.setViewportSize(desktop)
    await stage.open(anna)
    await stage.texts('What next?').waitFor()
    await act()
    await stage.id(shown).waitFor()
    expect(await violations()).toEqual([])
  })
})
