// Buttons of the chat page that request a contact or a location.

import { Bot, Keyboard } from 'grammy'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createFaultRoutes } from '../../../src/sandbox/faults.ts'
import { type RunningServer, serve } from '../../../src/sandbox/http.ts'
import { createPage } from '../../../src/sandbox/page.ts'
import { type LocalTelegram, startTelegram, token } from '../../support/telegram/local-telegram.ts'
import { executablePath, openPage } from '../../support/users/browser.ts'
import { createUser, type SandboxUser } from '../../support/users/user.ts'

describe.skipIf(!executablePath)('buttons of the chat page', () => {
  let local: LocalTelegram
  let server: RunningServer
  let page: Page
  let first: Bot
  let anna: SandboxUser
  const errors: string[] = []
  const id = (testid: string): Locator => page.getByTestId(testid)

  beforeAll(async () => {
    local = await startTelegram()
    const { botApi, usersApi } = local.telegram
    server = await serve(0, [botApi, usersApi, createFaultRoutes(local.faults), createPage()])
    first = new Bot(token, { client: { apiRoot: server.url } })
    anna = await createUser(server.url, { first_name: 'Anna', id: 11, language_code: 'en' })
    await anna.sends('to the first')
    page = await openPage({ viewport: { width: 1000, height: 760 } })
    page.setDefaultTimeout(25_000)
    await page.goto(`${server.url}/#11/11`)
    page.on('pageerror', (error) => errors.push(String(error.stack)))
  })
  afterAll(async () => {
    await page?.context().close()
    await server?.close()
    await local?.discard()
  })

  it('sends a contact and a location by the buttons that request them', async () => {
    const reply_markup = new Keyboard().requestContact('My number').requestLocation('My place')
    await first.api.sendMessage(11, 'Who are you?', { reply_markup })
    await id('reply-button').filter({ hasText: 'My number' }).click()
    await page.locator('.card').filter({ hasText: '+7900' }).waitFor()
    await id('reply-button').filter({ hasText: 'My place' }).click()
    await page.locator('.card').filter({ hasText: '55.7539' }).waitFor()
    const updates = await first.api.getUpdates()
    expect(updates.at(-2)?.message?.contact?.user_id).toBe(11)
    expect(updates.at(-1)?.message?.location?.latitude).toBe(55.7539)
    expect(errors).toEqual([])
  })
})
