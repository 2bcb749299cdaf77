// Makes error bodies in many shapes ("Error body shape: not shown").

import type { Personality } from './personality.ts'

export interface Answer {
  readonly status: number
  readonly type: string
  readonly body: string
}

const json = (value: unknown) => ({ type: 'application/json', body: JSON.stringify(value) })

const shapes: Readonly<Record<Personality['errors'], (words: string) => { type: string; body: string }>> = {
  object: (message) => json({ error: { message, type: 'invalid_request_error', code: null } }),
  string: (error) => json({ error }),
  text: (body) => ({ type: 'text/plain; charset=utf-8', body }),
  html: (words) => ({
    type: 'text/html',
    body: `<!DOCTYPE html>\n<html><head><title>Error</title></head><body><h1>${words}</h1><hr>edge</body></html>`,
  }),
  detail: (msg) => json({ detail: [{ loc: ['body'], msg, type: 'value_error' }] }),
  'detail string': (detail) => json({ detail }),
  array: (message) => json([{ error: { code: 400, message, status: 'INVALID_ARGUMENT' } }]),
  strings: (words) => json({ errors: [words] }),
}

export const refusal = (shape: Personality['errors'], status: number, words: string): Answer => ({
  status,
  ...shapes[shape](words),
})

/** The error of a failed task; `undefined` leaves the field out. */
export function taskErrorOf(shape: Personality['taskError'], words: string): unknown {
  if (shape === 'string') return words
  if (shape === 'object') return { message: words, code: 'failed' }
  return shape === 'list' ? [{ message: words }] : undefined
}
