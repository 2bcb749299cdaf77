// Inline mode on the chat page: a query, its results, and the message of the chosen one.

import { InlineKeyboard } from 'grammy'
import type { InlineQueryResult } from 'grammy/types'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { executablePath } from '../../support/users/browser.ts'
import { openPageStage, type PageStage } from '../../support/users/page-stage.ts'
import type { SandboxUser } from '../../support/users/user.ts'

const article = (words: string): InlineQueryResult => ({
  type: 'article',
  id: words,
  title: `Result ${words}`,
  description: 'One of yours',
  input_message_content: { message_text: `Here is ${words}` },
})

let stage: PageStage
let anna: SandboxUser
beforeAll(async () => {
  if (!executablePath) return
  stage = await openPageStage({ viewport: { width: 390, height: 760 } })
  anna = await stage.arrive()
})
afterAll(() => stage?.close())

/** Answers the next inline query. @returns its text */
async function answer(results: InlineQueryResult[]): Promise<string> {
  const [update] = await stage.bot.api.getUpdates({ offset: -1, timeout: 2 })
  const { id, query } = update?.inline_query ?? {}
  if (id === undefined) return answer(results)
  await stage.bot.api.answerInlineQuery(id, results, { cache_time: 0 })
  return query ?? ''
}

const inBrowser = it.skipIf(!executablePath)

inBrowser('lists the results of a typed query, and sends the one that is chosen', async () => {
  const { id } = stage
  await id('input').fill('@sandbox_generation_bot red')
  expect(await answer([article('a cat'), article('a dog')])).toBe('red')
  await id('inline-result').filter({ hasText: 'a dog' }).waitFor()
  // An inline query is not sent as a message: Enter moves the focus to the results.
  await id('input').press('Enter')
  expect((await anna.chat()).length).toBe(1)
  await id('inline-result').filter({ hasText: 'a dog' }).click()
  await stage.texts('Here is a dog').waitFor()
  expect(await id('via').textContent()).toBe('via @sandbox_generation_bot')
  expect(await id('input').inputValue()).toBe('')
  expect(await id('inline-panel').isVisible()).toBe(false)
})

inBrowser('says that nothing was found, and closes by other words', async () => {
  const { id } = stage
  await id('input').fill('@sandbox_generation_bot none')
  await answer([])
  await id('inline-note').filter({ hasText: 'Nothing found' }).waitFor()
  await id('input').fill('@somebody else')
  expect(await id('inline-panel').isVisible()).toBe(false)
  await id('input').fill('')
})

inBrowser('types a query by a button', async () => {
  const { id, bot } = stage
  const keyboard = new InlineKeyboard().switchInlineCurrent('Mine', 'cats')
  await bot.api.sendMessage(anna.id, 'Done', { reply_markup: keyboard })
  await id('inline-button').filter({ hasText: 'Mine' }).click()
  expect(await id('input').inputValue()).toBe('@sandbox_generation_bot cats')
  await id('inline-panel').waitFor()
  expect(stage.errors).toEqual([])
})
