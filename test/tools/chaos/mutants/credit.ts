// Planted mutants of payments, credit, wallets and answers.

import { calm } from '../settings.ts'
import type { Planted } from './mutant.ts'

export const creditMutants: readonly Planted[] = [
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
    find: 'export async function creditPayment(deps: TopUpDeps, paid: Credit, chargeId: string)',
    put: 'export async function creditPayment(deps: TopUpDeps, paid: Credit, charge: string, chargeId = charge + deps.ids.next())',
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
    file: 'src/bot/groups/wallet.ts',
    find: `fundWallet(db, { key: \`\${own.id}:\${key}\`, wallet: own, amount }`,
    put: `fundWallet(db, { key: \`\${own.id}:\${key}:\${Math.random()}\`, wallet: own, amount }`,
  },
  {
    name: 'wallet-limit-is-late',
    mistake: 'a member is only stopped when the limit of the wallet is already passed',
    faults: calm,
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

export const answerMutants: readonly Planted[] = [
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
