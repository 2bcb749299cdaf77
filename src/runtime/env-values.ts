// Schemas of values that environment variables hold. Each error message says what to write instead, and no message repeats the
// value, which may be a secret.

import { z } from 'zod'
import { isTimeZone } from './clock.ts'

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

const proxyLike =
  'write the address of the proxy with its port, like http://user:password@host:3128 or socks5://user:password@host:1080; in the user and the password write % @ : / ? # as %25 %40 %3A %2F %3F %23'

/** The port is required: a parsed URL does not tell a missing one from the usual one of its scheme, which few proxies use. */
export const proxyUrl = z
  .string()
  .transform((text) => text.trim().replace(/^socks5h:/i, 'socks5:'))
  .check(problem((text) => (isProxy(text) ? undefined : proxyLike)))

function isProxy(text: string): boolean {
  if (!/^(https?|socks5):\/\/[^\s/?#]+:\d+\/?$/i.test(text) || !URL.canParse(text)) return false
  const { hostname, username, password } = new URL(text)
  return hostname !== '' && isDecodable(username) && isDecodable(password)
}

/** Whether each percent sign begins an escape sequence, and these are UTF-8. */
function isDecodable(text: string): boolean {
  try {
    return decodeURIComponent(text) !== undefined
  } catch {
    return false
  }
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
  (...names: readonly string[]) =>
  ({ issues }: z.core.ParsePayload): boolean =>
    !issues.some(({ path }) => names.includes(String(path?.[0])))

/** A start that is impossible until the operator changes a setting. The message names it and says what to do; it contains no secret. */
export class CannotStart extends Error {
  override name = 'CannotStart'
}

export const databaseLike = 'write postgres://user:password@host/name, or pglite:./data for the embedded one'

/**
 * Advice on how to correct the address of a database; undefined for a usable address. The address contains a password, so no message
 * repeats a part of it. A percent sign that does not begin an escape sequence is refused although it could only be meant literally:
 * `pg_dump` and other programs, which get the same address, refuse it too.
 */
export function wrongDatabase(url: string): string | undefined {
  if (/^pglite:./.test(url)) return undefined
  if (!/^postgres(ql)?:\/\/./.test(url)) return databaseLike
  if (url.includes('#')) return 'write # in the password as %23'
  if (!isDecodable(url)) return 'write % in the password as %25'
  const isUsable = URL.canParse(url) && (new URL(url).hostname !== '' || new URL(url).search !== '')
  return isUsable
    ? undefined
    : `${databaseLike}; in the password write / as %2F, ? as %3F, : as %3A and @ as %40`
}
