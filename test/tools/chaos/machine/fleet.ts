// Starts, kills, pauses and ends the processes of the app. A process that ended is restarted, as by a supervisor.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, mkdirSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { allSettledWithin } from '../../../../src/runtime/clock.ts'
import type { RunClock } from '../clock.ts'
import { everybody, type Journal } from '../journal.ts'

interface FleetOptions {
  /** The path of the program. */
  readonly program: string
  /** The folder in which the processes run; their logs are written to its folder `logs`. */
  readonly folder: string
  readonly env: Readonly<Record<string, string>>
  /** One process for each port. */
  readonly ports: readonly number[]
  readonly clock: RunClock
  readonly journal: Journal
}

export type Member = ReturnType<typeof createMember>

/** The pause before a process that ended is started again. */
const restartMs = 100
/** The wait before a process that does not end is killed; longer than the app takes to shut down. */
const patienceMs = 8000

export function createFleet(options: FleetOptions) {
  const logs = join(options.folder, 'logs')
  mkdirSync(logs, { recursive: true })
  const members = options.ports.map((port) => createMember(options, join(logs, `${port}.log`), port))
  // Without this a paused process would outlive the harness.
  const killAll = () => {
    for (const member of members) member.kill()
  }
  process.once('exit', killAll)
  return {
    members,
    logs,
    /** Shuts all processes down, kills those that do not end in time, and restarts none. */
    async close() {
      await Promise.all(members.map((member) => member.close()))
      process.off('exit', killAll)
    },
  }
}

function createMember(options: FleetOptions, log: string, port: number) {
  const { journal, clock } = options
  const name = `process :${port}`
  let isClosing = false
  let isUp = false
  let started = Promise.withResolvers<void>()
  let child = launch()

  function launch(): ChildProcess {
    const begun = spawnApp(options, log, port)
    begun.once('message', () => {
      isUp = true
      started.resolve()
      journal.note(everybody, `${name} started`)
    })
    begun.once('exit', (code, signal) => void ended(code ?? signal))
    return begun
  }

  async function ended(how: number | string | null): Promise<void> {
    if (isUp) started = Promise.withResolvers()
    isUp = false
    journal.note(everybody, `${name} ended: ${how}`)
    journal.count(`process ended: ${how}`)
    await clock.wait(restartMs)
    if (!isClosing) child = launch()
  }

  const strike = (signal: NodeJS.Signals, what: string) => {
    journal.note(everybody, `${name} ${what}`)
    journal.count(`process: ${what}`)
    child.kill(signal)
  }

  return {
    port,
    /** Whether the process has started and has not ended; it may be paused. */
    isUp: () => isUp,
    /** Ends the process at once, even while it is paused. */
    kill: () => strike('SIGKILL', 'killed'),
    /** Pauses the process for this time. */
    async hold(ms: number) {
      const held = child
      strike('SIGSTOP', 'paused')
      await clock.wait(ms)
      held.kill('SIGCONT')
      journal.note(everybody, `${name} resumed after ${ms} ms`)
    },
    /** Asks the process to shut down. */
    ask: () => strike('SIGTERM', 'asked to end'),
    /** Resolves when the process is up. */
    up: () => started.promise,
    async close() {
      isClosing = true
      if (child.exitCode !== null || child.signalCode !== null) return
      const gone = once(child, 'exit')
      child.kill('SIGCONT')
      child.kill('SIGTERM')
      if (!(await allSettledWithin([gone], clock, patienceMs))) child.kill('SIGKILL')
      await gone
    },
  }
}

function spawnApp({ program, folder, env, clock }: FleetOptions, log: string, port: number): ChildProcess {
  const output = openSync(log, 'a')
  try {
    return spawn(process.execPath, [program], {
      cwd: folder,
      env: { ...env, PORT: String(port), CHAOS_PACE: clock.file },
      stdio: ['ignore', output, output, 'ipc'],
    })
  } finally {
    closeSync(output)
  }
}
