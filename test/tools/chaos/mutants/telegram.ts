// Mistakes in the handling of Telegram's updates and in sending messages.

import { calm } from '../faults/profile.ts'
import type { Mutant } from './mutant.ts'

export const telegramMutants: readonly Mutant[] = [
  {
    name: 'delivered-before-sent',
    mistake: 'a result is marked as delivered, then sent',
    changes: [
      {
        file: 'src/orders/deliver/deliver.ts',
        find: '  const outcome = await attempt(deps, generation, status)',
        put: `  const done = { delivery: 'delivered', nextCheckAt: null } as const
  await deps.db.update(generations).set(done).where(eq(generations.id, generation.id))
  const outcome = await attempt(deps, generation, status)`,
      },
      {
        file: 'src/orders/deliver/deliver.ts',
        find: "import { type SQL, sql } from 'drizzle-orm'",
        put: "import { eq, type SQL, sql } from 'drizzle-orm'",
      },
    ],
  },
  {
    name: 'failure-unexplained',
    mistake: 'a failed order is not reported to its user',
    changes: [
      {
        file: 'src/orders/deliver/deliver.ts',
        find: 'return await explainFailure(deps, job)',
        put: 'return { ok: true }',
      },
    ],
  },
  {
    name: 'updates-twice',
    mistake: 'a repeated update is handled as a new one',
    changes: [
      {
        file: 'src/updates/inbox.ts',
        find: '    id: update.update_id,\n    body',
        put: '    id: Math.floor(Math.random() * 2 ** 50),\n    body',
      },
    ],
    // No process ends, so that without the mistake every update is handled once.
    faults: { ...calm, outside: 0.05, operations: /^update$/ },
  },
  {
    name: 'taps-confirmed-unstored',
    mistake: 'one of twenty taps is acknowledged and not stored',
    faults: calm,
    changes: [
      {
        file: 'src/http/routes.ts',
        find: 'if (received.success) await store([received.data])',
        put: `const isLost = received.data?.callback_query !== undefined && received.data.update_id % 20 === 0
      if (received.success && !isLost) await store([received.data])`,
      },
    ],
  },
  {
    name: 'confirmed-before-stored',
    mistake: 'updates are acknowledged before they are stored',
    changes: [
      {
        file: 'src/http/routes.ts',
        find: 'if (received.success) await store([received.data])',
        put: 'if (received.success) void store([received.data]).catch(() => undefined)',
      },
    ],
  },
  {
    name: 'polled-before-stored',
    mistake: 'the next updates are polled before the last ones are stored',
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
        find: 'const outcome = await attempt(deps, claimed)',
        put: 'await finishUpdate(deps, claimed)\n    const outcome = await attempt(deps, claimed)',
      },
    ],
  },
  {
    name: 'no-order',
    mistake: 'updates of one chat are handled concurrently',
    changes: [
      {
        file: 'src/updates/inbox.ts',
        find: `\${isDue} and not \${isBehind('chatId')} and not \${isBehind('personId')}`,
        put: `\${isDue}`,
      },
    ],
  },
  {
    name: 'handled-unmarked',
    mistake: 'one in eight handled updates is not marked as handled',
    changes: [
      {
        file: 'src/updates/handling.ts',
        find: 'const isFollowed = await throughOutages(deps, () =>',
        put: 'const isFollowed = id % 8 > 0 && await throughOutages(deps, () =>',
      },
    ],
    // No process ends and the database does not fail, so that without the mistake every update is handled once.
    faults: calm,
  },
  {
    name: 'operation-taken-for-done',
    mistake: "an operator's question is closed although its action failed",
    faults: calm,
    changes: [
      {
        file: 'src/telegram/message-notes.ts',
        find: '    await releaseNote(deps, message).catch(() => undefined)\n',
        put: '',
      },
      {
        file: 'src/bot/admin/operator.ts',
        find: `      const wrong = decision === 'yes' ? await carryOut[verb](ctx, given) : undefined
`,
        put: `      await redraw(ctx, asked.html, new InlineKeyboard())
      const failed = ctx.update.update_id % 2 === 0 ? 'failed' : undefined
      const wrong = decision === 'yes' ? (failed ?? (await carryOut[verb](ctx, given))) : undefined
`,
      },
    ],
  },
]
