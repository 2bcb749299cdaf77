// Code that the programs of the sandbox share: settings from the environment, error messages about them, an orderly shutdown.

import { z } from 'zod'

export function quit(message: string): never {
  process.stderr.write(`${message}\n`)
  process.exit(1)
}

type Environment = Readonly<Record<string, string>>

/** Empty variables count as absent. */
export const givenIn = (env: Readonly<Record<string, string | undefined>>): Environment =>
  Object.fromEntries(Object.entries(env).flatMap(([name, value]) => (value ? [[name, value]] : [])))

export function settingsFrom<T>(schema: z.ZodType<T>, given: Environment): T {
  const parsed = schema.safeParse(given)
  if (parsed.success) return parsed.data
  return quit(`These settings are wrong:\n${z.prettifyError(parsed.error)}`)
}

/** @param name the name of the variable that sets the port */
export function quitIfTaken(error: unknown, name: string, port: number): void {
  if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') {
    quit(`${name}: port ${port} is already in use; set another one, for example ${name}=${port + 1}`)
  }
}

/** Ctrl-C arrives twice, from the terminal and from npm or launch.js: the second signal must not interrupt the shutdown. */
export function stopOnSignals(stop: () => Promise<void>): void {
  let stopped: Promise<void> | undefined
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, async () => {
      stopped ??= stop()
      await stopped
      process.exit(0)
    })
  }
}
