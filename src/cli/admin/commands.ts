// The operator's commands in a terminal: words in, lines out. Independent of Telegram and of the environment.

import { parseArgs } from 'node:util'
import {
  figuresText,
  logLine,
  orderLine,
  paymentLine,
  profileText,
  sourceLine,
} from '../../bot/admin/texts.ts'
import { entriesCsv, entriesOf, figuresCsv } from '../../operator/accounting.ts'
import { readLog, recordAction, userSubject } from '../../operator/actions.ts'
import { readFigures } from '../../operator/figures.ts'
import { lastGenerations, lastPayments, readProfile } from '../../operator/people.ts'
import { type Period, periodExamples, readPeriod } from '../../operator/periods.ts'
import { openUnmatched } from '../../payments/payment.ts'
import { localTime } from '../../runtime/clock.ts'
import { switchedOff } from '../../sales/sales.ts'
import { changingCommands } from './changing.ts'
import {
  type Command,
  chargeText,
  type Deps,
  type Flags,
  flagOptions,
  linesOf,
  Refused,
  say,
  Usage,
  userBy,
} from './common.ts'
import { promotionCommands } from './promotions.ts'

// Commands that change nothing.

const user: Command = {
  usage: ['user <user>'],
  async run(deps, words) {
    const { person } = await userBy(deps, words.join(' '))
    const profile = await readProfile(deps.db, person)
    await recordAction(deps, { by: null, action: 'view', subject: userSubject(person.id) })
    const orders = await lastGenerations(deps.db, person.id, 5)
    const payments = await lastPayments(deps.db, person.id, 5)
    return [
      profileText(deps, say, profile),
      ...orders.map((one) => orderLine(deps, say, one)),
      ...payments.map((one) => paymentLine(deps, say, one)),
    ].flatMap(linesOf)
  },
}

/** @throws Usage */
function periodIn({ clock, operator }: Deps, typed: string): Period {
  const period = readPeriod(typed, clock.now(), operator.timeZone)
  if (!period) throw new Usage(`Write a period: ${periodExamples}.`)
  return period
}

const rowsOf = (table: string): readonly string[] => table.trimEnd().split('\r\n')

const stats: Command = {
  usage: ['stats [period] [--csv]'],
  async run(deps, [typed = 'today'], { csv }) {
    const { db, providers } = deps
    const period = periodIn(deps, typed)
    const found = await readFigures(db, period, providers)
    if (csv) return rowsOf(figuresCsv(found, ['day', 'model', 'source']))
    const off = [...(await switchedOff(db))]
    return [
      ...linesOf(figuresText(deps, say, period, found)),
      ...(off.length > 0 ? [`Switched off: ${off.join(', ')}`] : []),
    ]
  },
}

const sources: Command = {
  usage: ['sources [period] [--csv]'],
  async run(deps, [typed = '30'], { csv }) {
    const found = await readFigures(deps.db, periodIn(deps, typed))
    if (csv) return rowsOf(figuresCsv(found, ['source']))
    return found.sources.flatMap((one) => linesOf(sourceLine(say, one)))
  },
}

const accounting: Command = {
  usage: ['accounting [period]'],
  async run(deps, [typed = 'month']) {
    const entries = await entriesOf(deps.db, periodIn(deps, typed), deps.providers)
    return rowsOf(entriesCsv(entries, deps.operator.timeZone))
  },
}

const log: Command = {
  usage: ['log [lines]'],
  async run(deps, [typed = '20']) {
    if (!/^[1-9]\d{0,3}$/.test(typed)) throw new Usage('How many lines?')
    const actions = await readLog(deps, Number(typed))
    return actions.flatMap((one) => linesOf(logLine(deps, say, one)))
  },
}

const unmatched: Command = {
  usage: ['unmatched'],
  async run({ db, operator }) {
    const open = await openUnmatched(db)
    if (open.length === 0) return ['All payments fit a top-up or are assigned.']
    return [
      ...open.map((payment) => {
        const { provider, chargeId, userId, named, createdAt } = payment
        return [
          localTime(createdAt, operator.timeZone),
          `${provider}:${chargeId}`,
          chargeText(payment),
          userId === null ? 'payer unknown' : `payer #${userId}`,
          `for ${named || 'nothing'}`,
        ].join(' · ')
      }),
      'npm run admin -- assign <charge> <user> <roubles> <reason>',
    ]
  },
}

