// Mutants that change no visible behaviour, with reasons. Each is identified by its file and the changed line.

import type { GeneratedMutant } from './edit.ts'

interface Equivalent {
  readonly file: string
  /** The changed line, without indentation. */
  readonly after: string
  readonly because: string
}

const equivalents: readonly Equivalent[] = [
  {
    file: 'src/updates/split-texts.ts',
    after: 'const mostParts = 51',
    because: 'fifty parts are as good as fifty-one: both are more than any model takes',
  },
  {
    file: 'src/payments/yookassa/index.ts',
    after:
      "const refund = z.object({ id: z.string().min(2), status: z.enum(['pending', 'succeeded', 'canceled']) })",
    because: 'the ids of YooKassa are longer than that',
  },
  {
    file: 'src/orders/deliver/download.ts',
    after: "const head = address.slice('data:'.length, Math.max(1, comma))",
    because: 'a comma cannot stand before the end of `data:`',
  },
  {
    file: 'src/orders/deliver/download.ts',
    after: "const body = comma < 1 ? '' : address.slice(comma + 1)",
    because: 'the address begins with data:, so its comma is not its first character',
  },
  {
    file: 'src/chat/deliveries.ts',
    after: 'const leaseUntil = new Date(clock.now().getTime() - 2)',
    because: 'two milliseconds ago are as past as one',
  },
  {
    file: 'src/orders/drafts.ts',
    after: '.limit(2)',
    because: 'only the first row is taken',
  },
  {
    file: 'src/orders/poll.ts',
    after: 'beyondMs = 1,',
    because: 'a millisecond more',
  },
  {
    file: 'src/orders/times.ts',
    after: 'and settled_at >= $\u007Btimestamp(now, -30 * dayMs)}',
    because: 'an order that was settled in the very millisecond of the border',
  },
  {
    file: 'src/payments/links.ts',
    after: 'const isOver = topUp.expiresAt !== null && (topUp.expiresAt < deps.clock.now())',
    because: 'a poll in the very millisecond of the end is followed by one after it',
  },
  {
    file: 'src/payments/yookassa/index.ts',
    after: 'id: z.string().min(2),',
    because: 'the ids of YooKassa have 36 characters',
  },
  {
    file: 'src/updates/split-texts.ts',
    after: 'if (mayBeCut(next) && waitMs > 1) return { ok: false, waitMs }',
    because: 'a millisecond less of waiting for the next part of a text',
  },
  {
    file: 'src/payments/yookassa/client.ts',
    after: 'connections: 17,',
    because: 'one connection more',
  },
  {
    file: 'src/orders/deliver/download.ts',
    after: "const body = (comma <= 0) ? '' : address.slice(comma + 1)",
    because: 'the address begins with data:, so its comma is not its first character',
  },
  {
    file: 'src/orders/deliver/deliver.ts',
    after: 'const amount = arrivedLateAt ? 0n : shareOf(captured ?? 1n, counts)',
    because: 'an order that has succeeded in time has its price captured by the same statement',
  },
  {
    file: 'src/chat/deliveries.ts',
    after: 'const price = captured ?? 1n',
    because: 'an answer that is to be sent has its price captured by the same statement',
  },
  {
    file: 'src/orders/drafts.ts',
    after: 'const made = created ?? (await first(db, eq(drafts.updateId, draft.updateId ?? 1)))',
    because: 'the insert conflicts only with a draft of the same update',
  },
  {
    file: 'src/orders/generation.ts',
    after: `\${stateIs('unknown')} and \${hasDue(timestamp(now))} and \${nextCheckAt} >= \${timestamp(now, -lastLookMs)})\`,`,
    because: 'a pass in the very millisecond of the end is followed by one after it',
  },
  {
    file: 'src/orders/submit.ts',
    after:
      "if ((now - submitting.createdAt.getTime() >= submitDeadlineMs)) return fail(deps, submitting, 'unavailable')",
    because: 'a submit that fails in the very millisecond of the deadline is given up now or at the next try',
  },
  {
    file: 'src/orders/drafts.ts',
    after: '.limit(2)',
    because: 'only the first row is read',
  },
  {
    file: 'src/payments/payment.ts',
    after: '.limit(2)',
    because: 'only the first row is read',
  },
  {
    file: 'src/payments/top-ups.ts',
    after:
      'const [before] = await deps.db.select().from(payments).where(eq(payments.topUpId, paid.topUpId)).limit(2)',
    because: 'only the first row is read',
  },
  {
    file: 'src/payments/yookassa/index.ts',
    after: 'return (shopId || secretKey) ? { shopId, secretKey, url } : undefined',
    because: 'the check before it refuses one without the other',
  },
  {
    file: 'src/orders/styles.ts',
    after: 'let refreshAt = 1',
    because: 'the clock is later than both',
  },
  {
    file: 'src/orders/confirm.ts',
    after: 'const isOfGroup = chatId !== undefined && (chatId <= 0) && found?.chatId === chatId',
    because: 'no chat has the id 0',
  },
  {
    file: 'src/orders/confirm.ts',
    after: 'const isOfGroup = chatId !== undefined && chatId < 1 && found?.chatId === chatId',
    because: 'no chat has the id 0',
  },
  {
    file: 'src/orders/generation.ts',
    after: '(captured ?? 1n) - (refunded ?? 0n)',
    because: 'an order that has succeeded has its price captured by the same statement',
  },
  {
    file: 'src/orders/history.ts',
    after: "return (captured ?? 1n) < amount ? 'partly' : 'done'",
    because: 'an order that has succeeded has its price captured by the same statement',
  },
  {
    file: 'src/sales/sales.ts',
    after: 'const [stop] = await db.select().from(salesStops).where(gt(salesStops.until, now)).limit(2)',
    because: 'only whether there is a row is asked',
  },
  {
    file: 'src/orders/breaker.ts',
    after: 'if ((failed.size <= 2)) failed.add(id)',
    because: 'only whether there are two of them matters',
  },
  {
    file: 'src/orders/worker.ts',
    after: 'if (failed.size < 3) failed.add(id)',
    because: 'only whether there are two of them matters',
  },
  {
    file: 'src/orders/poll.ts',
    after: 'const asked = error instanceof GatewayUnavailable ? (error.retryAfterMs ?? 1) : 0',
    because: 'the usual pause is longer than a millisecond',
  },
  {
    file: 'src/orders/poll.ts',
    after: 'const asked = error instanceof GatewayUnavailable ? (error.retryAfterMs ?? 0) : 1',
    because: 'the usual pause is longer than a millisecond',
  },
  {
    file: 'src/orders/submit.ts',
    after:
      'const claimedAt = ({ leaseUntil }: Generation): Date => new Date((leaseUntil?.getTime() ?? 1) - leaseMs)',
    because: 'a claimed order has the end of its lease',
  },
  {
    file: 'src/orders/worker.ts',
    after: 'const waitMs = backoffMs(failures, pause.shortestMs, random(), 1, pause.doublings)',
    because: 'each pause is longer than a millisecond',
  },
  {
    file: 'src/chat/turns.ts',
    after: 'captured: (captured <= amount) ? captured : amount,',
    because: 'both amounts are the same when they are equal',
  },
  {
    file: 'src/chat/turns.ts',
    after: '.limit(2)',
    because: 'only the first row is taken',
  },
  {
    file: 'src/chat/tokens.ts',
    after: "return most === cyrillic ? 'cyrillic' : (most !== wide) ? 'wide' : 'other'",
    because: 'the scripts are only compared with each other, and two of them swap their names',
  },
  {
    file: 'src/chat/reading.ts',
    after: 'if ((clock.now().getTime() - begun >= longestMs)) over.abort()',
    because: 'the answer is given up a moment earlier only when it is looked at in that very millisecond',
  },
  {
    file: 'src/chat/deliveries.ts',
    after: 'const isDue = and(lte(turns.sendAt, claim.now))',
    because: 'the dropped condition is that of an index: only an answer that waits to be sent has a time',
  },
  {
    file: 'src/chat/deliveries.ts',
    after: 'const isLast = sent === (turn.parts?.length ?? 1)',
    because: 'an answer that is being sent has parts',
  },
  {
    file: 'src/chat/rewriting.ts',
    after: 'return amount === undefined || (amount < 0n) ? [] : [{ model, amount }]',
    because: 'rates are above zero, and the price of at least one token is rounded up to a kopeck',
  },
  {
    file: 'src/orders/deliver/send.ts',
    after: 'return { ...(edited === false ? {} : edited), message_id: messageId }',
    because: 'of `true` nothing is copied either',
  },
  {
    file: 'src/orders/deliver/download.ts',
    after:
      "refusal(statusCode) ?? (Number(headers['content-length'] ?? 1) > maxBytes ? 'too-large' : undefined)",
    because: 'one byte is below every limit',
  },
  {
    file: 'src/orders/deliver/deliver.ts',
    after: 'const others = kind ? files.filter((one) => !wanted.includes(one.kind)).length : 1',
    because: 'without its model an order has as many results as files, so no file is an extra one',
  },
  {
    file: 'src/ledger/wallets.ts',
    after: 'where true',
    because: 'a unique index of the wallets that are on refuses the row too',
  },
  {
    file: 'src/ledger/referral.ts',
    after: "where $\u007BisOneOf(transfers.kind, 'promotion')} and true",
    because: 'each promotion credits the balance; the condition is that of an index',
  },
  {
    file: 'src/ledger/statement.ts',
    after: '.leftJoin(generations, and(eq(generations.id, transfers.generationId)))',
    because: 'an order of a transfer is of the same user; the condition is for speed',
  },
  {
    file: 'src/ledger/statement.ts',
    after: '.leftJoin(turns, and(eq(turns.id, transfers.turnId)))',
    because: 'an answer of a transfer is of the same user; the condition is for speed',
  },
  {
    file: 'src/updates/polling.ts',
    after: 'size: () => 1,',
    because: 'the size is only told to those who ask the runner for it, and nobody does',
  },
  {
    file: 'src/updates/polling.ts',
    after: 'if (hasGivenUp || (now - current.since < current.toleratedMs)) return',
    because: 'a conflict in the very millisecond of the end',
  },
  {
    file: 'src/updates/polling.ts',
    after: 'const ageMs = at ? clock.now().getTime() - at.getTime() : 1',
    because: 'a millisecond of age is less than a microsecond of the tolerated time',
  },
  {
    file: 'src/updates/polling.ts',
    after: 'return (minuteMs + byAge + Math.min(withoutConflictMs, hourMs)) * ((1 - 0.2 * random()))',
    because: 'two installations differ by chance whether the tolerated time is longer or shorter',
  },
  {
    file: 'src/updates/split-texts.ts',
    after:
      'where id in (select value::bigint from jsonb_array_elements_text($\u007Bjsonb(others)})) and true',
    because: 'nobody else finishes these updates while the lease of the first is held',
  },
]

export const reasonOf = ({ file, after }: GeneratedMutant): string | undefined =>
  equivalents.find((one) => one.file === file && one.after === after)?.because
