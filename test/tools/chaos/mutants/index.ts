// The planted mutants: the app with one deliberate mistake each, one or two of a kind. A run must detect every one of them.

import { calm } from '../settings.ts'
import type { Mutant, Planted } from './mutant.ts'

/** A paused process loses its leases and then continues; a killed one does not continue. */
const paused = { kill: 0, hold: 1.2, ask: 0, database: 0, lateMs: 12 } as const

const orderMutants: readonly Planted[] = [
  {
    name: 'submit-again',
    mistake: 'an order whose answer was lost is ordered again',
    faults: calm,
    file: 'src/orders/submit.ts',
    find: 'return becomeUnknown(deps, submitting)',
    put: 'return tryLater(deps, submitting)',
  },
  {
    name: 'submit-after-death',
    mistake: 'an order whose submitting process died is submitted again',
    // A slow database lengthens the time between the gateway's answer and its write. A callback would name the task of the dead process.
    faults: { kill: 4, hold: 0, ask: 0, database: 0, outside: 0, outage: 0, lateMs: 6 },
    settings: { calledBack: 0, welcomeCredit: 200, seconds: 60 },
    file: 'src/orders/worker.ts',
    find: 'return becomeUnknown(deps, generation)',
    put: 'return submit(deps, generation)',
  },
  {
    name: 'cancel-after-submit',
    mistake: 'an order is cancelled although the gateway has got it',
    // A submit that hangs leaves time for the tap.
    faults: { ...calm, outside: 0.1, operations: /^create$/, ways: /^hang$/ },
    settings: { seconds: 30 },
    file: 'src/orders/settle.ts',
    find: `stateIs(...statesBefore('withdraw'))`,
    put: `stateIs('held', 'submitting')`,
  },
  {
    name: 'double-tap',
    mistake: 'a draft can be ordered twice',
    file: 'src/orders/confirm.ts',
    find: "  if (quoted.isOrdered) return 'already'\n",
    put: '',
    also: [
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
    name: 'again-twice',
    mistake: 'a second tap on Again orders a second time',
    faults: calm,
    settings: { seconds: 30 },
    file: 'src/orders/confirm.ts',
    find: '(await db.$count(accounts, isSame)) > 0',
    put: '(await db.$count(accounts, isSame)) > 1',
    also: [
      { file: 'src/orders/confirm.ts', find: 'and a.repeated_at > ', put: 'and false and a.repeated_at > ' },
    ],
  },
  {
    name: 'no-fence',
    mistake: 'a worker that was paused continues as if it still had its lease',
    faults: paused,
    file: 'src/orders/generation.ts',
    find: 'isHeld(generations, held)',
    put: `sql\`id = \${held.id}\``,
  },
  {
    name: 'no-lease',
    mistake: 'a leased row is claimed by other workers',
    // Without deaths of processes, results that come twice have no cause.
    faults: calm,
    file: 'src/db/queue.ts',
    find: 'and(due, isFree(table, now), which)',
    put: 'and(due, which)',
  },
  {
    name: 'lease-for-ever',
    mistake: 'the lease of a dead process never ends',
    file: 'src/db/queue.ts',
    find: 'and(due, isFree(table, now), which)',
    put: 'and(due, isNull(table.leaseUntil), which)',
  },
  {
    name: 'task-of-a-neighbour',
    mistake: 'of orders that are claimed together, each is asked about by the task of the first one',
    faults: calm,
    file: 'src/orders/generation.ts',
    find: '  return rows.sort(',
    put: `  const first = rows[0]?.taskId
  const wrong = rows.map((one) => (one.state === 'running' && first ? { ...one, taskId: first } : one))
  return wrong.sort(`,
  },
  {
    name: 'loss-is-early',
    mistake: 'an order whose submit had no answer is given back before a callback can name its task',
    file: 'src/orders/times.ts',
    find: 'export const unknownGraceMs = 10 * minuteMs',
    put: 'export const unknownGraceMs = 3 * minuteMs',
  },
  {
    name: 'failure-is-captured',
    mistake: 'a generation that failed is charged',
    faults: calm,
    file: 'src/orders/settle.ts',
    find: '{ captured: 0n, reason,',
    put: '{ captured: held.amount, reason,',
  },
  {
    name: 'no-limit-of-orders',
    mistake: 'a person may have any number of orders at once',
    settings: { concurrent: 1 },
    faults: calm,
    file: 'src/orders/confirm.ts',
    find: `a.open_orders < \${integer(limits.concurrent)}`,
    put: `a.open_orders <> \${integer(limits.concurrent)} * -1`,
  },
  {
    name: 'no-daily-cap',
    mistake: 'the daily cap is not a part of the statement that holds the money',
    faults: calm,
    file: 'src/orders/confirm.ts',
    find: `(\${cap} is null or `,
    put: `(\${cap} is not null or `,
  },
]

const messageMutants: readonly Planted[] = [
  {
    name: 'delivered-before-sent',
    mistake: 'a result is marked as delivered, then sent',
    file: 'src/orders/deliver/deliver.ts',
    find: '  const outcome = await attempt(deps, generation, status)',
    put: `  const done = { delivery: 'delivered', nextCheckAt: null } as const
  await deps.db.update(generations).set(done).where(eq(generations.id, generation.id))
  const outcome = await attempt(deps, generation, status)`,
    also: [
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
    file: 'src/orders/deliver/deliver.ts',
    find: 'return await explainFailure(deps, job)',
    put: 'return { ok: true }',
  },
  {
    name: 'again-lacks-a-file',
    mistake: 'a result that is asked for in the history comes without its last file',
    faults: { ...calm, outside: 0 },
    file: 'src/orders/deliver/resend.ts',
    find: 'for (const artifact of job.artifacts.filter((one) => !done.includes(one))) {',
    put: 'for (const artifact of job.artifacts.slice(0, -1).filter((one) => !done.includes(one))) {',
  },
  {
    name: 'updates-twice',
    mistake: 'a repeated update is handled as a new one',
    file: 'src/updates/inbox.ts',
    find: '    id: update.update_id,\n    body',
    put: '    id: Math.floor(Math.random() * 2 ** 50),\n    body',
    // No process ends, so that without the mistake every update is handled once.
    faults: { ...calm, outside: 0.05, operations: /^update$/ },
  },
  {
    name: 'confirmed-before-stored',
    mistake: 'updates are acknowledged before they are stored',
    file: 'src/http/routes.ts',
    find: 'if (received.success) await store([received.data])',
    put: 'if (received.success) void store([received.data]).catch(() => undefined)',
  },
  {
    name: 'no-order',
    mistake: 'updates of one chat are handled concurrently',
    file: 'src/updates/inbox.ts',
    find: `\${isDue} and not \${isBehind('chatId')} and not \${isBehind('personId')}`,
    put: `\${isDue}`,
  },
]

const creditMutants: readonly Planted[] = [
  {
    name: 'ledger-in-two-statements',
    mistake: 'the state changes first, the money moves after it',
    file: 'src/ledger/ledger.ts',
    find: '    const [posted] = await rows(db, statement, z.object({ posted: z.boolean() }))\n',
    put: `    const first = sql\`with guard as (\${guard}) select true as posted from guard limit 1\`
    const [posted] = await rows(db, first, z.object({ posted: z.boolean() }))
    const always = [{ name: 'guard', statement: sql\`select 1\` }, ...parts.slice(1)]
    if (posted && statement) await db.execute(withParts(always, sql\`select 1\`))
`,
  },
  {
    name: 'credit-by-chance',
    mistake: 'a payment is credited by a key of its own each time it is reported',
    file: 'src/payments/top-ups.ts',
    find: 'export async function creditPayment(deps: TopUpDeps, paid: Paid, chargeId: string)',
    put: 'export async function creditPayment(deps: TopUpDeps, paid: Paid, charge: string, chargeId = charge + deps.ids.next())',
  },
  {
    name: 'first-page-of-stars',
    mistake: 'only the first page of the list of Stars is read',
    faults: calm,
    file: 'src/payments/reconcile.ts',
    find: 'if (page.count < pageSize) return { next, charges }',
    put: 'return { next: 0, charges }',
  },
  {
    name: 'page-opened-twice',
    mistake: 'a payment page whose answer was lost is opened again as another payment',
    faults: { ...calm, outside: 0.05, operations: /^create$/ },
    file: 'src/payments/yookassa/index.ts',
    find: 'withKey(order.topUpId)',
    put: 'withKey(String(Math.random()))',
  },
  {
    name: 'payer-untold',
    mistake: 'a notice that cannot be sent at once is not sent later',
    faults: { ...calm, outside: 0.1, operations: /^sendMessage$/, ways: /^(429|request lost)$/ },
    // With this credit every person has to pay before the first order.
    settings: { welcomeCredit: 1 },
    file: 'src/bot/account/notices.ts',
    find: 'return postponeNotice(deps, notice, outcome.afterMs ?? pauseMs(attempts))',
    put: 'return finishNotice(deps, notice)',
  },
  {
    name: 'promo-by-spelling',
    mistake: 'a promo code is credited once for each of its spellings',
    faults: calm,
    file: 'src/ledger/promo.ts',
    find: 'const move = promotion(userId, code, amount)',
    put: 'const move = promotion(userId, typed.trim(), amount)',
  },
  {
    name: 'bonus-forgotten',
    mistake: 'a friend who paid brings no bonus',
    faults: calm,
    file: 'src/payments/rewards.ts',
    find: `select 'referral', user_id::text, inviter_id,`,
    put: `select 'referral', user_id::text, null::bigint,`,
  },
  {
    name: 'percents-doubled',
    mistake: 'an inviter gets twice the percents of a payment',
    faults: calm,
    file: 'src/payments/rewards.ts',
    find: `select 'partner', name, inviter_id, share,`,
    put: `select 'partner', name, inviter_id, share * 2,`,
  },
  {
    name: 'wallet-filled-twice',
    mistake: 'a second tap on a button that fills the wallet of a group moves the money again',
    faults: calm,
    settings: { seconds: 30 },
    file: 'src/bot/groups/wallet.ts',
    find: `fundWallet(db, { key: \`\${own.id}:\${key}\`, wallet: own, amount }`,
    put: `fundWallet(db, { key: \`\${own.id}:\${key}:\${Math.random()}\`, wallet: own, amount }`,
  },
  {
    name: 'wallet-limit-is-late',
    mistake: 'a member is only stopped when the limit of the wallet is already passed',
    faults: calm,
    settings: { seconds: 30 },
    file: 'src/orders/confirm.ts',
    find: 'where excluded.spent + case when m.spent_on = excluded.spent_on then m.spent else 0 end\n',
    put: 'where case when m.spent_on = excluded.spent_on then m.spent else 0 end\n',
    also: [
      {
        file: 'src/sales/limits.ts',
        find: 'if (cap && cap.spent + amount > cap.most)',
        put: 'if (cap && cap.spent > cap.most)',
      },
    ],
  },
]

const answerMutants: readonly Planted[] = [
  {
    name: 'answer-unsent',
    mistake: 'an answer that was paid for is marked as sent and is not sent',
    faults: calm,
    file: 'src/bot/chat/deliver.ts',
    find: 'const message = await sendPart(sender, turn, at, recipient)',
    put: 'const message = turn.captured ? undefined : await sendPart(sender, turn, at, recipient)',
  },
  {
    name: 'rates-of-another-model',
    mistake: 'an answer is charged at the rates of the first model instead of the one that was chosen',
    faults: calm,
    file: 'src/chat/begin.ts',
    find: 'return offered.find(({ id }) => id === conversation.modelId) ?? offered[0]',
    put: `const chosen = offered.find(({ id }) => id === conversation.modelId)
  return chosen ? { ...chosen, rates: offered[0]?.rates } : offered[0]`,
  },
]

export const mutants: readonly Mutant[] = [
  ...orderMutants,
  ...messageMutants,
  ...creditMutants,
  ...answerMutants,
].map(({ file, find, put, also = [], ...mutant }) => ({ ...mutant, changes: [{ file, find, put }, ...also] }))
