// Mistakes that lose facts kept only in the memory of one process, or that wait for work that never ends.

import { calm } from '../faults/profile.ts'
import type { Mutant } from './mutant.ts'

export const lossMutants: readonly Mutant[] = [
  {
    name: 'answer-forgotten',
    mistake: 'a paid answer of a text model that cannot be sent at once is not sent later',
    changes: [
      {
        file: 'src/bot/chat/deliver.ts',
        find: '  await putOffSending(deps.db, turn, attempts, sendAt)\n',
        put: '  await markSent(deps.db, turn, turn.parts?.length ?? 0, undefined)\n',
      },
    ],
  },
  {
    name: 'payer-untold',
    mistake: 'a notice that cannot be sent at once is not sent later',
    faults: { ...calm, outside: 0.1, operations: /^sendMessage$/, ways: /^(429|request lost)$/ },
    // With this credit every person has to pay before the first order.
    settings: { welcomeCredit: 1 },
    changes: [
      {
        file: 'src/bot/account/notices.ts',
        find: 'return postponeNotice(deps, notice, outcome.afterMs ?? pauseMs(attempts))',
        put: 'return finishNotice(deps, notice)',
      },
    ],
  },
  {
    name: 'task-id-once',
    mistake: 'the id of a task is written once, and lost when the database is away',
    // Without callbacks, since a callback would reveal the task id.
    settings: { updates: 'polling', callbacks: false },
    faults: { ...calm, outside: 0, forger: 0, database: 0.12, lateMs: 12 },
    changes: [
      {
        file: 'src/orders/submit.ts',
        find: 'await deps.unwrittenAnswers.write(facts, write)',
        put: 'await write()',
      },
    ],
  },
  {
    name: 'callback-token-unchecked',
    mistake:
      'what a callback names is a candidate for every order that waits for its task, whatever its token is',
    faults: { ...calm, outside: 0.05, operations: /^create$/, forger: 0.1 },
    changes: [
      {
        file: 'src/orders/callback.ts',
        find: `where callback_token = \${token}`,
        put: `where callback_token = \${token} or true`,
      },
    ],
  },
  {
    name: 'step-hangs',
    mistake: 'a step that never ends keeps its lease',
    faults: calm,
    changes: [
      {
        file: 'src/orders/worker.ts',
        find: 'return inTurn(deps, generation, poll)',
        put: 'return Math.random() < 0.05 ? new Promise(() => undefined) : poll(deps, generation)',
      },
      {
        file: 'src/orders/worker.ts',
        find: 'await allSettledWithin([takeStep(deps, generation)], deps.clock, stepMs)',
        put: 'await takeStep(deps, generation).then(() => true)',
      },
    ],
  },
  {
    name: 'handler-hangs',
    mistake: 'the handler of an update never ends',
    faults: calm,
    changes: [
      {
        file: 'src/updates/handling.ts',
        find: 'const handled = handle(',
        put: 'const handled = Math.random() < 0.05 ? new Promise<void>(() => undefined) : handle(',
      },
    ],
  },
  {
    name: 'loss-is-early',
    mistake: 'an order whose submit had no answer is given back before a callback can name its task',
    changes: [
      {
        file: 'src/orders/times.ts',
        find: 'export const unknownGraceMs = 10 * minuteMs',
        put: 'export const unknownGraceMs = 3 * minuteMs',
      },
    ],
  },
]
