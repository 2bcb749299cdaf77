// What the programs share at a terminal: the arguments that they are started with, and a question.

import { createInterface } from 'node:readline/promises'
import { parseArgs } from 'node:util'

const helpFlags = ['--help', '-h']

/** Whether help is asked for; words after `--` are values. */
export const asksForHelp = (words: readonly string[]): boolean =>
  words
    .slice(0, words.includes('--') ? words.indexOf('--') : undefined)
    .some((word) => helpFlags.includes(word))

interface Accepted {
  /** Flags without values. */
  readonly flags?: readonly string[]
  /** The largest number of words beside the flags. */
  readonly most?: number
}

/**
 * Reads the arguments of a program. It ends the program after printing the help that `--help` asks for, with code 0, and for arguments that
 * the program does not take, with code 2.
 */
export function readArguments(
  help: string,
  { flags = [], most = 0 }: Accepted = {},
): { readonly flags: ReadonlySet<string>; readonly words: readonly string[] } {
  const args = process.argv.slice(2)
  if (asksForHelp(args)) {
    process.stdout.write(`${help}\n`)
    process.exit(0)
  }
  try {
    const options = Object.fromEntries(flags.map((name) => [name, { type: 'boolean' }] as const))
    const { values, positionals } = parseArgs({ args, options, allowPositionals: most > 0 })
    const extra = positionals[most]
    if (extra !== undefined) throw new Error(`Unexpected argument '${extra}'`)
    return { flags: new Set(Object.keys(values)), words: positionals }
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n${help}\n`)
    process.exit(2)
  }
}

/** @returns the answer in small letters; empty when the input ends without one */
export async function askTerminal(question: string): Promise<string> {
  const terminal = createInterface({ input: process.stdin, output: process.stdout })
  const ended = new Promise<string>((resolve) => terminal.once('close', () => resolve('')))
  const answer = await Promise.race([terminal.question(question), ended])
  terminal.close()
  return answer.trim().toLowerCase()
}
