// A sandbox for hostile inputs. It returns the bot's answer to each input, and checks afterwards that nothing is damaged.

import { isNotNull, isNull, sql } from 'drizzle-orm'
import { expect, vi } from 'vitest'
import { accounts, updates } from '../../../src/db/schema.ts'
import { loggingTo } from '../runtime/log.ts'
import { openSandbox } from '../users/sandbox.ts'
import { labelsOf, type SandboxMessage, type SandboxUser, textOf } from '../users/user.ts'

/** One hostile input; its name is unique in its table. */
interface Row {
  readonly name: string
}

export type HostileChat = Awaited<ReturnType<typeof openHostileChat>>

/** Each row is followed by a command that marks its end, and one person may send thirty updates at once. */
const rowsPerPerson = 13
const peopleAtOnce = 6
/** The command that marks the end of each row. It opens no menu, beside which a question would only be offered. */
const mark = '/support'
/** Whether a text is the bot's answer to it. */
const isMarker = (text: string | undefined): boolean => /^(Support|Поддержка)\n/.test(text ?? '')
const welcome = 500_00n
const looking = { timeout: 100_000, interval: 150 }

export async function openHostileChat(env: Record<string, string> = {}) {
  const log = loggingTo()
  const sandbox = await openSandbox('postgres', { TOPUP_ROUBLES_PER_STAR: '1', ...env }, 160, log)

  async function playOne<R extends Row>(
    rows: readonly R[],
    send: (user: SandboxUser, row: R) => Promise<unknown>,
    person: () => Promise<SandboxUser>,
  ) {
    const user = await person()
    const { message_id: first } = await user.sends(mark)
    for (const row of rows) {
      await send(user, row)
      await user.sends(mark)
    }
    const { message_id: last } = await user.sends('/image a quiet fox')
    // The chat is polled, since looking after each event, as `sees` does, would take a third of the processor time of these tests.
    const messages = await vi.waitUntil(async () => chatAfter(await user.chat(), last), looking)
    const answers = answersBetween(messages, first)
    return rows.map((row, at) => [row.name, answers[at] ?? ''] as const)
  }

  return {
    sandbox,
    /**
     * Sends all rows. Each person sends a dozen, then orders something, which shows that the chat still works.
     * @param person makes a person who sends rows; by default a new user
     * @returns the bot's answers with the labels of buttons, by the names of the rows
     */
    async answersTo<R extends Row>(
      rows: readonly R[],
      send: (user: SandboxUser, row: R) => Promise<unknown>,
      person = () => sandbox.user('Anna'),
    ): Promise<ReadonlyMap<string, string>> {
      const portions = Array.from({ length: Math.ceil(rows.length / rowsPerPerson) }, (_, at) =>
        rows.slice(at * rowsPerPerson, (at + 1) * rowsPerPerson),
      )
      const answers = new Map<string, string>()
      while (portions.length > 0) {
        const played = portions.splice(0, peopleAtOnce).map((portion) => playOne(portion, send, person))
        for (const [name, answer] of (await Promise.all(played)).flat()) answers.set(name, answer)
      }
      return answers
    },
    /**
     * Checks that no update is set aside or waiting, no error is logged, the audit is clean, nothing is held, and no balance has changed.
     * @param maySpend whether balances may have changed, for tests that buy something
     */
    async isWell(maySpend = false) {
      const { db } = sandbox.app
      await vi.waitUntil(async () => (await db.$count(updates, isNull(updates.doneAt))) === 0, 20_000)
      expect(await db.select().from(updates).where(isNotNull(updates.setAsideAt))).toEqual([])
      const unlike = maySpend
        ? sql`${accounts.held} <> 0`
        : sql`${accounts.kind} = 'user' and ${accounts.available} <> ${welcome} or ${accounts.held} <> 0`
      await vi.waitFor(async () => expect(await db.select().from(accounts).where(unlike)).toEqual([]), 20_000)
      expect(log.lines.filter(({ level }) => level === 'error')).toEqual([])
      expect(await sandbox.get('/api/audit')).toMatchObject({ clean: true })
    },
    close: () => sandbox.stop(),
  }
}

/** All messages of a chat as soon as the order after the rows is answered; undefined before. */
const chatAfter = (messages: readonly SandboxMessage[], last: number) =>
  messages.some((one) => one.message_id > last && textOf(one).includes('a quiet fox')) ? messages : undefined

/** The bot's messages for each row: those between two answers to the marking command. */
function answersBetween(messages: readonly SandboxMessage[], first: number): string[] {
  const answers: string[][] = []
  for (const message of messages) {
    if (message.message_id < first || !message.from?.is_bot) continue
    if (isMarker(message.text)) answers.push([])
    else answers.at(-1)?.push([textOf(message), ...labelsOf(message).map((label) => `[${label}]`)].join(' '))
  }
  return answers.map((lines) => lines.join('\n'))
}
