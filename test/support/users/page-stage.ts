// The chat page in a real browser with the local Telegram alone; the test acts as the bot.

import { Bot } from 'grammy'
import type { BrowserContextOptions } from 'playwright-core'
import { serve } from '../../../src/sandbox/http.ts'
import { createPage } from '../../../src/sandbox/page.ts'
import { startTelegram, token } from '../telegram/local-telegram.ts'
import { openPage } from './browser.ts'
import { createUser, type SandboxUser } from './user.ts'

export type PageStage = Awaited<ReturnType<typeof openPageStage>>

export async function openPageStage(options: BrowserContextOptions = {}) {
  const local = await startTelegram()
  const { botApi, usersApi } = local.telegram
  const server = await serve(0, [botApi, usersApi, createPage()])
  const page = await openPage({ viewport: { width: 1000, height: 760 }, ...options })
  page.setDefaultTimeout(25_000)
  const errors: string[] = []
  page.on('pageerror', (error) => errors.push(String(error.stack)))
  const id = (testid: string) => page.getByTestId(testid)
  const user = (first_name: string, language_code = 'en') =>
    createUser(server.url, { first_name, language_code })
  const open = async (who: SandboxUser, chatId = who.id) => {
    // The page must be loaded anew: after a change of the hash alone it would not know the new user.
    await page.goto('about:blank')
    await page.goto(`${server.url}/#${who.id}/${chatId}`)
    await id('chat').waitFor()
  }
  return {
    url: server.url,
    page,
    bot: new Bot(token, { client: { apiRoot: server.url } }),
    /** Errors that the page has thrown. */
    errors,
    id,
    /** The texts of messages that contain these words. */
    texts: (words: string | RegExp) => id('text').filter({ hasText: words }),
    /** Creates another user of the same Telegram. */
    user,
    /** Opens this chat of the user. */
    open,
    /** Opens the page as a new user, who has written "hello" to the bot. */
    async arrive(language?: 'ru' | 'en') {
      const anna = await user('Anna', language)
      await anna.sends('hello')
      await open(anna)
      await id('text').filter({ hasText: 'hello' }).waitFor()
      return anna
    },
    async close() {
      await page.context().close()
      await server.close()
      await local.discard()
    },
  }
}
