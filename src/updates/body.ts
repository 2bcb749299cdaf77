// The stored text of an update, without the characters that PostgreSQL cannot store.

import type { Update } from 'grammy/types'
import { unstorable } from '../db/sql.ts'

/**
 * Replaces characters that cannot be stored: handlers store parts of an update as text and jsonb, neither of which accepts NUL or half a
 * surrogate pair. The replacements have the same length, so that the offsets of entities stay right.
 */
export function bodyOf(update: Update): string {
  const body = JSON.stringify(update)
  return unstorable.test(body) ? JSON.stringify(update, storable) : body
}

const storable = (_: string, value: unknown): unknown =>
  typeof value === 'string' ? value.toWellFormed().replaceAll('\0', ' ') : value
