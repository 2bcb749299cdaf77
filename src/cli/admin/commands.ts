// The operator's commands in a terminal: words in, lines out. Independent of Telegram and of the environment.

import { parseArgs } from 'node:util'
import { builtInOf } from '../../ledger/built-in-notes.ts'
import { formatRoubles, type Kopecks } from '../../money.ts'
import { entriesCsv, entriesOf, figuresCsv } from '../../operator/accounting.ts'
import { readLog, recordAction, userSubject } from '../../operator/actions.ts'
import { type Figures, type ModelFigures, readFigures } from '../../operator/figures.ts'
import { lastGenerations, lastPayments, operatorStateOf, readProfile } from '../../operator/people.ts'
import { type Period, periodExamples, readPeriod } from '../../operator/periods.ts'
import { openUnmatched } from '../../payments/payment.ts'
import { localTime } from '../../runtime/clock.ts'
import { switchedOff } from '../../sales/sales.ts'
import { changingCommands } from './changing.ts'
import {
  type Command,
  chargeText,
  type Deps,
  describe,
  type Flags,
  flagOptions,
  Refused,
  Usage,
  userBy,
} from './common.ts'
import { promotionCommands } from './promotions.ts'

// Commands that change nothing.

const user: Command = {
  usage: ['user <user>'],
  async run(deps, words) {
    const { person } = await userBy(deps, words.join(' '))
    const { timeZone } = deps
    const { balance, spent, paid, orders, failures, banReason } = await readProfile(deps.db, person)
    await recordAction(deps, { by: null, action: 'view', subject: userSubject(person.id) })
    const last = await lastGenerations(deps.db, person.id, 5)
    const payments = await lastPayments(deps.db, person.id, 5)
    return [
      describe(person),
      ...(person.bannedAt
        ? [`Banned since ${localTime(person.bannedAt, timeZone)}: ${banReason ?? 'no reason'}`]
        : []),
      ...(person.partnerPercent === null ? [] : [`Partner: ${person.partnerPercent}% of each top-up`]),
      `Balance ${formatRoubles(balance.available)}, held ${formatRoubles(balance.held)}`,
      `Paid ${formatRoubles(paid)}, spent ${formatRoubles(spent)}; ${orders} orders, ${failures} failed`,
      ...last.map((order) => {
        const { id, createdAt, modelId, amount, captured, refunded } = order
        const state = operatorStateOf(order)
        const shown = state === 'partly' ? `refunded ${formatRoubles(refunded ?? 0n)} of` : state
        const price = formatRoubles(captured ?? amount)
        return `order ${id} ${localTime(createdAt, timeZone)} ${modelId} ${shown} ${price}`
      }),
      ...payments.map(({ provider, chargeId, credit, createdAt, refundedAt }) => {
        const state = refundedAt ? 'refunded' : 'paid'
        return `payment ${provider}:${chargeId} ${localTime(createdAt, timeZone)} ${state} ${formatRoubles(credit)}`
      }),
    ]
  },
}

/** @throws Usage */
function periodIn({ clock, timeZone }: Deps, typed: string): Period {
  const period = readPeriod(typed, clock.now(), timeZone)
  if (!period) throw new Usage(`Write a period: ${periodExamples}.`)
  return period
}

const linesOf = (table: string): readonly string[] => table.trimEnd().split('\r\n')

const stats: Command = {
  usage: ['stats [period] [--csv]'],
  async run(deps, [typed = 'today'], { csv }) {
    const { db, providers } = deps
    const period = periodIn(deps, typed)
    const found = await readFigures(db, period, providers)
    if (csv) return linesOf(figuresCsv(found, ['day', 'model', 'source']))
    const off = [...(await switchedOff(db))]
    return [...figureLines(period, found), ...(off.length > 0 ? [`Switched off: ${off.join(', ')}`] : [])]
  },
}

const sources: Command = {
  usage: ['sources [period] [--csv]'],
  async run(deps, [typed = '30'], { csv }) {
    const found = await readFigures(deps.db, periodIn(deps, typed))
    if (csv) return linesOf(figuresCsv(found, ['source']))
    return found.sources.map(({ source, came, ordered, paid, ...sums }) =>
      [
        `${source}: ${came} came, ${ordered} ordered, ${paid} paid`,
        `top-ups ${formatRoubles(sums.topUps)}`,
        `revenue ${formatRoubles(sums.revenue)}, of it from newcomers ${formatRoubles(sums.newRevenue)}`,
        `refunds ${formatRoubles(sums.refunds)}, margin before commissions ${formatRoubles(sums.margin)}`,
      ].join(' · '),
    )
  },
}

const accounting: Command = {
  usage: ['accounting [period]'],
  async run(deps, [typed = 'month']) {
    const entries = await entriesOf(deps.db, periodIn(deps, typed), deps.providers ?? [])
    return linesOf(entriesCsv(entries, deps.timeZone))
  },
}

