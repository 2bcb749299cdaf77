// Structured logging: one line per event, with the subject of the current trace (trace.ts), as JSON or for a person at a terminal. Secrets
// are replaced in every line.

import { pino, stdTimeFunctions } from 'pino'
import { prettyLine } from './log-lines.ts'
import { defaultTimeZone } from './time-zone.ts'
import { traced } from './trace.ts'

export interface Log {
  debug(facts: object, event: string): void
  info(facts: object, event: string): void
  warn(facts: object, event: string): void
  error(facts: object, event: string): void
}

export type LogLevel = 'silent' | 'error' | 'warn' | 'info' | 'debug'

export type LogFormat = 'json' | 'pretty'

interface Writing {
  readonly format?: LogFormat
  /** The time zone of the times in pretty lines; times in JSON are UTC. */
  readonly timeZone?: string
}

/** A shorter value may be part of ordinary words; replacing it would garble the line. */
const shortestSecret = 6

/** @param secrets values, such as the bot token, that are replaced by `***` wherever they appear in a line */
export function createLog(
  level: LogLevel,
  secrets: readonly string[] = [],
  { format = 'json', timeZone = defaultTimeZone }: Writing = {},
): Log {
  const hidden = secrets.filter((secret) => secret.length >= shortestSecret)
  const scrub = (line: string) => hidden.reduce((text, secret) => text.replaceAll(secret, '***'), line)
  const shown = (line: string) => (format === 'pretty' ? prettyLine(line, timeZone) : line)
  return pino(
    {
      level,
      base: null,
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (name) => ({ level: name }) },
      errorKey: 'error',
      serializers: { error: describeError },
      mixin: () => ({ ...traced() }),
    },
    { write: (line: string) => process.stdout.write(scrub(shown(line))) },
  )
}

export const silentLog: Log = createLog('silent')

function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  const { name, cause } = error
  const facts = { name, message: messageOf(error), stack: framesOf(error) }
  return { ...facts, ...(cause === undefined ? {} : { cause: describeError(cause) }) }
}

/** The message of an error. That of a failed query contains its parameters, which may be texts of users, so only the query is logged. */
const messageOf = (error: Error): string =>
  'query' in error && 'params' in error ? `Failed query: ${error.query}` : error.message

/** The stack without the error message at its beginning. */
const framesOf = ({ stack = '' }: Error): string[] =>
  stack.split('\n').flatMap((line) => /^\s+at (.*)$/.exec(line)?.[1] ?? [])

/** The messages of an error and of its causes, outermost first, for the terminal. */
export function causesOf(error: unknown): string[] {
  if (!(error instanceof Error)) return [String(error)]
  const code = 'code' in error ? String(error.code) : error.name
  return [error.message || code, ...(error.cause ? causesOf(error.cause) : [])]
}
