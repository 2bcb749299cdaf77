// Schemas of values that environment variables hold. Each error message says what to write instead, and no message repeats the
// value, which may be a secret.

import { z } from 'zod'

/** The variables that are set; an empty one counts as not set. */
export type Environment = Readonly<Record<string, string | undefined>>

export const httpUrl = z
  .url({ protocol: /^https?$/, error: 'write an address like https://api.example.com' })
  .transform((url) => url.replace(/\/+$/, ''))

export function wholeNumber(min: number, max: number) {
  const what = `write a whole number from ${min} to ${max}`
  return z
    .string()
    .regex(/^\d{1,9}$/, what)
    .transform(Number)
    .refine((value) => value >= min && value <= max, what)
}

/** For a check of several variables: it runs as soon as these are valid, so that all problems are reported at once. */
export const whenValid =
  (variables: z.ZodType) =>
  ({ value }: { value: unknown }): boolean =>
    variables.safeParse(value).success
