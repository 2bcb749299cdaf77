// Cases of the ledger: the audit, and the comparison with the gateway's account.

import { audit, compareWithGateway } from '../../../src/ledger/audit.ts'
import type { Case } from './cases.ts'

export const ledgerCases: readonly Case[] = [
  { name: 'the audit', run: ({ deps }) => audit(deps.db) },
  { name: 'comparison with the gateway', run: ({ deps }) => compareWithGateway(deps.db, 0n) },
]