const log: Command = {
  usage: ['log [lines]'],
  async run(deps, [typed = '20']) {
    if (!/^[1-9]\d{0,3}$/.test(typed)) throw new Usage('How many lines?')
    const actions = await readLog(deps, Number(typed))
    return actions.map(({ createdAt, operatorId, action, subject, reason, details }) => {
      const { amount } = details
      return [
        localTime(createdAt, deps.timeZone),
        operatorId === null ? 'terminal' : String(operatorId),
        action,
        subject,
        ...(typeof amount === 'string' ? [formatRoubles(BigInt(amount))] : []),
        ...(reason ? [builtInOf(reason, () => false) ?? reason] : []),
      ].join(' · ')
    })
  },
}

const unmatched: Command = {
  usage: ['unmatched'],
  async run({ db, timeZone }) {
    const open = await openUnmatched(db)
    if (open.length === 0) return ['All payments fit a top-up or are assigned.']
    return [
      ...open.map((payment) => {
        const { provider, chargeId, userId, named, createdAt } = payment
        return [
          localTime(createdAt, timeZone),
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

// The figures of a period for the terminal: the same as /admin shows.

const figureLines = (period: Period, found: Figures): readonly string[] => [
  headOf(period),
  ...resultLines(found),
  ...found.models.map(modelLine),
  ...owedLines(found),
  `Users: ${found.total.came} came, of them ${found.total.ordered} ordered and ${found.total.paid} paid; ${found.activeUsers} active`,
  `Open reports: ${found.openReports}`,
]

const headOf = ({ days, firstDay, lastDay, zone }: Period): string =>
  days.length === 1 ? `${lastDay} (${zone})` : `${firstDay} to ${lastDay} (${zone})`

function resultLines(found: Figures): readonly string[] {
  const { sales, refunds, revenue, mediaCost, textCost, cost, margin, late, lost, estimated, uncosted } =
    found
  const { known, unknown } = found.commissions
  return [
    `Sales ${formatRoubles(sales)} − refunds ${formatRoubles(refunds)} = revenue ${formatRoubles(revenue)}`,
    `Gateway: media ${formatRoubles(mediaCost)} + text ${formatRoubles(textCost)} = cost ${formatRoubles(cost)}`,
    `Margin ${formatRoubles(margin)}`,
    ...(known === 0n ? [] : [`  Commissions on top-ups are taken off: ${formatRoubles(known)}`]),
    ...(unknown.length > 0 ? [`  Before the commissions of: ${unknown.join(', ')}`] : []),
    ...(late.count > 0
      ? [
          `  In the cost: ${formatRoubles(late.cost)} for results that came after the refund and were given free (${late.count})`,
        ]
      : []),
    ...(lost.count > 0
      ? [
          `  In the cost: ${formatRoubles(lost.cost)} for results that could not be downloaded and were refunded (${lost.count})`,
        ]
      : []),
    ...(estimated > 0
      ? [
          `  In the cost: answers whose tokens the gateway did not report, with estimated tokens (${estimated})`,
        ]
      : []),
    ...(uncosted.count > 0
      ? [
          `  Not in the cost: answers that were stored without the gateway's rates (${uncosted.count}), sold for ${formatRoubles(uncosted.sales)}`,
        ]
      : []),
  ]
}

function modelLine({ modelId, done, failed, sales, refunds, cost, margin }: ModelFigures): string {
  const money = `${formatRoubles(sales)} − ${formatRoubles(refunds)} − ${formatRoubles(cost)} = ${formatRoubles(margin)}`
  return `  ${modelId ?? 'no model (run the audit)'}: ${done} done, ${failed} failed; sales − refunds − cost = margin before commissions: ${money}`
}

function owedLines({ owed, topUps }: Figures): readonly string[] {
  const by = topUps.map(({ provider, count, credit }) => `${provider} ${formatRoubles(credit)} (${count})`)
  return [
    `Owed to users before: ${formatRoubles(owed.before)}`,
    `  top-ups ${signed(owed.topUps)}${by.length > 0 ? `: ${by.join(', ')}` : ''}`,
    `  refunds of payments ${signed(owed.paymentRefunds)}`,
    `  promotions ${signed(owed.promotions)}`,
    `  corrections ${signed(owed.grants)} and ${signed(owed.debits, '−')}`,
    `  sales ${signed(owed.sales, '−')}`,
    `  refunds of orders ${signed(owed.refunds)}`,
    `Owed to users at the end: ${formatRoubles(owed.now)} = available ${formatRoubles(owed.available)} + held ${formatRoubles(owed.held)} + wallets of groups ${formatRoubles(owed.groups)}`,
  ]
}

/** @param zero the sign of an amount of zero */
const signed = (amount: Kopecks, zero = '+'): string =>
  amount < 0n ? formatRoubles(amount) : `${amount === 0n ? zero : '+'}${formatRoubles(amount)}`

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
