// Test data for a database of any version: transfers of every kind, orders and answers in every state. Tables and columns that a version
// does not have yet are left out; a row can require one of them.

import { generationStates, turnStates } from '../../../src/db/schema.ts'

type Values = Readonly<Record<string, unknown>>

export interface Row {
  readonly table: string
  readonly values: Values
  /** The tables and columns (`table` or `table.column`) that the row requires. */
  readonly needs?: readonly string[]
}

const at = '2026-01-02T03:04:05Z'
const [inviter, buyer, forgotten] = [1, 2, 3]
const everybody = [inviter, buyer, forgotten]
const price = 9245

const row = (table: string, values: Values, ...needs: string[]): Row => ({ table, values, needs })

/** A transfer; `way` is like `available>held`. The columns that link it to its subject were added in different versions. */
function move(kind: string, key: string, way: string, amount: number, more: Values = {}, ...needs: string[]) {
  const [debit, credit] = way.split('>')
  const values = { key, kind, user_id: buyer, debit, credit, amount, created_at: at, ...more }
  return row('transfers', values, ...needs)
}

const people: readonly Row[] = [
  row('users', { telegram_id: 1001, language: 'ru', created_at: at }),
  row('users', { telegram_id: 1002, telegram_language: 'en', referrer_id: inviter, email: 'b@example.com' }),
  row('users', { telegram_id: null, forgotten_at: at }),
  ...everybody.map((user_id) => row('balances', { user_id })),
  row('broadcasts', { id: 'x', state: 'done' }),
  row('conversation_states', { key: 'c1', value: '{"a": [1, "\\"", null]}' }),
]

const payments: readonly Row[] = ['c1', 'c2'].flatMap((charge_id, i) => {
  const paid = { user_id: buyer, provider: 'stars', credit: 500_00, charge: 417, currency: 'XTR' }
  const top_up_id = `t${i}`
  return [
    row('top_ups', { id: top_up_id, state: 'paid', ...paid, bonus: 25_00 }),
    row('payments', { ...paid, charge_id, top_up_id }),
    move('deposit', `deposit:stars:${charge_id}`, 'provider>available', 500_00, { top_up_id }),
  ]
})

/** The second payment was refunded. */
const back = { top_up_id: 't1' }
const paidBack = move('refund', 'refund:stars:c2', 'available>provider', 500_00, back, 'payments.refunded_at')

/** A group wallet from which the owner took a part of the money back. */
const group = { owner_id: buyer, chat_id: -1001, title: 'We', available: 200 }
const ofWallet = [{ wallet_id: 1 }, 'transfers.wallet_id'] as const
const wallets: readonly Row[] = [
  row('wallets', group),
  row('accounts', { kind: 'group', ...group }),
  ...everybody.map((owner_id) => row('accounts', { kind: 'user', owner_id })),
  row('wallet_members', { account_id: 1, user_id: inviter, spent: 0 }),
  move('fund', 'fund:1:k', 'available>group', 300, ...ofWallet),
  move('take-back', 'take-back:1:k', 'group>available', 100, ...ofWallet),
]

const given = 'promotions>available'
const granted = { action: 'grant', subject: `user:${buyer}`, reason: 'sorry' }
const percents = '{"amount": "100", "percent": 20}'
const gifts: readonly Row[] = [
  move('promotion', `welcome:${buyer}`, given, 500_00),
  row('promo_codes', { code: 'MAY', amount: 100, uses: 1, max_uses: 5 }),
  row('operator_actions', { action: 'promo', subject: 'promo:MAY', details: '{"amount": "100"}' }),
  move('promotion', `promo:MAY:${buyer}`, given, 100, { note: 'MAY' }, 'promo_codes'),
  move('promotion', `referral:${buyer}`, given, 50_00, { user_id: inviter }, 'users.referrer_id'),
  row('promo_codes', { code: 'JUNE', amount: 100, percent: 20, uses: 1, max_uses: 5 }, 'code_uses'),
  row('operator_actions', { action: 'promo', subject: 'promo:JUNE', details: percents }, 'code_uses'),
  row('code_uses', { user_id: buyer, code: 'JUNE', is_waiting: true }),
  row('bonuses', { kind: 'top-up', amount: 5 }, 'code_uses'),
  row('bonuses', { kind: 'partner', amount: 10 }, 'code_uses'),
  move('bonus', 'bonus:stars:c1', given, 25_00, { top_up_id: 't0' }, 'code_uses'),
  move('partner', 'partner:stars:c1', given, 50_00, { user_id: inviter }, 'code_uses'),
  row('operator_actions', { ...granted, details: '{"key": "k1", "amount": "700"}' }),
  move('correction', 'correction:k1', 'corrections>available', 700, { note: 'sorry' }, 'operator_actions'),
]

