// The audit finds every kind of broken invariant, and reports nothing else.

import { sql } from 'drizzle-orm'
import { PgDialect } from 'drizzle-orm/pg-core'
import { afterAll, expect, it } from 'vitest'
import { z } from 'zod'
import { rows, violatedConstraint } from '../../src/db/client.ts'
import { audit } from '../../src/ledger/audit.ts'
import { acceptTransfers } from '../../src/ledger/checksum.ts'
import { accountInvariants } from '../../src/ledger/invariants/accounts.ts'
import { saleInvariants } from '../../src/ledger/invariants/sales.ts'
import type { Transfer } from '../../src/ledger/ledger.ts'
import {
  correction,
  deposit,
  promotion,
  refundOrder,
  refundPayment,
  refundTurn,
  rewardBackOf,
  rewardOf,
  welcome,
} from '../../src/ledger/moves.ts'
import { createWorld, finished, order, step, taskCreated, userWith } from '../support/worlds/generations.ts'
import { holdTurn, postAll, settleTurn } from '../support/worlds/moves.ts'

const world = await createWorld()
const { db } = world.deps
await goodDays()
afterAll(() => world.close())

/** Users 1 (invited by 2) and 2; live, failed and succeeded orders; all kinds of transfers. */
async function goodDays(): Promise<void> {
  const inviter = await userWith(world, 1000_00n)
  const user = await userWith(world, 1000_00n)
  const done = await order(world, user)
  world.gatewayAnswers(taskCreated)
  await step(world)
  world.gatewayAnswers(finished)
  world.clock.advance(60_000)
  await step(world)
  await order(world, user)
  const userId = user.id
  const now = `'${world.clock.now().toISOString()}'::timestamptz`
  const topUp = `${userId}, 'stars', 50000, 2500, 400, 'XTR', 'paid', ${now}`
  const payment = `${userId}, 50000, 400, 'XTR', ${now}`
  const turn = `'h1', ${userId}, 'm', '', '[]', '[]', 'streaming', 500, ${now}`
  const happened = `
    update users set referrer_id = ${inviter.id} where id = ${userId};
    insert into bonuses values ('welcome', 5000), ('referral', 3000), ('top-up', 5), ('partner', 10);
    insert into promo_codes values ('MAY', 100, 1, 5, null, now());
    insert into promo_codes (code, amount, percent, batch, uses, max_uses, created_at)
      values ('JUNE-1', 7000, 20, 'JUNE', 1, 1, ${now});
    insert into code_uses values (${userId}, 'JUNE-1', false, ${now});
    insert into top_ups (id, user_id, provider, credit, bonus, charge, currency, state, created_at)
      values ('t1', ${topUp}), ('t2', ${topUp});
    insert into payments values ('stars', 'c1', 't1', ${payment}), ('stars', 'c2', 't2', ${payment});
    update payments set refunded_at = ${now} where charge_id = 'c2';
    insert into reports values ('r1', '${done.id}', ${userId}, 'blurred', 'open', now(), null);
    update artifacts set message_id = 7;
    update generations set refunded = captured where id = '${done.id}';
    insert into operator_actions (action, subject, reason, details, created_at) values
      ('promo', 'promo:MAY', null, '{"amount": "100"}', now()),
      ('promo', 'promo:JUNE', null, '{"amount": "7000", "percent": 20, "codes": 1}', ${now}),
      ('refund', 'generation:${done.id}', 'blurred', '{"user": "${userId}", "amount": "9245"}', ${now}),
      ('debit', 'user:${userId}', 'mistake', '{"key": "k1", "amount": "-500"}', ${now});
    insert into threads values ('h1', ${userId}, 1, 0, 'm', null, '{}', now(), null);
    insert into turns (id, thread_id, user_id, model_id, question, files, sources, state, amount, created_at)
      values ('sent', ${turn}), ('unsent', ${turn});
    update turns set state = 'done', captured = 500, delivery = 'delivered', sent = 1, settled_at = ${now},
      input_tokens = 1000, output_tokens = 2000, rates = '{"input": "500", "output": "1000", "multiplier": "2"}';
    update turns set delivery = 'undeliverable', sent = 0, refunded = 500 where id = 'unsent'`
  for (const one of happened.split(';\n')) await db.execute(one)

  const paid = (at: number) =>
    ({ provider: 'stars', chargeId: `c${at}`, userId, credit: 500_00n, topUpId: `t${at}` }) as const
  const rewards = (at: number) => {
    const of = `stars:c${at}`
    const bonus = { name: 'bonus', of, userId, amount: 25_00n, topUpId: `t${at}` } as const
    return [bonus, { name: 'partner', of, userId: inviter.id, amount: 50_00n }] as const
  }
  const code = {
    name: 'code',
    of: 'stars:c1',
    userId,
    amount: 70_00n,
    topUpId: 't1',
    note: 'JUNE-1',
  } as const
  const answers = ['sent', 'unsent'].map((id) => ({ id, userId, amount: 5_00n }))
  const moves: readonly Transfer[] = [
    ...[1, 2].flatMap((at) => [deposit(paid(at)), ...rewards(at).map(rewardOf)]),
    ...[refundPayment(paid(2)), ...rewards(2).map((one) => rewardBackOf(one, 0n))],
    ...[rewardOf(code), welcome(userId, 50_00n), promotion(userId, 'MAY', 1_00n)],
    rewardOf({ name: 'referral', of: `${userId}`, userId: inviter.id, amount: 30_00n }),
    refundOrder({ ...done, amount: 92_45n }, 'blurred'),
    correction('k1', userId, -5_00n, 'mistake'),
    ...answers.flatMap((one) => [holdTurn(one), ...settleTurn(one, 5_00n)]),
    refundTurn({ id: 'unsent', userId, spentOn: null }, 5_00n, 'not sent'),
  ]
  expect(await postAll(db, moves, world.clock.now())).toEqual({ ok: true })
}

