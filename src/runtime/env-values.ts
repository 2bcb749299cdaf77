// Schemas of values that environment variables hold. Each error message says what to write instead, and no message repeats the
// value, which may be a secret.

import { z } from 'zod'
import { isTimeZone } from './time-zone.ts'

/** The variables that are set; an empty one counts as not set. */
export type Environment = Readonly<Record<string, string | undefined>>

const addressLike = 'write an address like https://api.example.com'

export const httpUrl = z
  .string({ error: addressLike })
  .check(problem(wrongAddress))
  .transform((url) => new URL(url.trim()).href.replace(/\/+$/, ''))

function wrongAddress(text: string): string | undefined {
  if (!/^\s*https?:\/\/./i.test(text) || !URL.canParse(text)) return addressLike
  const { username, password } = new URL(text)
  if (username || password) return 'write the address without a user and a password'
  return /[?#]/.test(text) ? 'write the address without "?" and "#" and what follows them' : undefined
}

/** Makes a check of a function that returns a message for a wrong value, and undefined for a valid one. */
export function problem(wrong: (text: string) => string | undefined) {
  return z.superRefine<string>((text, context) => {
    const message = wrong(text)
    if (message !== undefined) context.addIssue({ code: 'custom', message })
  })
}

export function wholeNumber(min: number, max: number) {
  const what = `write a whole number from ${min} to ${max}`
  return z
    .string()
    .regex(/^\d{1,9}$/, what)
    .transform(Number)
    .refine((value) => value >= min && value <= max, what)
}

export const timeZone = z.string().refine(isTimeZone, 'write the name of a time zone, like Europe/Moscow')

/** The condition for a check of several variables: the check runs as soon as these are valid, so that all problems are reported at once. */
export const whenValid =
  (variables: z.ZodType) =>
  ({ value }: { value: unknown }): boolean =>
    variables.safeParse(value).success
