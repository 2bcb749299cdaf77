// Compares secrets in constant time.

import { createHash, timingSafeEqual } from 'node:crypto'

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

export const isSame = (given: string, wanted: string): boolean =>
  timingSafeEqual(digest(given), digest(wanted))
