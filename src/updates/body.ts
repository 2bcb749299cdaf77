// The stored text of an update, and what no column of PostgreSQL can hold.

import type { Update } from 'grammy/types'

/** As `JSON.stringify` escapes NUL and halves of surrogate pairs. */
const unstorable = /\\u(?:0000|d[89a-f][0-9a-f]{2})/

/**
 * Handlers store parts of an update as text and jsonb, neither of which takes NUL or half a surrogate pair. The replacements are as long, so that
 * the offsets of entities stay right.
 */
export function bodyOf(update: Update): string {
  const body = JSON.stringify(update)
  return unstorable.test(body) ? JSON.stringify(update, storable) : body
}

const storable = (_: string, value: unknown): unknown =>
  typeof value === 'string' ? value.toWellFormed().replaceAll('\0', ' ') : value
