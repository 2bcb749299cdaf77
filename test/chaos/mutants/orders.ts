// Mistakes on the way of an order.

import { calm } from '../faults/profile.ts'
import type { Mutant } from './mutant.ts'

/** Whoever is held still for longer than a lease is as good as dead, and comes back; a kill only costs time. */
const paused = { kill: 0, hold: 1.2, ask: 0, database: 0, lateMs: 12 } as const

export const orderMutants: readonly Mutant[] = [
  {
    name: 'submit-again',
    mistake: 'an order whose answer was lost is ordered again',
    faults: calm,
    changes: [
      {
        file: 'src/generations/submit.ts',
        find: '  await becomeUnknown(deps, submitting)\n}',
        put: '  await tryLater(deps, submitting)\n}',
      },
    ],
  },
  {
    name: 'submit-after-death',
    mistake: 'what a process was submitting when it died is submitted again',
    faults: paused,
    changes: [
      {
        file: 'src/generations/step.ts',
        find: 'return becomeUnknown(deps, generation)',
        put: 'return submit(deps, generation)',
      },
    ],
  },
  {
    name: 'double-tap',
    mistake: 'a draft can be ordered twice',
    changes: [
      {
        file: 'src/generations/order.ts',
        find: "  if (await findByDraft(deps, quote.draftId)) return { ok: false, reason: 'already' }\n  const off",
        put: '  const off',
      },
      {
        file: 'src/generations/order.ts',
        find: "d.revision = q.revision and d.state = 'open'",
        put: 'd.revision = q.revision',
      },
      {
        file: 'drizzle/20261121062307_start/migration.sql',
        find: '"quote_id" text NOT NULL UNIQUE',
        put: '"quote_id" text NOT NULL',
      },
      {
        file: 'drizzle/20261121062307_start/migration.sql',
        find: '"draft_id" text NOT NULL UNIQUE',
        put: '"draft_id" text NOT NULL',
      },
    ],
  },
  {
    name: 'no-fence',
    mistake: 'a worker that was held still goes on as if it still had its lease',
    faults: paused,
    changes: [
      {
        file: 'src/generations/queue.ts',
        find: `and(eq(generations.id, held.id), sql\`\${generations.lease} = \${held.lease}\`)`,
        put: 'eq(generations.id, held.id)',
      },
    ],
  },
  {
    name: 'no-lease',
    mistake: 'what somebody is at work on is claimed by others',
    changes: [
      {
        file: 'src/generations/queue.ts',
        find: `(lease_until is null or lease_until <= \${at})`,
        put: 'true',
      },
    ],
  },
  {
    name: 'lease-for-ever',
    mistake: 'what a dead process had claimed stays claimed',
    changes: [
      {
        file: 'src/generations/queue.ts',
        find: `(lease_until is null or lease_until <= \${at})`,
        put: 'lease_until is null',
      },
    ],
  },
  {
    name: 'error-is-failure',
    mistake: 'a look that finds no answer settles the order as failed',
    changes: [
      {
        file: 'src/generations/poll.ts',
        find: 'return task instanceof GatewayError ? withoutAnswer(deps, look, task) :',
        put: "return task instanceof GatewayError ? fail(deps, held, 'task-failed') :",
      },
    ],
  },
  {
    name: 'callback-decides',
    mistake: 'a callback settles the order, without a look',
    changes: [
      {
        file: 'src/generations/callbacks.ts',
        find: '  if (taskId) await revealTask(deps, token, taskId)\n',
        put: `  if (taskId) await revealTask(deps, token, taskId)
  const word = z.object({ status: z.string() }).safeParse(payload).data
  const [called] = await deps.db.select().from(generations).where(eq(generations.callbackToken, token))
  if (called?.state === 'running' && word?.status === 'failed') await fail(deps, called, 'task-failed')
`,
      },
      {
        file: 'src/generations/callbacks.ts',
        find: "import type { GenerationDeps } from './generation.ts'",
        put: "import type { GenerationDeps } from './generation.ts'\nimport { fail } from './settle.ts'",
      },
      { file: 'src/generations/settle.ts', find: `and lease = \${held.lease} and`, put: 'and' },
    ],
  },
]
