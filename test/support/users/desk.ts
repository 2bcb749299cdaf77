// An operator at the desk of a sandbox: opens the cards of users, asks to grant, and checks balances.

import { expect } from 'vitest'
import { audit } from '../../../src/ledger/audit.ts'
import { readBalance } from '../../../src/ledger/ledger.ts'
import { parseRoubles } from '../../../src/money.ts'
import { findByTelegram } from '../../../src/users/user.ts'
import { openSandbox, type TestSandbox } from './sandbox.ts'
import { createUser, type SandboxMessage, type SandboxUser } from './user.ts'

export const bossId = 900_001

/** Opens a sandbox with an operator who reads English. */
export async function openDesk(env: Record<string, string> = {}) {
  const own = { ADMIN_IDS: String(bossId), SUPPORT_CONTACT: '@help', ...env }
  const sandbox = await openSandbox('postgres', own)
  const boss = await createUser(sandbox.url, { first_name: 'Boss', language_code: 'en', id: bossId })
  return { sandbox, boss, desk: atDesk(boss, sandbox) }
}

export type Desk = ReturnType<typeof atDesk>

function atDesk(boss: SandboxUser, sandbox: TestSandbox) {
  const { seesBelow } = boss

  /** Opens the card of a user. @returns the user's number */
  async function opens({ id }: SandboxUser): Promise<string> {
    await boss.sends(`/user ${id}`)
    const card = await boss.sees(new RegExp(`Number: #\\d+ · Telegram: ${id}\\n`))
    return /#(\d+)/.exec(card.text ?? '')?.[1] ?? ''
  }

  return {
    seesBelow,
    opens,

    /** Checks the audit and stops the sandbox. */
    async close(): Promise<void> {
      expect(await audit(sandbox.app.db)).toEqual([])
      await sandbox.stop()
    },

    /** Sends a command or an answer and waits for what the desk says to it. */
    asks: boss.asks,

    /** Sends a command, confirms the question that comes for it, and waits for the result. */
    async does(command: string, question: RegExp, done: RegExp): Promise<SandboxMessage> {
      const asked = await seesBelow(await boss.sends(command), question)
      await boss.taps('✅ Yes')
      return seesBelow(asked, done)
    },

    /** A user who has written to the bot, with the gift of the sandbox. */
    async newUser(name: string, language: 'ru' | 'en' = 'en'): Promise<SandboxUser> {
      const user = await sandbox.user(name, language)
      await user.asks('/balance', /500/)
      return user
    },

    /** @returns the question for the amount */
    async asksToGrant(user: SandboxUser): Promise<SandboxMessage> {
      const number = await opens(user)
      await boss.taps('➕ Grant')
      return boss.sees(new RegExp(`/grant #${number}$`))
    },

    /** Waits until all updates of the operator are handled, and checks the balance of a user. */
    async hasBalance({ id }: SandboxUser, amount: `₽${string}`): Promise<void> {
      await seesBelow(await boss.sends('/balance'), /^Balance/)
      const { db } = sandbox.app
      const user = await findByTelegram(db, id)
      expect((await readBalance(db, user?.id ?? 0n)).available).toBe(parseRoubles(amount.slice(1)))
    },
  }
}
