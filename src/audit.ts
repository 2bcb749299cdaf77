// `npm run audit`: checks the invariants of money in DATABASE_URL; exit code 1 when any is broken.

import { openDatabase } from './db/client.ts'
import { audit } from './ledger/audit.ts'

const url = process.env.DATABASE_URL
if (!url) {
  process.stderr.write('DATABASE_URL: write postgres://user:password@host/name, or pglite:./data\n')
  process.exit(1)
}

const { db, close } = await openDatabase(url)
const findings = await audit(db)
await close()
for (const { invariant, subject, fact } of findings) {
  process.stdout.write(`BROKEN ${invariant}\n  ${subject}: ${fact}\n`)
}
process.stdout.write(findings.length === 0 ? 'The audit is clean.\n' : `${findings.length} findings.\n`)
process.exitCode = findings.length === 0 ? 0 : 1
