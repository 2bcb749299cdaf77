// The invariants of orders: generations and answers, with the transfers of each.

import { type Invariant, roubles } from './invariant.ts'

/** The sum of the transfers `t` for an account: the received amounts minus the given ones. */
export const sumOf = (account: string) =>
  `sum(case '${account}' when t.credit then t.amount when t.debit then -t.amount else 0 end)`

interface Orders {
  readonly what: string
  readonly table: string
  /** The column of `transfers` that refers to the order. */
  readonly column: string
  /** The wallet that pays; 0 when the user pays. */
  readonly payer: string
  readonly live: string
  readonly paid: string
}

export const generations: Orders = {
  what: 'generation',
  table: 'generations',
  column: 'generation_id',
  payer: 'coalesce(o.wallet_id, 0)',
  live: `o.state not in ('succeeded', 'failed', 'canceled')`,
  paid: `(o.captured > 0) = (o.state = 'succeeded')`,
}

/** Unlike a generation, an answer that its user stopped may have been charged for the part that arrived. */
export const turns: Orders = {
  what: 'answer',
  table: 'turns',
  column: 'turn_id',
  payer: '0',
  live: `o.state = 'streaming'`,
  paid: `o.captured = 0 or o.state <> 'streaming'`,
}

/** Conditions on an order `o` with the sums of its transfers; either the order or its transfers may be missing. */
const invariantsOf = ({ what, live, paid }: Orders) => [
  {
    name: `every open hold belongs to a live ${what}, and every live ${what} has its hold`,
    isBroken: `o.id is null or o.held <> case when ${live} then o.amount else 0 end or o.first <> o.user_id or o.last <> o.user_id`,
    fact: `format('state %s, amount %s, still held %s', o.state, ${roubles('o.amount')}, ${roubles('o.held')})`,
  },
  {
    name: `the money of the ${what} is that of whoever pays for it`,
    isBroken: `o.id is not null and (o.first_payer <> o.payer or o.last_payer <> o.payer)`,
    fact: `format('wallet %s, transfers of wallets %s to %s', o.payer, o.first_payer, o.last_payer)`,
  },
  {
    name: `the captured amount is the one of the ${what}, at most its hold, and only results are charged`,
    isBroken: `o.id is not null and (o.taken <> o.captured or o.captured > o.amount or not (${paid}))`,
    fact: `format('state %s, captured %s, transfers %s', o.state, ${roubles('o.captured')}, ${roubles('o.taken')})`,
  },
  {
    name: `the refunded amount is the one of the ${what}, at most what was captured`,
    isBroken: `o.id is not null and (o.returned <> o.refunded or o.refunded > o.captured)`,
    fact: `format('captured %s, refunded %s, transfers %s', ${roubles('o.captured')}, ${roubles('o.refunded')}, ${roubles('o.returned')})`,
  },
]

/** All invariants of the orders in one pass: on large tables the grouping of the transfers is most of the work. */
export function ofOrders(orders: Orders): Invariant {
  const { what, table, column, payer } = orders
  const invariants = invariantsOf(orders)
  const of = (kind: string) => `sum(t.amount) filter (where t.kind = '${kind}')`
  const values = invariants.map(({ name, isBroken, fact }) => `('${name}', ${isBroken}, ${fact})`)
  const broken = `
    select v.invariant, coalesce(o.id, o.order_id) as subject, v.fact
    from (
      select o.id, o.user_id, o.state, o.amount, coalesce(o.captured, 0) as captured, coalesce(o.refunded, 0) as refunded,
        ${payer} as payer, m.first_payer, m.last_payer, m.order_id, m.first, m.last, coalesce(m.held, 0) as held, coalesce(m.taken, 0) as taken,
        coalesce(m.returned, 0) as returned
      from ${table} o full join (
        select t.${column} as order_id, min(t.user_id) as first, max(t.user_id) as last, ${sumOf('held')} + ${sumOf('group-held')} as held,
          min(coalesce(t.wallet_id, 0)) as first_payer, max(coalesce(t.wallet_id, 0)) as last_payer,
          ${of('capture')} as taken, ${of('refund')} as returned
        from transfers t where t.${column} is not null group by t.${column}
      ) m on m.order_id = o.id
    ) o, lateral (values ${values.join(', ')}) v (invariant, is_broken, fact)
    where (${invariants.map(({ isBroken }) => isBroken).join(' or ')}) and v.is_broken`
  return { name: `the transfers of each ${what} fit it`, broken }
}