const done = `(select id from generations where state = 'succeeded')`
const live = `(select id from generations where state = 'held')`
const user = `(select user_id from generations where state = 'held')`
const transfer = (values: string) =>
  `insert into transfers (key, kind, user_id, debit, credit, amount, generation_id, top_up_id, note, created_at) ${values}`
/** A transfer that changes the balances too, so that only its meaning is wrong. */
const given = (key: string, kind: string, from: string, more = 'null, null, null') =>
  `${transfer(`select ${key}, '${kind}', ${user}, '${from}', 'available', 500, ${more}, now()`)};
   update accounts set available = available + 500 where kind = 'user' and owner_id = ${user}`

const ofMay = `null, null, 'MAY'`

/** Computes the checksums anew, as somebody does who knows how they are made. */
const accepted = new PgDialect().sqlToQuery(acceptTransfers).sql
/** Transfers that were raised with the balances of whoever got them, and with the checksums. */
const raised = (keys: string) => `
  update accounts b set available = available + 500 from transfers t where b.kind = 'user' and t.user_id = b.owner_id and t.key like '${keys}';
  update transfers set amount = amount + 500 where key like '${keys}'; ${accepted}`
const takenAgain = (name: string, charge: string) => `
  update accounts b set available = available - t.amount from transfers t where b.kind = 'user' and t.user_id = b.owner_id and t.key = '${name}:stars:${charge}';
  ${transfer(`select '${name}-back:stars:${charge}#1', kind, user_id, 'available', 'promotions', amount, null, top_up_id, null, now() from transfers where key = '${name}:stars:${charge}'`)}; ${accepted}`

