// The planted mutants: the app with one deliberate mistake each, one or two of a kind. A run must detect every one of them. They break
// what only kills, pauses and races show, and prove that each group of checks detects something; `npm run mutants` makes all others.

import type { Mutant, Planted } from './mutant.ts'

const planted: readonly Planted[] = [
  {
    name: 'submit-again',
    mistake: 'an order whose answer was lost is ordered again',
    faults: 'calm',
    file: 'src/orders/submit.ts',
    find: 'return becomeUnknown(deps, submitting)',
    put: 'return tryLater(deps, submitting)',
  },
  {
    name: 'again-twice',
    mistake: 'a second tap on Again orders a second time',
    faults: 'calm',
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
    faults: 'paused',
    file: 'src/orders/generation.ts',
    find: 'isHeld(generations, held)',
    put: `sql\`id = \${held.id}\``,
  },
  {
    name: 'no-lease',
    mistake: 'a leased row is claimed by other workers',
    // Without deaths of processes, results that come twice have no cause.
    faults: 'calm',
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
    name: 'failure-is-captured',
    mistake: 'a generation that failed is charged',
    faults: 'calm',
    file: 'src/orders/settle.ts',
    find: '{ captured: 0n, reason,',
    put: '{ captured: held.amount, reason,',
  },
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
    name: 'payer-untold',
    mistake: 'a notice that cannot be sent at once is not sent later',
    faults: 'calm',
    file: 'src/bot/account/notices.ts',
    find: 'return postponeNotice(deps, notice, outcome.afterMs ?? pauseMs(attempts))',
    put: 'return finishNotice(deps, notice)',
  },
  {
    name: 'wallet-filled-twice',
    mistake: 'a second tap on a button that fills the wallet of a group moves the money again',
    faults: 'calm',
    file: 'src/bot/groups/wallet.ts',
    find: `fundWallet(db, { key: \`\${own.id}:\${key}\`, wallet: own, amount }`,
    put: `fundWallet(db, { key: \`\${own.id}:\${key}:\${Math.random()}\`, wallet: own, amount }`,
  },
  {
    name: 'answer-unsent',
    mistake: 'an answer that was paid for is marked as sent and is not sent',
    faults: 'calm',
    file: 'src/bot/chat/deliver.ts',
    find: 'const message = await sendPart(sender, turn, at, recipient)',
    put: 'const message = turn.captured ? undefined : await sendPart(sender, turn, at, recipient)',
  },
  {
    name: 'rates-of-another-model',
    mistake: 'an answer is charged at the rates of the first model instead of the one that was chosen',
    faults: 'calm',
    file: 'src/chat/begin.ts',
    find: 'return offered.find(({ id }) => id === conversation.modelId) ?? offered[0]',
    put: `const chosen = offered.find(({ id }) => id === conversation.modelId)
  return chosen ? { ...chosen, rates: offered[0]?.rates } : offered[0]`,
  },
]

export const mutants: readonly Mutant[] = planted.map(({ file, find, put, also = [], ...mutant }) => ({
  ...mutant,
  changes: [{ file, find, put }, ...also],
}))
