// Turns zod's issues into sentences that say what to write. Messages that the schemas define themselves are kept.

import type { z } from 'zod'

const written: Readonly<Record<string, string>> = {
  string: 'a text in quotes',
  number: 'a number without quotes',
  int: 'a whole number without quotes',
  boolean: 'true or false',
  array: 'a list in [ ]',
  object: 'an object in { }',
  record: 'an object in { }',
}

const own = /^Invalid (input|option|key)|^Too (small|big)|^Unrecognized/

export function whatToWrite(issue: z.core.$ZodIssue): string {
  // The schema defines the message itself.
  if (issue.code !== 'unrecognized_keys' && !own.test(issue.message)) return issue.message
  switch (issue.code) {
    case 'invalid_type':
      return `write ${written[issue.expected] ?? issue.expected}`
    case 'invalid_value':
      return `write ${issue.values.map((value) => JSON.stringify(value)).join(' or ')}`
    case 'too_small':
      return `write ${issue.origin === 'string' ? 'a text that is not empty' : `at least ${issue.minimum}`}`
    case 'too_big':
      return `write at most ${issue.maximum}${issue.origin === 'string' ? ' characters' : ''}`
    case 'unrecognized_keys':
      return `there is no setting ${issue.keys.map((key) => `"${key}"`).join(' and ')}: correct or remove it`
    default:
      return issue.message
  }
}

export const noField = (path: string): string =>
  `no field "${path}": correct or remove it (npm run catalog -- --fields lists the fields)`

/** The place of an issue, like `textModels[0].request.n`. */
export const placeOf = (path: readonly PropertyKey[]): string =>
  path
    .map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`))
    .join('')
    .replace(/^\./, '')

/** The message of an error on one line, without the name of its class. */
export const errorText = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).replaceAll(/\s+/g, ' ')