/** For each invariant the damages that violate it. */
const damages: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'a balance is the sum': {
    'a balance changed outside of the ledger': 'update accounts set available = available + 1',
    'a held amount changed outside of the ledger': 'update accounts set held = held + 1',
    'a deleted transfer': `delete from transfers where kind = 'capture'`,
    'a changed transfer': `update transfers set amount = amount + 1 where kind = 'deposit'`,
  },
  'the open orders of a user': {
    'an open order that is not counted': 'update accounts set open_orders = 0',
    'an ended order that is counted': 'update accounts set open_orders = open_orders + 1',
  },
  'what a user has spent in a day': {
    'spending that is not counted': 'update accounts set spent_today = spent_today / 2',
    'spending of another day': `update accounts set spent_on = spent_on + 1`,
  },
  'no balance is below zero but for the debt': {
    'a balance below zero': `alter table accounts drop constraint accounts_not_negative; update accounts set available = -1`,
    'a debt of somebody who owes nothing': 'update accounts set owed = 5',
    'a debt that is smaller than the balance is below zero': `alter table accounts drop constraint accounts_not_negative; update accounts set available = -2, owed = 1`,
  },
  'each transfer has the accounts and the key of its kind': {
    'a release to the revenue': `update transfers set credit = 'revenue' where kind = 'hold'`,
    'a key of another order': `update transfers set key = 'hold:x' where key = 'hold:' || ${live}`,
    'a second welcome with another key': given(`'welcome:again'`, 'promotion', 'promotions'),
    'a bonus that comes from the corrections': `update transfers set debit = 'corrections' where key = 'bonus:stars:c1'`,
    'percents with the key of a bonus': `update transfers set key = 'bonus:stars:c1p' where key = 'partner:stars:c1'`,
    'a promo code used by another user': given(`'promo:MAY:999'`, 'promotion', 'promotions', ofMay),
    'a deposit without a top-up': given(`'deposit:stars:c9'`, 'deposit', 'provider'),
  },
  'every open hold belongs to a live generation': {
    'a failed order with a hold': `update generations set state = 'failed' where id = ${live}`,
    'a live order without a hold': `update generations set state = 'running' where id = ${done}`,
    'a hold without an order': `${transfer(`select 'hold:gone', 'hold', ${user}, 'available', 'held', 5, 'gone', null, null, now()`)};
       update accounts set available = available - 5, held = held + 5 where kind = 'user' and owner_id = ${user}`,
    'an order paid by another user': `update generations set user_id = 1 where id = ${done}`,
  },
  'the captured amount is the one of the generation': {
    'a capture of a failed order': `update generations set state = 'failed' where id = ${done}`,
    'a captured amount that differs from the order': `update generations set captured = 1 where id = ${done}`,
    'a succeeded order without a capture': `update generations set state = 'succeeded' where id = ${live}`,
  },
  'a generation is what was quoted': {
    'an order with an amount above its quote': `update quotes set amount = amount - 1`,
    'a request that was changed': `update generations set request = '{}' where id = ${done}`,
    'a model that was changed': `update generations set model_id = 'other' where id = ${done}`,
  },
  'the refunded amount is the one of the generation': {
    'a refund that the order does not have': `update generations set refunded = null`,
    'a refund above the captured amount': `update generations set captured = 1, refunded = 2 where id = ${done}`,
    'a refunded order without a transfer': `update generations set refunded = 5 where id = ${live}`,
    'a second refund with another key': given(`'refund:twice'`, 'refund', 'revenue', `${done}, null, null`),
  },
  'a report that was closed with a refund': {
    'a report closed with a refund that does not exist': `update reports set state = 'refunded', generation_id = ${live}`,
  },
  'each payment is credited once': {
    'a payment that was not credited': `update transfers set key = 'deposit:x' where key = 'deposit:stars:c1'`,
    'a payment credited with another amount': `update payments set credit = 1 where charge_id = 'c1'`,
    'a payment credited to another user': `update payments set user_id = 1 where charge_id = 'c1'`,
    'a payment for the top-up of another payment': `update payments set top_up_id = 't2' where charge_id = 'c1'`,
    'a payment of another day than its credit': `update payments set created_at = created_at + interval '1 day' where charge_id = 'c1'`,
  },
  'the credit of every refunded payment was taken, and of no other more': {
    'a refunded payment whose credit was not taken': `update payments set refunded_at = now()`,
    'a payment whose credit was taken in part': `update transfers set amount = 1 where kind = 'refund' and credit = 'provider'`,
    'a credit taken for another payment': `update transfers set key = 'refund:stars:x' where key = 'refund:stars:c2'; update payments set refunded_at = null`,
    'a payment whose credit was taken twice': `${transfer(`select key || '#2', kind, user_id, debit, credit, amount, null, top_up_id, null, now() from transfers where credit = 'provider'`)};
       update payments set refunded_at = null`,
  },
  'the uses of a promo code': {
    'a promo code with more uses than counted': `update promo_codes set uses = 0`,
    'a promo code with fewer uses than counted': `update promo_codes set uses = 2 where code = 'MAY'`,
    'a deleted promo code': `delete from promo_codes where code = 'MAY'`,
    'a use of a code with percents that is not counted': `update promo_codes set uses = 0 where code = 'JUNE-1'`,
  },
  'a referral bonus is taken again from the inviter who got it': {
    'a bonus taken again without a refund': `${transfer(`select replace(key, 'referral:', 'referral-back:'), kind, user_id, 'available', 'promotions', amount, null, null, null, now() from transfers where key like 'referral:%'`)};
       update payments set refunded_at = null`,
    'a bonus taken from somebody who did not get it': transfer(
      `select 'referral-back:999', 'promotion', ${user}, 'available', 'promotions', 5, null, null, null, now()`,
    ),
  },
  'a referral bonus goes to the inviter': {
    'a referral by the same user': `update users set referrer_id = id`,
    'a referral without an inviter': `update users set referrer_id = null`,
    'a referral without an invited user': `update transfers set key = 'referral:999' where key like 'referral:%'`,
  },
  'a bonus for a top-up is the one that was promised': {
    'a bonus of another amount': raised('bonus:stars:c1'),
    'a bonus with the promise, both of no percents of the settings': `update top_ups set bonus = bonus + 500 where id = 't1'; ${raised('bonus:stars:c1')}`,
    'a bonus of a payment that does not exist': `update transfers set key = 'bonus:stars:c9' where key = 'bonus:stars:c1'`,
    'a bonus that goes to another user': `update transfers set user_id = 1 where key = 'bonus:stars:c1'`,
  },
  'a code brings its percents of a payment': {
    'percents above those of the code': raised('code:stars:c1'),
    'percents above the amount of the code': `update promo_codes set percent = 10 where code = 'JUNE-1'`,
    'percents for a code that still waits': `update code_uses set is_waiting = true`,
    'percents for a payment before the code was redeemed': `update code_uses set created_at = created_at + interval '1 hour'`,
    'percents after the end of the code': `update promo_codes set expires_at = created_at where code = 'JUNE-1'`,
    'percents of one code for a second payment': `${transfer(`select 'code:stars:c2', kind, user_id, debit, credit, amount, null, 't2', note, now() from transfers where key = 'code:stars:c1'`)}`,
  },
  'the percents of a payment go to the inviter': {
    'percents that the settings never had': raised('partner:stars:c1'),
    'percents for somebody else than the inviter': `update users set referrer_id = null`,
    'percents of a payment that does not exist': `update transfers set key = 'partner:stars:c9' where key = 'partner:stars:c1'`,
    'percents that an operator gave to another partner': `delete from bonuses where kind = 'partner'; insert into operator_actions (action, subject, details, created_at) values ('partner', 'user:999', '{"percent": 10}', now())`,
  },
  'of a bonus or of percents at most the share is taken again': {
    'a bonus that was taken though the payment stands': takenAgain('bonus', 'c1'),
    'percents that were taken twice': takenAgain('partner', 'c2'),
    'percents that were taken from somebody else': `update transfers set user_id = ${user} where key like 'partner-back:%'`,
    'a bonus taken again that was never given': `delete from transfers where key = 'bonus:stars:c2'`,
  },
  'an answer of which no part could be sent is refunded': {
    'an answer that was not sent and not refunded': `update turns set sent = 0, delivery = 'undeliverable'`,
    'an answer that was not sent in many attempts and not refunded': `update turns set sent = 0, delivery = 'undeliverable', attempts = 12`,
    'an answer that was sent and refunded': `update turns set delivery = 'delivered'`,
  },
  'the refunded amount is the one of the answer': {
    'a refund that the answer does not have': `update turns set refunded = null`,
    'a refunded answer without a transfer': `update turns set refunded = 5 where id = 'sent'`,
  },
  'each correction has an action': {
    'a correction without an action': `delete from operator_actions where action = 'debit'`,
    'a correction in the wrong direction': `update operator_actions set action = 'grant'`,
    'a correction of another user': `update operator_actions set subject = 'user:999'`,
    'a correction of another amount than the log': `update operator_actions set details = '{"key": "k1", "amount": "-400"}' where action = 'debit'`,
    'a correction for another reason than the log': `update operator_actions set reason = 'a gift' where action = 'debit'`,
    'an action without a correction': `update operator_actions set details = '{"key": "other"}'`,
  },
  'the transfers of a user are those that the ledger wrote': {
    'a forged welcome of a user who had none': `${transfer(`select 'welcome:1', 'promotion', 1, 'promotions', 'available', 500, null, null, null, now()`)};
       update accounts set available = available + 500 where kind = 'user' and owner_id = 1`,
    'a forged use of a promo code': `update promo_codes set uses = uses + 1 where code = 'MAY';
       ${transfer(`select 'promo:MAY:1', 'promotion', 1, 'promotions', 'available', 100, null, null, 'MAY', now()`)};
       update accounts set available = available + 100 where kind = 'user' and owner_id = 1`,
    'a referral bonus that was raised': `update transfers set amount = amount + 500 where key like 'referral:%';
       update accounts set available = available + 500 where kind = 'user' and owner_id = (select user_id from transfers where key like 'referral:%')`,
    'a second payment of one top-up': `insert into payments values ('stars', 'c3', 't1', ${user}, 50000, 400, 'XTR', now());
       ${transfer(`select 'deposit:stars:c3', 'deposit', ${user}, 'provider', 'available', 50000, null, 't1', null, now()`)};
       update accounts set available = available + 50000 where kind = 'user' and owner_id = ${user}`,
    'the time of a transfer that was changed': `update transfers set created_at = created_at + interval '1 minute' where key like 'welcome:%'`,
    'a note that was changed': `update transfers set note = 'nothing' where key like 'refund:%'`,
    'an answer that was deleted with its transfers': `delete from transfers where turn_id = 'unsent'; delete from turns where id = 'unsent'`,
    'a failed order that was deleted with its transfers': `${transfer(`select 'hold:old', 'hold', ${user}, 'available', 'held', 5, 'old', null, null, now()`)};
       ${transfer(`select 'release:old', 'release', ${user}, 'held', 'available', 5, 'old', null, null, now()`)}`,
  },
  'a promo code gives its amount': {
    'a use of a promo code with another amount': `update transfers set amount = amount + 500 where key like 'promo:%'; update accounts set available = available + 500 where kind = 'user' and owner_id = ${user}`,
    'a use of a promo code after its end': `update promo_codes set expires_at = created_at - interval '1 year'`,
  },
  'what was refunded of an order is in the actions of operators': {
    'a refund without an action': `delete from operator_actions where action = 'refund'`,
    'a refund of another amount than the log': `update operator_actions set details = '{"amount": "1"}' where action = 'refund'`,
    'an action without a refund': `update operator_actions set subject = 'generation:' || ${live} where action = 'refund'`,
    'an action with an amount that is no number': `update operator_actions set details = details || '{"amount": "much"}'`,
  },
  'a payment is what its top-up asked for': {
    'a payment of another amount than its top-up': `update payments set charge = 1 where charge_id = 'c1'`,
    'a top-up that credits another amount': `update top_ups set credit = credit + 1 where id = 't1'`,
    'a payment in another currency': `update payments set currency = 'RUB' where charge_id = 'c1'`,
    'a paid top-up that is open': `update top_ups set state = 'open' where id = 't1'`,
  },
  'a quote is what its parts amount to': {
    'a quote that differs from its parts': `update quotes set amount = amount + 1; update generations set amount = amount + 1`,
    'parts of a quote that were changed': `update quotes set parts = jsonb_set(parts, '{multiplier}', '"2"')`,
    'a surcharge that was added to a quote': `update quotes set parts = jsonb_set(parts, '{surcharges}', '[{"multiplier": "1", "add": "1", "per": "request"}]')`,
    'a gateway cost of zero': `update quotes set gateway_cost = 0`,
    'a gateway cost that differs from the rate': `update quotes set gateway_cost = gateway_cost - 1`,
    'a rate that is no number': `update quotes set parts = jsonb_set(parts, '{rate, roubles}', '"many"')`,
    'surcharges that are no list': `update quotes set parts = jsonb_set(parts, '{surcharges}', '{}')`,
  },
  'what was charged for was made': {
    'a paid order without a result': `delete from artifacts`,
  },
  'an answer costs what its tokens cost': {
    'token counts that were changed': `update turns set output_tokens = 1 where id = 'sent'`,
    'rates that were changed': `update turns set rates = jsonb_set(rates, '{input}', '"1"')`,
    'an answer that was made cheaper afterwards': `update turns set captured = 499 where id = 'sent'; update transfers set amount = 499 where key = 'capture:turn:sent'`,
    'rates that are no numbers': `update turns set rates = '{"input": {}}' where id = 'sent'`,
  },
  'an order begins with its hold': {
    'the time of an order that was changed': `update generations set created_at = created_at - interval '2 hours' where id = ${done}`,
    'the time of a capture that was changed': `update generations set settled_at = settled_at + interval '1 day' where id = ${done}`,
    'the time of an answer that was changed': `update turns set created_at = created_at - interval '1 day'`,
  },
  'a bonus has an amount that the settings have had': {
    'a welcome that was raised': raised('welcome:%'),
    'a referral bonus that was raised with its checksum': raised('referral:%'),
  },
  'a promo code is one that an operator made': {
    'a promo code that no operator made': `delete from operator_actions where action = 'promo'`,
    'a promo code that was raised': `update promo_codes set amount = 200 where code = 'MAY'`,
    'a promo code with other percents': `update promo_codes set percent = 90 where code = 'JUNE-1'`,
    'a code that was slipped into a batch': `insert into promo_codes (code, amount, percent, batch, max_uses, created_at) values ('JUNE-2', 7000, 20, 'JUNE', 1, now())`,
  },
  'a paid top-up has a payment': {
    'a paid top-up without a payment': `delete from payments where charge_id = 'c1'`,
  },
  'a payment is in the currency of its provider': {
    'a payment under the name of another provider, in all its rows': `update payments set provider = 'yookassa' where charge_id = 'c1'; update top_ups set provider = 'yookassa' where id = 't1';
       update transfers set key = 'deposit:yookassa:c1' where key = 'deposit:stars:c1'; ${accepted}`,
    'a charge that was credited under two names': `insert into payments values ('telegram-rub', 'c1', 't1', ${user}, 50000, 400, 'XTR', now());
       ${transfer(`select 'deposit:telegram-rub:c1', 'deposit', ${user}, 'provider', 'available', 50000, null, 't1', null, now()`)};
       update accounts set available = available + 50000 where kind = 'user' and owner_id = ${user}; ${accepted}`,
    'another charge than that of the link': `update top_ups set external_id = 'x1' where id = 't1'`,
  },
  'a delivered result has a message': {
    'a delivered result that was never sent': `update generations set delivery = 'delivered', attempts = 1 where id = ${done}; update artifacts set message_id = null, file_id = null`,
    'a delivered answer that was never sent': `update turns set sent = 0 where id = 'sent'`,
  },
  'what has not ended is due again': {
    'an order that is never due': `update generations set next_check_at = null where id = ${live}`,
    'an answer that is never due': `update turns set delivery = 'pending' where id = 'sent'`,
    'a payment link that is never asked about': `update top_ups set state = 'open', external_id = 'x1' where id = 't1'`,
  },
}

