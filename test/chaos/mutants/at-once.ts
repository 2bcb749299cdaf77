// Mistakes in the steps that begin without the queue (src/generations/place.ts).

import { calm } from '../faults/profile.ts'
import type { Mutant } from './mutant.ts'

export const atOnceMutants: readonly Mutant[] = [
  {
    name: 'place-never-free',
    mistake: 'a place that was taken stays reserved when its step has ended',
    faults: calm,
    changes: [
      {
        file: 'src/tracker/step-worker.ts',
        find: '          reserved -= 1\n          if (canBeKept',
        put: '          if (canBeKept',
      },
    ],
  },
  {
    name: 'delivery-without-lease',
    mistake: 'a delivery begins at once although its row was left to the queue, which delivers it as well',
    faults: calm,
    changes: [
      {
        file: 'src/generations/end.ts',
        find: `lease = \${lease}::text,
        lease_until = \${timestamp(leaseUntil)}`,
        put: `lease = case when \${lease}::text is null then null end,
        lease_until = case when \${timestamp(leaseUntil)} is null then null end`,
      },
      {
        file: 'src/generations/place.ts',
        find: 'if (place && row?.generation.lease === place.lease) claimed = row',
        put: 'if (row) claimed = row',
      },
    ],
  },
  {
    name: 'submit-without-lease',
    mistake: 'a submit begins at once although its row was left to the queue, and it does not name its lease',
    faults: calm,
    changes: [
      {
        file: 'src/generations/order.ts',
        find: `case when is_reached then \${lease.lease}::text end, case when is_reached then \${timestamp(lease.leaseUntil)} end`,
        put: `case when \${lease.lease}::text = '' then '' end, case when \${timestamp(lease.leaseUntil)} is null then now() end`,
      },
      {
        file: 'src/generations/place.ts',
        find: 'if (place && row?.generation.lease === place.lease) claimed = row',
        put: 'if (row) claimed = row',
      },
      {
        file: 'src/tracker/queue.ts',
        find: 'isHeld(generations, held)',
        put: 'eq(generations.id, held.id)',
      },
    ],
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
        file: 'src/bot/admin/confirming.ts',
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
