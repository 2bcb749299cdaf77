// Transactions, for tests of what a statement does while another one is not committed. The app sends single statements only.

import { drizzle } from 'drizzle-orm/postgres-js'
import { type OpenDatabase, openDatabase } from '../../../src/db/client.ts'
import { openClient } from '../../../src/db/pool.ts'

/** Opens a database on a server, with transactions over a connection of their own. */
export async function openWithTransactions(
  url: string,
  opening: { readonly connections?: number } = {},
): Promise<OpenDatabase> {
  const { close, ...opened } = await openDatabase(url, opening)
  const client = openClient(url)
  const own = drizzle({ client })
  return {
    ...opened,
    db: Object.assign(opened.db, { transaction: own.transaction.bind(own) }),
    async close() {
      await client.end()
      await close()
    },
  }
}
