// The settings that `npm run setup` asks for: their questions, the check of each answer, and the answers so far.

import { parseConfig } from '../../config.ts'
import type { Finding } from '../doctor/finding.ts'
import type { Settings } from './files.ts'

export interface Dialogue {
  /** @returns the answer without spaces around it */
  ask(question: string): Promise<string>
  print(line: string): void
}

const questions = {
  BOT_TOKEN: 'Token of the bot (@BotFather, /newbot)',
  TELEGRAM_PROXY: 'Proxy for Telegram, http://… or socks5://… (Enter: go on without an answer of Telegram)',
  GATEWAY_URL: 'Address of the gateway, without /v1',
  GATEWAY_KEY: 'API key of the gateway',
  DATABASE_URL: 'Database: postgres://user:password@host/name, or for a trial pglite:./data/trial',
  PUBLIC_HOST: 'Public name of this machine, like bot.example.com (Enter: none)',
  SUPPORT_CONTACT: 'Where users get help: @name, a link or an address (Enter: nowhere)',
  STAR_INCOME: 'Roubles that you get for one Telegram Star, like 1.00 (Enter: unknown)',
  TOPUP_ROUBLES_PER_STAR: 'Roubles that one Star credits to a user, like 1.00 (Enter: no payments in Stars)',
}
type Name = keyof typeof questions
const isName = (name: string): name is Name => Object.hasOwn(questions, name)

export async function confirm({ ask }: Dialogue, question: string, usual = true): Promise<boolean> {
  const answer = await ask(`${question} [${usual ? 'Y/n' : 'y/N'}] `)
  return answer === '' ? usual : /^y/i.test(answer)
}

/** Asks until the answer is valid. @param usual what an empty answer means */
export async function askValid(
  { ask, print }: Dialogue,
  question: string,
  problemOf: (answer: string) => string | undefined,
  usual = '',
): Promise<string> {
  for (;;) {
    const answer = (await ask(question)) || usual
    const problem = problemOf(answer)
    if (problem === undefined) return answer
    print(problem)
  }
}

/** A value without its secret part. */
export const masked = (name: string, value: string): string =>
  /TOKEN|KEY|PASSWORD/.test(name) ? `${value.slice(0, 3)}…` : value.replace(/(\/\/[^/]*:)[^/]*@/, '$1…@')

export type Form = ReturnType<typeof createForm>

/** @param present the settings of `.env` */
export function createForm(dialogue: Dialogue, present: Settings) {
  const values = new Map(Object.entries(present))

  /** What the app would say about this value. */
  function problemOf(name: string, value: string): string | undefined {
    if (value.includes("'")) return `${name}: write it without '`
    if (name === 'PUBLIC_HOST' && !/^([\w-]+(\.[\w-]+)+)?$/.test(value))
      return `${name}: write a name like bot.example.com`
    const parsed = parseConfig({ ...Object.fromEntries(values), CATALOG_FILE: '', [name]: value })
    return parsed.ok ? undefined : parsed.problems.find((line) => line.startsWith(`${name}:`))
  }

  /** Asks for a setting; Enter keeps its value. @returns whether the value has changed */
  async function fill(name: Name): Promise<boolean> {
    const before = values.get(name) ?? ''
    const question = `${questions[name]}${before && ` [${masked(name, before)}]`}: `
    const value = await askValid(dialogue, question, (answer) => problemOf(name, answer), before)
    if (value !== '') values.set(name, value)
    return value !== before
  }

  /** Repeats a check until nothing is wrong, or the operator keeps the value that is wrong. */
  async function settle(check: () => Promise<readonly Finding[]>): Promise<void> {
    for (;;) {
      const findings = await check()
      const shown = findings.find(({ verdict }) => verdict === 'wrong') ?? findings[0]
      dialogue.print(`${shown?.verdict}: ${shown?.what}`)
      const named = /^\w+/.exec(shown?.what ?? '')?.[0].replace('TELEGRAM_API_ROOT', 'TELEGRAM_PROXY') ?? ''
      if (shown?.verdict !== 'wrong' || !isName(named) || !(await fill(named))) return
    }
  }

  return {
    dialogue,
    fill,
    settle,
    problemOf,
    value: (name: string): string => values.get(name) ?? '',
    set: (name: string, value: string) => void values.set(name, value),
    changes: () => new Map([...values].filter(([name, value]) => present[name] !== value)),
  }
}
