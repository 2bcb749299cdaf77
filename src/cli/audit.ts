// `npm run audit`: checks the invariants of money in DATABASE_URL or, without it, in the sandbox's own database. Exit code 1 when
// any is broken.

import { audit } from '../ledger/audit.ts'
import { openLocalDatabase } from './local-database.ts'

const opened = await openLocalDatabase(process.env, 'GET /api/audit returns the same')
if (!opened.ok) {
  process.stderr.write(`${opened.problem}\n`)
  process.exit(1)
}
const { db, close } = opened.database
const findings = await audit(db)
await close()
for (const { invariant, subject, fact } of findings) {
  process.stdout.write(`BROKEN ${invariant}\n  ${subject}: ${fact}\n`)
}
process.stdout.write(findings.length === 0 ? 'The audit is clean.\n' : `${findings.length} findings.\n`)
process.exitCode = findings.length === 0 ? 0 : 1
