// An operator at the desk of a sandbox: opens the cards of users, asks to grant, and checks balances.

import { expect } from 'vitest'
import type { TestSandbox } from './sandbox.ts'
import type { SandboxMessage, SandboxUser } from './user.ts'

export function atDesk(boss: SandboxUser, sandbox: TestSandbox) {
  /** Waits for a message below another one, since earlier messages may have the same text. */
  const seesBelow = ({ message_id: above }: SandboxMessage, wanted: RegExp) =>
    boss.sees(({ message_id, text = '' }) => message_id > above && wanted.test(text))

  /** Opens the card of a user. @returns the user's number */
  async function opens({ id }: SandboxUser): Promise<string> {
    await boss.sends(`/user ${id}`)
    const card = await boss.sees(new RegExp(`Number: #\\d+ · Telegram: ${id}\\n`))
    return /#(\d+)/.exec(card.text ?? '')?.[1] ?? ''
  }

  return {
    seesBelow,
    opens,

    /** A user who has written to the bot, with the gift of the sandbox. */
    async newUser(name: string, language: 'ru' | 'en' = 'en'): Promise<SandboxUser> {
      const user = await sandbox.user(name, language)
      await user.sends('/balance')
      await user.sees(/500[.,]00/)
      return user
    },

    /** @returns the question for the amount */
    async asksToGrant(user: SandboxUser): Promise<SandboxMessage> {
      const number = await opens(user)
      await boss.taps('➕ Grant')
      return boss.sees(new RegExp(`/grant #${number}$`))
    },

    /** Waits until all updates of the operator are handled, and checks the balance of a user. */
    async hasBalance(user: SandboxUser, amount: string): Promise<void> {
      await seesBelow(await boss.sends('/balance'), /^Balance/)
      const { message_id: own } = await user.sends('/balance')
      const shown = await user.sees(({ message_id, text }) => message_id > own && /^Balance/.test(text ?? ''))
      expect(shown.text).toContain(amount)
    },
  }
}
