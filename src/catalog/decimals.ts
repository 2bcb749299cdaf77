// Decimal numbers in the operator's settings. They are quoted, since a JSON number is not exact.

import { z } from 'zod'

export const roubles = z.string().regex(/^\d{1,9}(\.\d{1,6})?$/, 'write a decimal in quotes, like "18.49"')

export const aboveZero = roubles.refine(
  (text) => !/^[0.]+$/.test(text),
  'write a decimal above zero, like "18.49"',
)
