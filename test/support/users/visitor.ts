// A person at the chat page. It relies only on things that stay the same when words change: commands, the button that orders, and the
// kind of the result.

import type { BrowserContextOptions } from 'playwright-core'
import { openPage } from './browser.ts'
import { createUser } from './user.ts'

export type Language = 'ru' | 'en'

interface VisitorOptions extends BrowserContextOptions {
  readonly url: string
  readonly language: Language
  readonly name: string
}

export type Visitor = Awaited<ReturnType<typeof openVisitor>>

const patienceMs = 60_000
const orderLabel = /^(Generate|Создать)/

export async function openVisitor(options: VisitorOptions) {
  const { url, language, name, ...context } = options
  const { id: userId } = await createUser(url, { first_name: name, language_code: language })
  const page = await openPage({ locale: language, ...context })
  page.setDefaultTimeout(patienceMs)
  const errors: string[] = []
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()))
  page.on('pageerror', (error) => errors.push(String(error.stack)))
  await page.goto(`${url}/#${userId}/${userId}`)
  const id = (testid: string) => page.getByTestId(testid)
  const answers = () => page.locator('.row.out').last().locator('xpath=following-sibling::*')
  const key = (label: string | RegExp) =>
    answers().getByTestId('inline-button').filter({ hasText: label }).last()
  const says = async (text: string) => {
    const before = await page.locator('.row.out').count()
    await id('input').fill(text)
    await id('input').press('Enter')
    await page.locator('.row.out').nth(before).waitFor()
  }
  await id('start').click()
  await id('text').nth(1).waitFor()

  return {
    page,
    /** Errors that the console has logged and that the page has thrown. */
    errors,
    id,
    /** The newest button with this label after the visitor's last message. */
    key,
    says,
    /** Sends the command, orders by the card, and waits for a result of this kind. */
    async orders(command: string, result: string) {
      const before = await id(result).count()
      await says(command)
      await key(orderLabel).click()
      await id(result).nth(before).waitFor()
    },
    /** Asks a question, accepts the price if the bot asks for that first, and waits for the answer. */
    async asks(question: string) {
      await says(question)
      await answers().first().waitFor()
      const answer = answers().getByTestId('text').filter({ hasText: question })
      if ((await answer.count()) === 0) await key('≈').click()
      await answer.first().waitFor()
    },
    /** Tops up by an invoice in the chat. */
    async topsUp(command: string) {
      await says(command)
      await key('💳').click()
      await page.locator('[data-testid=inline-button][data-kind=pay]').last().click()
      await id('pay-dialog-submit').click()
      await answers().getByTestId('service').filter({ hasText: /✅/ }).waitFor()
    },
    close: () => page.context().close(),
  }
}