interface Order {
  readonly id: string
  readonly state: string
  readonly captured: number | null
  readonly more?: Values
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

function held(id: string, amount: number, captured: number | null, more: Values, ...needs: string[]): Row[] {
  const rest = captured === null ? 0 : amount - captured
  return [
    move('hold', `hold:${id}`, 'available>held', amount, more, ...needs),
    ...(captured ? [move('capture', `capture:${id}`, 'held>revenue', captured, more, ...needs)] : []),
    ...(rest > 0 ? [move('release', `release:${id}`, 'held>available', rest, more, ...needs)] : []),
  ]
}

const parts =
  '{"unit": "second", "quantity": 5, "count": 1, "rate": {"roubles": "18.49", "per": 1}, "multiplier": "1"}'

const ordered: readonly Row[] = orders.flatMap(({ id, state, captured, more }) => {
  const order = { user_id: buyer, model_id: 'MODEL-VIDEO-REEL', request: '{"n": 1}', amount: price }
  const ids = { draft_id: `d-${id}`, callback_token: `token-${id}` }
  const task_id = state === 'held' ? null : `task-${id}`
  const times = isEnded(state) ? { next_check_at: null, settled_at: at } : { next_check_at: at }
  return [
    row('drafts', { id: `d-${id}`, user_id: buyer, state: 'ordered', answers: '{"prompt": "кот"}' }),
    row('quotes', { id: `q-${id}`, draft_id: `d-${id}`, ...order, gateway_cost: price, parts }),
    row('generations', {
      ...{ id, quote_id: `q-${id}`, ...ids, ...order, state, captured, task_id, settled_at: null },
      ...{ ...times, ...more },
    }),
    ...held(id, price, captured, { generation_id: id }),
  ]
})

const artifact = (id: string, more: Values) =>
  row('artifacts', { generation_id: `g-${id}`, position: 0, url: 'https://example.com/0.mp4', ...more })
const ofRefund = { generation_id: 'g-refunded', note: 'blurred' }
const refunding = { action: 'refund', subject: 'generation:g-refunded', reason: 'blurred' }
const afterwards: readonly Row[] = [
  row('task_candidates', { generation_id: 'g-unknown', task_id: 'named', rank: 0 }),
  artifact('succeeded', {}),
  artifact('part', { position: 1, url: 'data:image/png;base64,AA==', file_id: 'f' }),
  move('refund', 'refund:g-refunded', 'revenue>available', price, ofRefund, 'generations.refunded'),
  artifact('lost', {}),
  artifact('refunded', { message_id: 7 }),
  row('operator_actions', { ...refunding, details: `{"user": "${buyer}", "amount": "${price}"}` }),
  row('drafts', { id: 'd-open', user_id: buyer, state: 'open' }),
  row('reports', { id: 'r1', generation_id: 'g-part', user_id: buyer, said: 'half of it is missing' }),
  row('reports', { id: 'r2', generation_id: 'g-refunded', user_id: buyer, state: 'refunded' }),
  row('sales_stops', { cause: 'out-of-balance', since: at, until: at }),
]

const turn = (id: string, captured: number | null, more: Values) => ({
  ...{ id, thread_id: 'open', user_id: buyer, state: 'done', amount: 100, captured },
  ...{ settled_at: captured === null ? null : at, ...more },
})
const pending = {
  delivery: 'pending',
  parts: '[{"kind": "text", "text": "Да.", "entities": []}]',
  send_at: at,
}
const unsent = { turn_id: 'turn-refunded', note: 'not sent' }

const answers: readonly Row[] = [
  row('threads', { id: 'open', user_id: buyer, chat_id: 1002 }),
  row('threads', { id: 'closed', user_id: buyer, chat_id: 1002, closed_at: at }),
  ...turnStates.flatMap((state) => {
    const captured = state === 'streaming' ? null : state === 'failed' ? 0 : 33
    const id = `turn-${state}`
    const values = turn(id, captured, { state, lease_until: captured === null ? at : null })
    return [row('turns', values), ...held(`turn:${id}`, 100, captured, { turn_id: id }, 'transfers.turn_id')]
  }),
  // A refunded answer that is undeliverable, and an answer whose delivery is pending.
  ...[
    turn('turn-refunded', 33, { delivery: 'undeliverable', refunded: 33 }),
    turn('turn-pending', 33, pending),
  ].flatMap((values) => [
    row('turns', values, 'turns.delivery'),
    ...held(`turn:${values.id}`, 100, 33, { turn_id: values.id }, 'turns.delivery'),
  ]),
  move('refund', 'refund:turn:turn-refunded', 'revenue>available', 33, unsent, 'turns.delivery'),
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
  paidBack,
]