const readingCommands = { user, stats, sources, accounting, log, unmatched }

interface Outcome {
  /** The exit code. 0: done, 1: refused, 2: not understood. */
  readonly code: 0 | 1 | 2
  readonly lines: readonly string[]
}

const commands: Readonly<Record<string, Command>> = {
  ...readingCommands,
  ...changingCommands,
  ...promotionCommands,
}

const usage: readonly string[] = [
  'npm run admin -- <command>',
  ...Object.values(commands).flatMap((command) => command.usage.map((line) => `  ${line}`)),
  'A user is a Telegram id, our number like #17, the id of an order, task or payment, @username, or a part of a name.',
  'A change is confirmed first, by an answer or by --yes, if its user is named by @username, a bare number of ours or a part of a name.',
]

const commandOf = (name = ''): Command | undefined =>
  Object.hasOwn(commands, name) ? commands[name] : undefined

/** The usage of the command that the words name, else of all. */
export function helpOf([name]: readonly string[]): readonly string[] {
  const command = commandOf(name)
  return command ? usageOf(command) : usage
}

const usageOf = (command: Command) => command.usage.map((line) => `npm run admin -- ${line}`)

/** @returns a function that runs the command, or what is wrong with the words, which is said before a database is opened */
export function understand([name = '', ...rest]: readonly string[]):
  | Outcome
  | ((deps: Deps) => Promise<Outcome>) {
  const command = commandOf(name)
  if (!command) {
    const problem = name === '' ? [] : [`There is no command "${name}".`]
    return { code: 2, lines: [...problem, ...usage] }
  }
  try {
    const { args, flags } = parse(rest)
    refuseExtra(command, [name, ...args], flags)
    return (deps) =>
      command.run(deps, args, flags).then(
        (lines): Outcome => ({ code: 0, lines }),
        (error: unknown) => outcomeOf(error, command),
      )
  } catch (error) {
    return outcomeOf(error, command)
  }
}

export async function runCommand(deps: Deps, words: readonly string[]): Promise<Outcome> {
  const understood = understand(words)
  return typeof understood === 'function' ? understood(deps) : understood
}

/** @throws errors that are no answers */
function outcomeOf(error: unknown, command: Command): Outcome {
  if (error instanceof Refused) return { code: 1, lines: [error.message] }
  if (!(error instanceof Usage)) throw error
  return { code: 2, lines: [error.message, ...usageOf(command)] }
}

function parse(words: readonly string[]): { args: readonly string[]; flags: Flags } {
  try {
    const { positionals, values } = parseArgs({
      args: [...words],
      allowPositionals: true,
      options: flagOptions,
    })
    return { args: positionals, flags: values }
  } catch (error) {
    throw new Usage(error instanceof Error ? error.message : String(error))
  }
}

/** A flag in a line of usage, with its value: `[--until <YYYY-MM-DD>]`. */
const flagInUsage = /\[?--(\w+)(?: <[^>]+>)?\]?/g
/** A reason, and the name of a user, may have several words. */
const endsOpen = /<(reason|user)>$/

/** @throws Usage for words and flags that are not in the line of usage for this call */
function refuseExtra({ usage }: Command, called: readonly string[], flags: Flags): void {
  const isMeant = (words: readonly string[]) =>
    words.every((word, at) => /[<[|]/.test(word) || word === called[at])
  const lines = usage.map((line) => ({
    flags: [...line.matchAll(flagInUsage)].map(([, flag]) => flag),
    words: line.replaceAll(flagInUsage, '').trim().split(' '),
  }))
  const [line] = lines
    .filter(({ words }) => isMeant(words))
    .toSorted((a, b) => b.words.length - a.words.length)
  if (!line) return
  const flag = Object.keys(flags).find((one) => one !== 'yes' && !line.flags.includes(one))
  if (flag !== undefined) throw new Usage(`Unexpected option --${flag}`)
  const extra = called[line.words.length]
  if (extra !== undefined && !endsOpen.test(line.words.at(-1) ?? ''))
    throw new Usage(`Unexpected argument "${extra}"`)
}
