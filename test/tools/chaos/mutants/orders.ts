// Mistakes in the life of an order.

import { calm } from '../faults/profile.ts'
import type { Mutant } from './mutant.ts'

/** A paused process loses its leases and then continues; a killed one does not continue. */
const paused = { kill: 0, hold: 1.2, ask: 0, database: 0, lateMs: 12 } as const

export const orderMutants: readonly Mutant[] = [
  {
    name: 'submit-again',
    mistake: 'an order whose answer was lost is ordered again',
    faults: calm,
    changes: [
      {
        file: 'src/orders/submit.ts',
        find: 'return becomeUnknown(deps, submitting)',
        put: 'return tryLater(deps, submitting)',
      },
    ],
  },
  {
    name: 'cancel-after-submit',
    mistake: 'an order is cancelled although the gateway has got it',
    // A submit that hangs leaves time for the tap.
    faults: { ...calm, outside: 0.1, operations: /^create$/, ways: /^hang$/, forger: 0 },
    changes: [
      {
        file: 'src/orders/settle.ts',
        find: `stateIs(...statesBefore('withdraw'))`,
        put: `stateIs('held', 'submitting')`,
      },
    ],
  },
  {
    name: 'submit-after-death',
    mistake: 'an order whose submitting process died is submitted again',
    // A slow database lengthens the time between the gateway's answer and its write. A callback would name the task of the dead process.
    faults: { kill: 5, hold: 0, ask: 0, database: 0, outside: 0, outage: 0, forger: 0, lateMs: 6 },
    settings: { calledBack: 0, welcomeCredit: 200, seconds: 30 },
    changes: [
      {
        file: 'src/orders/worker.ts',
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
        file: 'src/orders/confirm.ts',
        find: "  if (quoted.isOrdered) return 'already'\n",
        put: '',
      },
      {
        file: 'src/orders/confirm.ts',
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
    mistake: 'a worker that was paused continues as if it still had its lease',
    faults: paused,
    changes: [
      {
        file: 'src/orders/generation.ts',
        find: 'isHeld(generations, held)',
        put: `sql\`id = \${held.id}\``,
      },
    ],
  },
  {
    name: 'no-lease',
    mistake: 'a leased row is claimed by other workers',
    // Without deaths of processes, results that come twice have no cause.
    faults: calm,
    changes: [
      {
        file: 'src/db/queue.ts',
        find: 'and(due, isFree(table, now), which)',
        put: 'and(due, which)',
      },
    ],
  },
  {
    name: 'lease-for-ever',
    mistake: 'the lease of a dead process never ends',
    changes: [
      {
        file: 'src/db/queue.ts',
        find: 'and(due, isFree(table, now), which)',
        put: 'and(due, isNull(table.leaseUntil), which)',
      },
    ],
  },
  {
    name: 'error-is-failure',
    mistake: 'a poll without an answer settles the order as failed',
    changes: [
      {
        file: 'src/orders/poll.ts',
        find: 'return task instanceof GatewayError ? withoutAnswer(deps, look, task) :',
        put: "return task instanceof GatewayError ? fail(deps, held, 'task-failed') :",
      },
    ],
  },
  {
    name: 'callback-decides',
    mistake: 'a callback settles the order without a poll',
    changes: [
      {
        file: 'src/http/routes.ts',
        find: "  extends Pick<GenerationDeps, 'db' | 'clock' | 'pollIntervalMs' | 'callbackTokens'> {",
        put: "  extends Pick<GenerationDeps, 'db' | 'clock' | 'pollIntervalMs' | 'callbackTokens' | 'log' | 'metrics'> {",
      },
      {
        file: 'src/http/routes.ts',
        find: "  readonly metrics: { readonly orders: Pick<OrderMetrics, 'calledBack'> }\n",
        put: '',
      },
      {
        file: 'src/http/routes.ts',
        find: 'await idsFrom(req))',
        put: 'await idsFrom(req, deps, token))',
      },
      {
        file: 'src/http/routes.ts',
        find: 'async function idsFrom(req: IncomingMessage) {',
        put: 'async function idsFrom(req: IncomingMessage, deps: CallbackDeps, token: string) {',
      },
      {
        file: 'src/http/routes.ts',
        find: "  return idsOf(queryOf(req), body ?? '')\n",
        put: `  const statusUpdates = { queue: () => undefined, cancel: () => undefined, idle: async () => undefined }
  const [called] = await deps.db.select().from(generations).where(eq(generations.callbackToken, token))
  if (called?.state === 'running' && body?.includes('"failed"')) await fail({ ...deps, wakeDeliveries: () => undefined, statusUpdates }, called, 'task-failed')
  return idsOf(queryOf(req), body ?? '')
`,
      },
      {
        file: 'src/http/routes.ts',
        find: "import { end, readJson, readText } from './request.ts'",
        put: `import { eq } from 'drizzle-orm'
import { generations } from '../db/schema.ts'
import { fail } from '../orders/settle.ts'
import { end, readJson, readText } from './request.ts'`,
      },
      { file: 'src/orders/settle.ts', find: `lease = \${held.lease} and state`, put: 'state' },
    ],
  },
]
