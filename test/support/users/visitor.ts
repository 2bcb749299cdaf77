// A person at the chat page. It relies only on things that stay the same when words change: commands, the button that orders, and the
// kind of the result.

import type { BrowserContextOptions, Locator, Page } from 'playwright-core'
import { openPage } from './browser.ts'
import { createUser } from './user.ts'

export type Language = 'ru' | 'en'

interface VisitorOptions extends BrowserContextOptions {
  readonly url: string
  readonly language: Language
  readonly name: string
}

export interface Visitor {
  readonly page: Page
  /** Errors that the console has logged and that the page has thrown. */
  readonly errors: readonly string[]
  id(testid: string): Locator
  says(text: string): Promise<void>
  /** The newest button with this label after the visitor's last message. */
  key(label: string | RegExp): Locator
  /** Sends the command, orders by the card, and waits for a result of this kind. */
  orders(command: string, result: string): Promise<void>
  /** Asks a question, accepts the price if the bot asks for that first, and waits for the answer. */
  asks(question: string): Promise<void>
  /** Tops up by an invoice in the chat. */
  topsUp(command: string): Promise<void>
  close(): Promise<void>
}

const patienceMs = 60_000
const orderLabel = /^(Generate|Создать)/

export async function openVisitor(options: VisitorOptions): Promise<Visitor> {
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
    errors,
    id,
    key,
    says,
    async orders(command, result) {
      const before = await id(result).count()
      await says(command)
      await key(orderLabel).click()
      await id(result).nth(before).waitFor()
    },
    async asks(question) {
      await says(question)
      await answers().first().waitFor()
      const answer = answers().getByTestId('text').filter({ hasText: question })
      if ((await answer.count()) === 0) await key('≈').click()
      await answer.first().waitFor()
    },
    async topsUp(command) {
      await says(command)
      await key('💳').click()
      await page.locator('[data-testid=inline-button][data-kind=pay]').last().click()
      await id('pay-dialog-submit').click()
      await answers().getByTestId('service').filter({ hasText: /✅/ }).waitFor()
    },
    close: () => page.context().close(),
  }
}