/** What the checks of this invariant find after the damage, which is rolled back with its transaction. */
async function finds(invariant: string, damage: string): Promise<boolean> {
  const checks = Object.entries({ ...accountInvariants, ...saleInvariants }).filter(
    ([name, query]) => name.startsWith(invariant) || query.includes(`'${invariant}`),
  )
  const found: string[] = []
  const row = z.object({ invariant: z.string().optional() })
  await db
    .transaction(async (tx) => {
      for (const one of damage.split(';')) await tx.execute(sql.raw(one))
      for (const [name, query] of checks)
        found.push(...(await rows(tx, sql.raw(query), row)).map((one) => one.invariant ?? name))
      tx.rollback()
    })
    .catch((error: unknown) => {
      if (!/rollback/i.test(String(error))) throw error
    })
  return found.some((name) => name.startsWith(invariant))
}

it('every damage is found by the check of its invariant, and nothing without one', async () => {
  const missed: string[] = []
  for (const [invariant, cases] of Object.entries(damages))
    for (const [what, damage] of Object.entries(cases))
      if (!(await finds(invariant, damage))) missed.push(what)
  expect(missed).toEqual([])
  expect(await audit(db)).toEqual([])
})

it('a check that fails is a finding, and the others are made', async () => {
  await db.execute('alter table reports rename column generation_id to order_id')
  await db.execute('update accounts set available = available + 1')
  const found = (await audit(db)).toSorted((one, other) => one.subject.localeCompare(other.subject))
  await db.execute('update accounts set available = available - 1')
  await db.execute('alter table reports rename column order_id to generation_id')
  const invariant = expect.stringContaining('a balance is the sum')
  const fact = 'it failed, so nothing is known: column r.generation_id does not exist'
  expect(found).toMatchObject([
    { subject: '1', invariant },
    { subject: '2', invariant },
    { subject: 'this check', invariant: 'a report that was closed with a refund has a refund', fact },
  ])
})

it('no check is needed for a task of two orders and a charge that is credited twice: the tables refuse them', async () => {
  const columns = 'key, kind, user_id, debit, credit, amount, null, top_up_id, null, now()'
  for (const [statement, constraint] of [
    [`update generations set task_id = 'one'`, 'generations_task_id_key'],
    [`insert into payments select * from payments where charge_id = 'c1'`, 'payments_pkey'],
    [transfer(`select ${columns} from transfers where key = 'deposit:stars:c1'`), 'transfers_key_key'],
  ] as const)
    expect(await db.execute(statement).catch(violatedConstraint)).toBe(constraint)
})
