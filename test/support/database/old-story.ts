// Test data for a database of any version: transfers of every kind, orders and answers in every state. Tables and columns that a version
// does not have yet are left out; a row can require one of them.

import { generationStates, turnStates } from '../../../src/db/schema.ts'

export interface Row {
  readonly table: string
  readonly values: Readonly<Record<string, unknown>>
  /** The tables and columns (`table` or `table.column`) that the row requires. */
  readonly needs?: readonly string[]
}

const at = '2026-01-02T03:04:05Z'
const [inviter, buyer, forgotten] = [1, 2, 3]
const price = 9245

const row = (table: string, values: Row['values'], ...needs: string[]): Row => ({ table, values, needs })

/** A transfer. The columns that link it to its subject were added in different versions. */
const transfer = (
  kind: string,
  key: string,
  [debit, credit]: readonly [string, string],
  amount: number,
  more: Row['values'] = {},
  ...needs: string[]
) => row('transfers', { key, kind, user_id: buyer, debit, credit, amount, created_at: at, ...more }, ...needs)

const people: readonly Row[] = [
  row('users', { telegram_id: 1001, language: 'ru', created_at: at }),
  row('users', { telegram_id: 1002, telegram_language: 'en', referrer_id: inviter, email: 'b@example.com' }),
  row('users', { telegram_id: null, forgotten_at: at }),
  ...[inviter, buyer, forgotten].map((user_id) => row('balances', { user_id })),

  row('conversation_states', { key: 'c1', value: '{"a": [1, "\\"", null]}' }),
]

const payments: readonly Row[] = ['c1', 'c2'].flatMap((charge_id, i) => {
  const paid = { user_id: buyer, provider: 'stars', credit: 500_00, charge: 417, currency: 'XTR' }
  const top_up_id = `t${i}`
  return [
    row('top_ups', { id: top_up_id, state: 'paid', ...paid }),
    row('payments', { ...paid, charge_id, top_up_id }),
    transfer('deposit', `deposit:stars:${charge_id}`, ['provider', 'available'], 500_00, { top_up_id }),
  ]
})

/** The second payment was refunded. */
const paidBack: readonly Row[] = [
  transfer(
    'refund',
    'refund:stars:c2',
    ['available', 'provider'],
    500_00,
    { top_up_id: 't1' },
    'payments.refunded_at',
  ),
]

/** A group wallet from which the owner took a part of the money back. */
const wallets: readonly Row[] = [
  row('wallets', { owner_id: buyer, chat_id: -1001, title: 'We', available: 200 }),
  row('accounts', { kind: 'group', owner_id: buyer, chat_id: -1001, title: 'We', available: 200 }),
  ...[inviter, buyer, forgotten].map((owner_id) => row('accounts', { kind: 'user', owner_id })),
  row('wallet_members', { account_id: 1, user_id: inviter, spent: 0 }),
  ...(
    [
      ['fund', 'available', 'group', 300],
      ['take-back', 'group', 'available', 100],
    ] as const
  ).map(([kind, debit, credit, amount]) =>
    transfer(kind, `${kind}:1:k`, [debit, credit], amount, { wallet_id: 1 }, 'transfers.wallet_id'),
  ),
]

const gifts: readonly Row[] = [
  transfer('promotion', `welcome:${buyer}`, ['promotions', 'available'], 500_00),
  row('promo_codes', { code: 'MAY', amount: 100, uses: 1, max_uses: 5 }),
  row('operator_actions', { action: 'promo', subject: 'promo:MAY', details: '{"amount": "100"}' }),
  transfer(
    'promotion',
    `promo:MAY:${buyer}`,
    ['promotions', 'available'],
    100,
    { note: 'MAY' },
    'promo_codes',
  ),
  transfer(
    'promotion',
    `referral:${buyer}`,
    ['promotions', 'available'],
    50_00,
    { user_id: inviter },
    'users.referrer_id',
  ),
  row('operator_actions', {
    action: 'grant',
    subject: `user:${buyer}`,
    reason: 'sorry',
    details: '{"key": "k1", "amount": "700"}',
  }),
  transfer(
    'correction',
    'correction:k1',
    ['corrections', 'available'],
    7_00,
    { note: 'sorry' },
    'operator_actions',
  ),
]

interface Order {
  readonly id: string
  readonly state: string
  readonly captured: number | null
  readonly more?: Row['values']
}

const isEnded = (state: string) => ['succeeded', 'failed', 'canceled'].includes(state)

const orders: readonly Order[] = [
  ...generationStates.map((state) => ({
    id: `g-${state}`,
    state,
    captured: isEnded(state) ? (state === 'succeeded' ? price : 0) : null,
  })),
  { id: 'g-part', state: 'succeeded', captured: 4622, more: { delivery: 'delivered' } },
  { id: 'g-lost', state: 'succeeded', captured: price, more: { delivery: 'undeliverable' } },
  { id: 'g-refunded', state: 'succeeded', captured: price, more: { refunded: price } },
]

