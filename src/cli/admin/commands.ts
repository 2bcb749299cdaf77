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

export const usage: readonly string[] = [
  'npm run admin -- <command>',
  ...Object.values(commands).flatMap((command) => command.usage.map((line) => `  ${line}`)),
  'A user is a Telegram id, our number like #17, the id of an order, task or payment, @username, or a part of a name.',
  'A change is confirmed first, by an answer or by --yes, if its user is named by @username, a bare number of ours or a part of a name.',
]

export async function runCommand(deps: Deps, words: readonly string[]): Promise<Outcome> {
  const [name = '', ...rest] = words
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (!command) {
    const problem = name === '' ? [] : [`There is no command "${name}".`]
    return { code: 2, lines: [...problem, ...usage] }
  }
  try {
    const { args, flags } = parse(rest)
    return { code: 0, lines: await command.run(deps, args, flags) }
  } catch (error) {
    if (error instanceof Refused) return { code: 1, lines: [error.message] }
    if (!(error instanceof Usage)) throw error
    return { code: 2, lines: [error.message, ...command.usage.map((line) => `npm run admin -- ${line}`)] }
  }
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
