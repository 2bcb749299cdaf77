// A checksum of the transfers of each user, kept in their account by the statement that writes the transfers. If other code or a
// person adds, changes or deletes transfers, the checksum no longer fits, even when all sums are right.

import { type SQL, sql } from 'drizzle-orm'

/** An SQL expression: a hash of the whole content of a row of `transfers`, in 64 bits. MD5 is the same in all versions of PostgreSQL. */
export const transferHash = `('x' || left(md5(row(key, kind, user_id, debit, credit, amount, generation_id, top_up_id, turn_id, note,
  wallet_id, extract(epoch from created_at))::text), 16))::bit(64)::bigint`

/**
 * Computes all checksums anew, and returns a row for each user whose checksum was wrong. Only the difference is applied: statements that
 * write transfers at the same time, which this one does not see, change the checksum themselves.
 */
export const acceptTransfers: SQL = sql.raw(`
  update accounts a set checksum = a.checksum # old.checksum # coalesce(f.checksum, 0)
  from accounts old left join (
    select user_id, bit_xor(${transferHash}) as checksum from transfers group by user_id
  ) f on f.user_id = old.owner_id
  where a.id = old.id and old.kind = 'user' and old.checksum <> coalesce(f.checksum, 0)
  returning a.owner_id::text as user_id`)
