// Hostile amounts: typed by users in /topup, and typed by operators in /grant, /debit and /promo_add.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createUser } from '../support/users/user.ts'
import { type HostileChat, openHostileChat } from '../support/worlds/hostile-chat.ts'
import { amounts, noAmounts } from './tables/amounts.ts'

const roubles = (kopecks: bigint) =>
  `${(kopecks / 100n).toLocaleString('en')}.${String(kopecks % 100n).padStart(2, '0')}`
const how = (kopecks: bigint) =>
  kopecks >= 50_00n && kopecks <= 15_000_00n
    ? `How would you like to pay ₽${roubles(kopecks)}?`
    : `₽${roubles(kopecks)} is outside the limits. You can top up from ₽50.00 to ₽15,000.00.`
const unread = (text: string) =>
  text.trim() === '' ? 'How much? From' : 'I couldn’t read the amount. Write the number of roubles'

/** Telegram removes or replaces these characters before the bot sees them. */
const isChangedOnTheWay = (text: string) => /[\t\r\0\u00ad\u202a-\u202e]/.test(text)

const topUps = [
  ...amounts.map(([text, kopecks]) => [text, how(kopecks)] as const),
  ...noAmounts.filter((text) => !isChangedOnTheWay(text)).map((text) => [text, unread(text)] as const),
].map(([text, reads]) => ({ name: text, reads }))

/** Corrections in which a number after the amount belongs to the reason, or must not be joined with the amount. */
const corrections = [
  ['1,000 bonus', 'Add ₽1,000.00 to'],
  ['1.234 bonus', 'Add ₽1,234.00 to'],
  ['1,000.00 bonus', 'Add ₽1,000.00 to'],
  ["1'000 bonus", 'Add ₽1,000.00 to'],
  ['1 000 bonus', 'An amount and a reason, please'],
  ['500 500 errors', 'An amount and a reason, please'],
  ['1\u00a0000,00\u00a0₽ bonus', 'Add ₽1,000.00 to'],
  ['500 bonus', 'Add ₽500.00 to'],
  ['500 5000 points', 'Add ₽500.00 to'],
  ['500 12 errors', 'Add ₽500.00 to'],
  ['500₽ bonus', 'Add ₽500.00 to'],
  ['500 ₽ bonus', 'reason: bonus'],
  ['500 руб. bonus', 'reason: bonus'],
  ['500', 'An amount and a reason, please'],
  ['0 bonus', 'An amount and a reason, please'],
  ['-500 bonus', 'An amount and a reason, please'],
  ['bonus 500', 'An amount and a reason, please'],
  ['1e9 bonus', 'An amount and a reason, please'],
  ['٥٠٠ bonus', 'An amount and a reason, please'],
  ['NaN bonus', 'An amount and a reason, please'],
  ['0.001 bonus', 'An amount and a reason, please'],
  ['500,555 bonus', 'Add ₽500,555.00 to'],
  [`${'9'.repeat(400)} bonus`, 'An amount and a reason, please'],
].map(([name = '', reads = '']) => ({ name, reads }))

const codes = [
  ['CODE-A1 500 1', 'CODE-A1: ₽500.00 for'],
  ['CODE-A2 1,000 1', 'CODE-A2: ₽1,000.00 for'],
  ['CODE-A3 1 000 1', 'Code, amount, number of people'],
  ['CODE-A4 1e3 1', 'Code, amount, number of people'],
  ['CODE-A5 500 1e3', 'Code, amount, number of people'],
  ['CODE-A6 500 0', 'Code, amount, number of people'],
  ['CODE-A7 500 -1', 'Code, amount, number of people'],
  ['CODE-A8 500 ١', 'Code, amount, number of people'],
  ['CODE-A9 500 1.5', 'Code, amount, number of people'],
  ['CODE-B1 500 99999999', 'Code, amount, number of people'],
  ['CODE-B2 500 1 2026-02-30', 'Code, amount, number of people'],
  ['CODE-B3 500 1 0000-00-00', 'Code, amount, number of people'],
  ['CODE-B4 500 1 275760-09-14', 'Code, amount, number of people'],
  ['CODE-B5 500 1 tomorrow', 'Code, amount, number of people'],
  ['CODE-B6 0 1', 'Code, amount, number of people'],
  ['CODE-\u202e77 500 1', 'CODE-77: ₽500.00 for'],
  ['\u202e\u202e\u202e\u202e 500 1', 'Code, amount, number of people'],
].map(([name = '', reads = '']) => ({ name, reads }))

describe('a command with an amount', () => {
  let chat: HostileChat
  const operators = Array.from({ length: 8 }, (_, at) => 9000 + at)
  const answers = new Map<string, string>()
  beforeAll(async () => {
    chat = await openHostileChat({ ADMIN_IDS: operators.join(',') })
    const { url } = chat.sandbox
    const operator = () =>
      createUser(url, { first_name: 'Boss', language_code: 'en', id: operators.pop() ?? 0 })
    const commands = [
      { command: '/topup', rows: topUps },
      { command: '/grant #1', rows: corrections, person: operator },
      { command: '/debit #1', rows: corrections, person: operator },
      { command: '/promo_add', rows: codes, person: operator },
    ]
    for (const { command, rows, person } of commands) {
      const read = await chat.answersTo(rows, (user, { name }) => user.sends(`${command} ${name}`), person)
      for (const [name, answer] of read) answers.set(`${command} ${name}`, answer)
    }
  })
  afterAll(() => chat.close())
  const answerTo = (command: string) => answers.get(command)

  it.each(topUps)('is answered as expected: /topup $name', ({ name, reads }) => {
    expect(answerTo(`/topup ${name}`)).toContain(reads)
  })

  it.each(corrections)('is answered as expected: /grant and /debit with $name', ({ name, reads }) => {
    expect(answerTo(`/grant #1 ${name}`)).toContain(reads)
    const tooMuch = 'has only ₽500.00: more than that cannot be taken'
    const taken = /₽\d+,\d/.test(reads) ? tooMuch : reads.replace(/^Add (.*) to$/, 'Take $1 from')
    expect(answerTo(`/debit #1 ${name}`)).toContain(taken)
  })

  it.each(codes)('is answered as expected: /promo_add $name', ({ name, reads }) => {
    expect(answerTo(`/promo_add ${name}`)).toContain(reads)
  })

  it('causes no error, leaves no update waiting and changes no balance', () => chat.isWell())
})
