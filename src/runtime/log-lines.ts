// Log lines for a person at a terminal: local time, level, event, and the facts as `name=value`; an error with its causes is below its
// line.

import { z } from 'zod'
import { localSecond } from './time-zone.ts'

const lineOf = z.looseObject({
  time: z.coerce.date(),
  level: z.string(),
  msg: z.string().default(''),
  error: z.unknown().optional(),
})

interface LoggedError {
  readonly name?: string | undefined
  readonly message?: string | undefined
  readonly stack?: readonly string[] | undefined
  readonly cause?: unknown
}
const errorOf: z.ZodType<LoggedError> = z.looseObject({
  name: z.string().optional(),
  message: z.string().optional(),
  stack: z.array(z.string()).optional(),
  cause: z.unknown().optional(),
})

/** @param line one JSON line, as the log writes it @param zone the time zone of the shown time */
export function prettyLine(line: string, zone: string): string {
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
  const { name = 'Error', message = '', stack = [], cause } = parsed.data
  const frames = hasStack ? stack.map((frame) => `      at ${frame}`) : []
  return [`    ${visible(`${name}: ${message}`)}`, ...frames, ...errorLines(cause, false)]
}
