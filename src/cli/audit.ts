// `npm run audit`: checks the invariants of money in DATABASE_URL or, without it, in the sandbox's own database. It changes nothing. Exit
// code 0 when all invariants hold, 1 when one is broken, 2 when the database could not be read.

import type { Database } from '../db/client.ts'
import { audit } from '../ledger/audit.ts'
import { causesOf } from '../runtime/log.ts'
import { openLocalDatabase } from './local-database.ts'
import { readArguments } from './terminal.ts'

const isClean = 0
const isBroken = 1
const couldNotLook = 2

function cannotLook(problem: string): never {
  process.stderr.write(`${problem}\n`)
  process.exit(couldNotLook)
}

async function findingsIn(db: Database) {
  try {
    return await audit(db)
  } catch (error) {
    return cannotLook(`The database cannot be read: ${causesOf(error).join(': ')}`)
  }
}

readArguments(
  'npm run audit: checks the money in DATABASE_URL and changes nothing. 0: clean, 1: findings, 2: could not look.',
)
const opened = await openLocalDatabase(process.env, 'GET /api/audit returns the same', 'refuse')
if (!opened.ok) cannotLook(opened.problem)
const { db, close } = opened.database
const findings = await findingsIn(db)
await close()
for (const { invariant, subject, fact } of findings) {
  process.stdout.write(`BROKEN ${invariant}\n  ${subject}: ${fact}\n`)
}
const end = findings.length === 0 ? 'The audit is clean.' : `Findings: ${findings.length}`
process.stdout.write(`${end}\n`)
process.exitCode = findings.length === 0 ? isClean : isBroken
