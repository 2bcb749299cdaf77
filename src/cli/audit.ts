// `npm run audit`: checks the invariants of money in DATABASE_URL; exit code 1 when any is broken. Without DATABASE_URL it
// looks at the sandbox's own database.

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { openDatabase } from '../db/client.ts'
import { FolderInUse } from '../db/folder-lock.ts'
import { audit } from '../ledger/audit.ts'

const folder = join(process.env.DATA_DIR || './data', 'database')
if (!process.env.DATABASE_URL && !existsSync(folder)) {
  process.stderr.write(
    `DATABASE_URL: write postgres://user:password@host/name; the sandbox has no database in ${folder}\n`,
  )
  process.exit(1)
}
const url = process.env.DATABASE_URL || `pglite:${folder}`

const { db, close } = await openDatabase(url).catch((error: unknown) => {
  if (!(error instanceof FolderInUse)) throw error
  process.stderr.write(`${error.message}; while the sandbox runs, GET /api/audit tells the same\n`)
  process.exit(1)
})
const findings = await audit(db)
await close()
for (const { invariant, subject, fact } of findings) {
  process.stdout.write(`BROKEN ${invariant}\n  ${subject}: ${fact}\n`)
}
process.stdout.write(findings.length === 0 ? 'The audit is clean.\n' : `${findings.length} findings.\n`)
process.exitCode = findings.length === 0 ? 0 : 1
