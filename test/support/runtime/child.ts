// Runs a program of the project in a child process, with only the environment that a test passes.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inject } from 'vitest'

const root = join(import.meta.dirname, '../../..')

export type Child = ReturnType<typeof start>

interface Place {
  readonly file: string
  /** The folder of the compile cache, with which a program that is started often starts faster. */
  readonly compiled: string
}

/** The place of a program in the bundle of this run, or its source file if the bundle does not have it. */
function placeOf(program: string): Place {
  const bundle = inject('bundle')
  const [, path = ''] = /^src\/(.*)\.ts$/.exec(program) ?? []
  const file = join(bundle, `${path}.js`)
  return existsSync(file)
    ? { file, compiled: join(bundle, 'compiled') }
    : { file: join(root, program), compiled: join(tmpdir(), 'bot-tests-compiled') }
}

/** @param program a file below the project's root @param input what is typed into it */
export function start(program: string, env: Record<string, string> = {}, args: string[] = [], input = '') {
  const { file, compiled } = placeOf(program)
  const child = spawn(process.execPath, [file, ...args], {
    env: { NODE_COMPILE_CACHE: compiled, ...env },
    cwd: root,
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  child.stdin.end(input)
  let output = ''
  let complaints = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    complaints += text
  })
  const ended = once(child, 'close').then(([code, signal]): number | string => code ?? signal)
  return {
    isRunning: () => child.exitCode === null && child.signalCode === null,
    /** The stdout so far. */
    output: () => output,
    /** The stderr so far. */
    complaints: () => complaints,
    /** The first line on stdout. Rejects when the process ends without one. */
    async firstLine() {
      while (!output.includes('\n')) {
        const more = await Promise.race([
          once(child.stdout, 'data').then(() => true),
          ended.then(() => false),
        ])
        if (!more && !output.includes('\n')) throw new Error(`${program} ended: ${complaints}`)
      }
      return output.slice(0, output.indexOf('\n'))
    },
    /** Resolves to the exit code, or to the signal that ended it. */
    ended,
    kill: (signal: 'SIGTERM' | 'SIGINT' | 'SIGKILL') => void child.kill(signal),
  }
}

/** Runs the program to its end. */
export async function run(...[program, env, args, input]: Parameters<typeof start>) {
  const child = start(program, env, args, input)
  const code = await child.ended
  return { code, output: child.output(), complaints: child.complaints() }
}
