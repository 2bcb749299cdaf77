// The operator's commands in a terminal: words in, lines out. Independent of Telegram and of the environment.

import { parseArgs } from 'node:util'
import { changingCommands } from './changing.ts'
import { type Command, type Deps, type Flags, flagOptions, Refused, Usage } from './common.ts'
import { readingCommands } from './reading.ts'

interface Outcome {
  /** The exit code. 0: done, 1: refused, 2: not understood. */
  readonly code: 0 | 1 | 2
  readonly lines: readonly string[]
}

const commands: Readonly<Record<string, Command>> = {
  ...readingCommands,
  ...changingCommands,
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

/** A command that is understood, ready to run, or what is wrong with the words. */
type Understood =
  | { readonly ok: true; readonly run: (deps: Deps) => Promise<Outcome> }
  | { readonly ok: false; readonly outcome: Outcome }

function understand([name = '', ...rest]: readonly string[]): Understood {
  const command = commandOf(name)
  if (!command) {
    const problem = name === '' ? [] : [`There is no command "${name}".`]
    return { ok: false, outcome: { code: 2, lines: [...problem, ...usage] } }
  }
  try {
    const { args, flags } = parse(rest)
    refuseExtra(command, [name, ...args], flags)
    return { ok: true, run: (deps) => runUnderstood(command, deps, args, flags) }
  } catch (error) {
    return { ok: false, outcome: outcomeOf(error, command) }
  }
}

/** What is wrong with the words, which is said before a database is opened. */
export function misunderstood(words: readonly string[]): Outcome | undefined {
  const understood = understand(words)
  return understood.ok ? undefined : understood.outcome
}

export async function runCommand(deps: Deps, words: readonly string[]): Promise<Outcome> {
  const understood = understand(words)
  return understood.ok ? understood.run(deps) : understood.outcome
}

async function runUnderstood(
  ...[command, ...given]: [Command, ...Parameters<Command['run']>]
): Promise<Outcome> {
  try {
    return { code: 0, lines: await command.run(...given) }
  } catch (error) {
    return outcomeOf(error, command)
  }
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
const flagInUsage = /\[?--(\w+) <[^>]+>\]?/g
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
