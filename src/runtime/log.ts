// Structured logging: one line per event, with the subject of the current trace, as JSON or for a person at a terminal. Secrets are replaced
// in every line.

import { AsyncLocalStorage } from 'node:async_hooks'
import { createHash } from 'node:crypto'
import { type LoggerOptions, pino, stdTimeFunctions } from 'pino'
import { z } from 'zod'
import { defaultTimeZone, localSecond } from './clock.ts'

export interface Log {
  debug(facts: object, event: string): void
  info(facts: object, event: string): void
  warn(facts: object, event: string): void
  error(facts: object, event: string): void
}

export type LogLevel = 'silent' | 'error' | 'warn' | 'info' | 'debug'

type LogFormat = 'json' | 'pretty'

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
      hooks: { logMethod: thinning() },
    },
    { write: (line: string) => process.stdout.write(scrub(shown(line))) },
  )
}

export const silentLog: Log = createLog('silent')

function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  if (isOfStatement(error)) return { name: error.name, message: messageOf(error), stack: ownFramesOf(error) }
  const { name, cause } = error
  const facts = { name, message: error.message, stack: framesOf(error) }
  return { ...facts, ...(cause === undefined ? {} : { cause: describeError(cause) }) }
}

/** An error of Drizzle: its message has the whole statement and its parameters, which may be texts of users. */
const isOfStatement = (error: unknown): error is Error & { readonly query: unknown } =>
  error instanceof Error && 'query' in error && 'params' in error

/** The first words of a failed statement, and the code and the words of the database. */
function messageOf({ query, cause }: Error & { readonly query: unknown }): string {
  const begin = String(query).trim().split(/\s+/, 6).join(' ').slice(0, 80)
  const code = cause instanceof Error && 'code' in cause ? `${cause.code} ` : ''
  return `${begin} …: ${code}${causesOf(cause).at(-1)}`
}

const ownFramesOf = (error: Error): string[] =>
  framesOf(error)
    .filter((frame) => !/node_modules|node:/.test(frame))
    .slice(0, 5)

const thinnedMs = 10_000
const mostThinned = 100

/**
 * During an outage of the database all loops fail again and again: of equal failures of statements one is logged in ten seconds, with the
 * number of those that were left out before it.
 */
function thinning(): Required<NonNullable<LoggerOptions['hooks']>>['logMethod'] {
  const seen = new Map<string, { readonly at: number; leftOut: number }>()
  return function log(args, method) {
    const [facts, event]: readonly unknown[] = args
    const error = typeof facts === 'object' && facts && 'error' in facts ? facts.error : undefined
    if (!isOfStatement(error)) return method.apply(this, args)
    const key = `${event} ${messageOf(error)}`
    const [before, now] = [seen.get(key), performance.now()]
    if (before && now - before.at < thinnedMs) {
      before.leftOut += 1
      return
    }
    if (seen.size >= mostThinned) seen.clear()
    seen.set(key, { at: now, leftOut: 0 })
    const { leftOut = 0 } = before ?? {}
    method.apply(this, leftOut > 0 ? [{ ...Object(facts), leftOut }, String(event)] : args)
  }
}

/** The stack without the error message at its beginning. */
const framesOf = ({ stack = '' }: Error): string[] =>
  stack.split('\n').flatMap((line) => /^\s+at (.*)$/.exec(line)?.[1] ?? [])

/** The messages of an error and of its causes, outermost first, for the terminal. */
export function causesOf(error: unknown): string[] {
  if (!(error instanceof Error)) return [String(error)]
  const code = 'code' in error ? String(error.code) : error.name
  return [error.message || code, ...(error.cause ? causesOf(error.cause) : [])]
}

const lineOf = z.looseObject({
  time: z.coerce.date(),
  level: z.string(),
  msg: z.string().default(''),
  error: z.unknown().optional(),
})

const errorOf = z.looseObject({
  name: z.string().default('Error'),
  message: z.string().default(''),
  stack: z.array(z.string()).default([]),
  cause: z.unknown().optional(),
})

/**
 * A line for a person at a terminal: local time, level, event, and the facts as `name=value`; an error with its causes is below it.
 * @param line one JSON line, as the log writes it @param zone the time zone of the shown time
 */
function prettyLine(line: string, zone: string): string {
  const { time, level, msg, error, ...facts } = lineOf.parse(JSON.parse(line))
  const shown = Object.entries(facts).map(([name, value]) => ` ${name}=${textOf(value)}`)
  const head = `${localSecond(time, zone)} ${level.toUpperCase().padEnd(5)} ${visible(msg)}${shown.join('')}`
  return `${[head, ...errorLines(error, level === 'error')].join('\n')}\n`
}

/** Removes control characters: foreign text may contain codes that a terminal executes. */
const visible = (text: string): string => text.replace(/\p{Cc}+/gu, ' ')

const textOf = (value: unknown): string =>
  typeof value === 'string' && /^[^\s\p{Cc}"=]+$/u.test(value) ? value : JSON.stringify(value)

/** The lines of an error. They include the stack only in an event of the level `error`, where something is broken. */
function errorLines(error: unknown, hasStack: boolean): string[] {
  if (error === undefined) return []
  const parsed = errorOf.safeParse(error)
  if (!parsed.success) return [`    ${textOf(error)}`]
  const { name, message, stack, cause } = parsed.data
  const frames = hasStack ? stack.map((frame) => `      at ${frame}`) : []
  return [`    ${visible(`${name}: ${message}`)}`, ...frames, ...errorLines(cause, false)]
}

// Tracing: every log line and every gateway request names the update or generation that is being processed, so that it can be followed
// across processes and restarts.

interface Trace {
  readonly subject: { readonly update: number } | { readonly generation: string }
  /** The user's number, when it is known. */
  readonly known: { readonly user?: string }
}

const current = new AsyncLocalStorage<Trace>()

/** Runs `work` in the trace of the subject. Asynchronous work that it starts stays in that trace. */
export const within = <T>(subject: Trace['subject'], work: () => T, known: Trace['known'] = {}): T =>
  current.run({ subject, known }, work)

/** The hash depends only on the subject: another process that continues the work uses the same trace, and nothing is stored. */
const hashOf = ({ subject }: Trace): string =>
  createHash('sha256').update(JSON.stringify(subject)).digest('hex')

/** @returns undefined outside of a trace */
function traced() {
  const trace = current.getStore()
  return trace && { ...trace.subject, ...trace.known, trace: hashOf(trace).slice(0, 32) }
}

/** The header of W3C Trace Context (version 00, sampled). */
export function traceparent(): string | undefined {
  const trace = current.getStore()
  if (!trace) return undefined
  const hash = hashOf(trace)
  return `00-${hash.slice(0, 32)}-${hash.slice(32, 48)}-01`
}