const held = (
  id: string,
  amount: number,
  captured: number | null,
  more: Row['values'],
  ...needs: string[]
) => [
  transfer('hold', `hold:${id}`, ['available', 'held'], amount, more, ...needs),
  ...(captured ? [transfer('capture', `capture:${id}`, ['held', 'revenue'], captured, more, ...needs)] : []),
  ...(captured !== null && captured < amount
    ? [transfer('release', `release:${id}`, ['held', 'available'], amount - captured, more, ...needs)]
    : []),
]

const ordered: readonly Row[] = orders.flatMap(({ id, state, captured, more }) => {
  const order = { user_id: buyer, model_id: 'MODEL-VIDEO-REEL', request: '{"n": 1}', amount: price }
  return [
    row('drafts', { id: `d-${id}`, user_id: buyer, state: 'ordered', answers: '{"prompt": "кот"}' }),
    row('quotes', {
      id: `q-${id}`,
      draft_id: `d-${id}`,
      ...order,
      gateway_cost: price,
      parts:
        '{"unit": "second", "quantity": 5, "count": 1, "rate": {"roubles": "18.49", "per": 1}, "multiplier": "1"}',
    }),
    row('generations', {
      id,
      quote_id: `q-${id}`,
      draft_id: `d-${id}`,
      ...order,
      state,
      captured,
      callback_token: `token-${id}`,
      task_id: state === 'held' ? null : `task-${id}`,
      next_check_at: isEnded(state) ? null : at,
      settled_at: isEnded(state) ? at : null,
      ...more,
    }),
    ...held(id, price, captured, { generation_id: id }),
  ]
})

const afterwards: readonly Row[] = [
  row('task_candidates', { generation_id: 'g-unknown', task_id: 'named', rank: 0 }),
  row('artifacts', { generation_id: 'g-succeeded', position: 0, url: 'https://example.com/0.mp4' }),
  row('artifacts', { generation_id: 'g-part', position: 1, url: 'data:image/png;base64,AA==', file_id: 'f' }),
  transfer(
    'refund',
    'refund:g-refunded',
    ['revenue', 'available'],
    price,
    { generation_id: 'g-refunded', note: 'blurred' },
    'generations.refunded',
  ),
  row('artifacts', { generation_id: 'g-lost', position: 0, url: 'https://example.com/gone.mp4' }),
  row('artifacts', {
    generation_id: 'g-refunded',
    position: 0,
    url: 'https://example.com/1.mp4',
    message_id: 7,
  }),
  row('operator_actions', {
    action: 'refund',
    subject: 'generation:g-refunded',
    reason: 'blurred',
    details: `{"user": "${buyer}", "amount": "${price}"}`,
  }),
  row('drafts', { id: 'd-open', user_id: buyer, state: 'open' }),
  row('reports', { id: 'r1', generation_id: 'g-part', user_id: buyer, said: 'half of it is missing' }),
  row('reports', { id: 'r2', generation_id: 'g-refunded', user_id: buyer, state: 'refunded' }),
  row('sales_stops', { cause: 'out-of-balance', since: at, until: at }),
]

/** A refunded answer that is undeliverable, and an answer whose delivery is pending. */
const unsent: readonly Row[] = [
  ...[
    { id: 'turn-refunded', delivery: 'undeliverable', refunded: 33 },
    {
      id: 'turn-pending',
      delivery: 'pending',
      parts: '[{"kind": "text", "text": "Да.", "entities": []}]',
      send_at: at,
    },
  ].flatMap((more) => {
    const turn = {
      thread_id: 'open',
      user_id: buyer,
      state: 'done',
      amount: 100,
      captured: 33,
      settled_at: at,
      ...more,
    }
    return [
      row('turns', turn, 'turns.delivery'),
      ...held(`turn:${more.id}`, 100, 33, { turn_id: more.id }, 'turns.delivery'),
    ]
  }),
  transfer(
    'refund',
    'refund:turn:turn-refunded',
    ['revenue', 'available'],
    33,
    { turn_id: 'turn-refunded', note: 'not sent' },
    'turns.delivery',
  ),
]

const answers: readonly Row[] = [
  row('threads', { id: 'open', user_id: buyer, chat_id: 1002 }),
  row('threads', { id: 'closed', user_id: buyer, chat_id: 1002, closed_at: at }),
  ...turnStates.flatMap((state) => {
    const captured = state === 'streaming' ? null : state === 'failed' ? 0 : 33
    const id = `turn-${state}`
    const settled_at = captured === null ? null : at
    const of = { id, thread_id: 'open', user_id: buyer, state, amount: 100 }
    const turn = { ...of, captured, settled_at, lease_until: settled_at ? null : at }
    return [row('turns', turn), ...held(`turn:${id}`, 100, captured, { turn_id: id }, 'transfers.turn_id')]
  }),
  ...unsent,
]

/** All rows, in an order that satisfies the foreign keys. */
export const story: readonly Row[] = [
  ...people,
  ...payments,
  ...gifts,
  ...wallets,
  ...ordered,
  ...afterwards,
  ...answers,
  ...paidBack,
]
