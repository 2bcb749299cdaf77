// Mistakes with Telegram: with its updates, and with what is sent into its chats.

import type { Mutant } from './mutant.ts'

export const telegramMutants: readonly Mutant[] = [
  {
    name: 'delivered-before-sent',
    mistake: 'a result is marked as delivered, then sent',
    changes: [
      {
        file: 'src/delivery/deliver.ts',
        find: '  const outcome = await attempt(deps, generation)',
        put: `  const done = { delivery: 'delivered', nextCheckAt: null } as const
  await deps.db.update(generations).set(done).where(eq(generations.id, generation.id))
  const outcome = await attempt(deps, generation)`,
      },
      {
        file: 'src/delivery/deliver.ts',
        find: "import { sendResults } from './send-results.ts'",
        put: "import { eq } from 'drizzle-orm'\nimport { generations } from '../db/schema.ts'\nimport { sendResults } from './send-results.ts'",
      },
    ],
  },
  {
    name: 'failure-unexplained',
    mistake: 'nobody is told that their order failed',
    changes: [
      {
        file: 'src/delivery/deliver.ts',
        find: ': explainFailure(deps, job))',
        put: ': ({ ok: true } as const))',
      },
    ],
  },
  {
    name: 'updates-twice',
    mistake: 'an update that is told again is another update',
    changes: [
      {
        file: 'src/updates/inbox.ts',
        find: '    id: update.update_id,\n    body',
        put: '    id: Math.floor(Math.random() * 2 ** 50),\n    body',
      },
    ],
    faults: { kill: 0 },
  },
  {
    name: 'confirmed-before-stored',
    mistake: 'Telegram is told that we have its updates before they are stored',
    changes: [
      {
        file: 'src/http/intake.ts',
        find: 'if (received.success) await store([received.data])',
        put: 'if (received.success) void store([received.data]).catch(() => undefined)',
      },
    ],
  },
  {
    name: 'polled-before-stored',
    mistake: 'Telegram is asked for more before what it told is stored',
    settings: { updates: 'polling' },
    changes: [
      {
        file: 'src/updates/polling.ts',
        find: '          await store(updates)\n',
        put: '          void store(updates).catch(() => undefined)\n',
      },
    ],
  },
  {
    name: 'done-before-handled',
    mistake: 'an update is marked as done, then handled',
    changes: [
      {
        file: 'src/updates/handling.ts',
        find: '  try {\n    count(await attempt(deps, claimed))',
        put: '  try {\n    await finishUpdate(deps, claimed)\n    count(await attempt(deps, claimed))',
      },
    ],
  },
  {
    name: 'no-order',
    mistake: 'updates of one chat are handled side by side',
    changes: [
      {
        file: 'src/updates/inbox.ts',
        find: `and not \${isBehind('chatId')} and not \${isBehind('personId')}`,
        put: `and (true or \${isBehind('chatId')})`,
      },
    ],
  },
]
