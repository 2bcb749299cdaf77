// Checks the addresses of databases that operators write.

import { isDecodable } from '../runtime/env-values.ts'

export const addressLike = 'write postgres://user:password@host/name, or pglite:./data for the embedded one'

/**
 * Advice on how to correct the address of a database; undefined for a usable address. The address contains a password, so no message
 * repeats a part of it. A percent sign that does not begin an escape sequence is refused although it could only be meant literally:
 * `pg_dump` and other programs, which get the same address, refuse it too.
 */
export function wrongAddress(url: string): string | undefined {
  if (/^pglite:./.test(url)) return undefined
  if (!/^postgres(ql)?:\/\/./.test(url)) return addressLike
  if (url.includes('#')) return 'write # in the password as %23'
  if (!isDecodable(url)) return 'write % in the password as %25'
  const isUsable = URL.canParse(url) && (new URL(url).hostname !== '' || new URL(url).search !== '')
  return isUsable
    ? undefined
    : `${addressLike}; in the password write / as %2F, ? as %3F, : as %3A and @ as %40`
}
