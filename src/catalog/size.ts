// The size of a request value, to which limits and surcharges apply.

import type { Json } from './field.ts'
import { codePoints } from './fields.ts'

/** A number, or a length. The size of a missing value is zero. */
export function sizeOf(value: Json | undefined): number {
  if (typeof value === 'number') return value
  if (typeof value === 'string') return codePoints(value)
  return Array.isArray(value) ? value.length : 0
}
