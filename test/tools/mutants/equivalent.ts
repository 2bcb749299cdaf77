// Mutants that change no visible behaviour: by the file below `src` and the changed line without indentation, with reasons.

import type { GeneratedMutant } from './edit.ts'

const equivalents: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'chat/deliveries.ts': {
    'const leaseUntil = new Date(clock.now().getTime() - 2)': 'two milliseconds ago are as past as one',
    'const price = captured ?? 1n':
      'an answer that is to be sent has its price captured by the same statement',
    'const isDue = and(lte(turns.sendAt, claim.now))':
      'the dropped condition is that of an index: only an answer that waits to be sent has a time',
    'const isLast = sent === (turn.parts?.length ?? 1)': 'an answer that is being sent has parts',
  },
  'chat/reading.ts': {
    'if ((clock.now().getTime() - begun >= longestMs)) over.abort()':
      'the answer is given up a moment earlier only when it is looked at in that very millisecond',
  },
  'chat/rewriting.ts': {
    'return amount === undefined || (amount < 0n) ? [] : [{ model, amount }]':
      'rates are above zero, and the price of at least one token is rounded up to a kopeck',
  },
  'chat/tokens.ts': {
    "return most === cyrillic ? 'cyrillic' : (most !== wide) ? 'wide' : 'other'":
      'the scripts are only compared with each other, and two of them swap their names',
  },
  'chat/turns.ts': {
    'captured: (captured <= amount) ? captured : amount,': 'both amounts are the same when they are equal',
    '.limit(2)': 'only the first row is taken',
  },
  'ledger/referral.ts': {
    "where $\u007BisOneOf(transfers.kind, 'promotion', 'partner')} and true":
      'each gift credits the balance or is taken from it; the condition is that of an index',
  },
  'ledger/statement.ts': {
    '.leftJoin(generations, and(eq(generations.id, transfers.generationId)))':
      'an order of a transfer is of the same user; the condition is for speed',
    '.leftJoin(turns, and(eq(turns.id, transfers.turnId)))':
      'an answer of a transfer is of the same user; the condition is for speed',
  },
  'orders/breaker.ts': {
    'if ((failed.size <= 2)) failed.add(id)': 'only whether there are two of them matters',
  },
  'orders/confirm.ts': {
    'const isOfGroup = chatId !== undefined && (chatId <= 0) && found?.chatId === chatId':
      'no chat has the id 0',
    'const isOfGroup = chatId !== undefined && chatId < 1 && found?.chatId === chatId':
      'no chat has the id 0',
  },
  'orders/deliver/deliver.ts': {
    "if (care === 'never') return { ok: false, retry: true }":
      'after so many processes no attempt is left anyway',
    'const amount = arrivedLateAt ? 0n : shareOf(captured ?? 1n, counts)':
      'an order that has succeeded in time has its price captured by the same statement',
    'const others = kind ? files.filter((one) => !wanted.includes(one.kind)).length : 1':
      'without its model an order has as many results as files, so no file is an extra one',
  },
  'orders/deliver/download.ts': {
    "const head = address.slice('data:'.length, Math.max(1, comma))":
      'a comma cannot stand before the end of `data:`',
    "const body = comma < 1 ? '' : address.slice(comma + 1)":
      'the address begins with data:, so its comma is not its first character',
    "const body = (comma <= 0) ? '' : address.slice(comma + 1)":
      'the address begins with data:, so its comma is not its first character',
    "refusal(statusCode) ?? (Number(headers['content-length'] ?? 1) > maxBytes ? 'too-large' : undefined)":
      'one byte is below every limit',
  },
  'orders/deliver/send.ts': {
    'return { ...(edited === false ? {} : edited), message_id: messageId }':
      'of `true` nothing is copied either',
  },
  'orders/drafts.ts': {
    '.limit(2)': 'only the first row is read',
    'const made = created ?? (await first(db, eq(drafts.updateId, draft.updateId ?? 1)))':
      'the insert conflicts only with a draft of the same update',
  },
  'orders/generation.ts': {
    '(captured ?? 1n) - (refunded ?? 0n)':
      'an order that has succeeded has its price captured by the same statement',
  },
  'orders/history.ts': {
    "return (captured ?? 1n) < amount ? 'partly' : 'done'":
      'an order that has succeeded has its price captured by the same statement',
  },
  'orders/poll.ts': {
    'beyondMs = 1,': 'a millisecond more',
    'const asked = error instanceof GatewayUnavailable ? (error.retryAfterMs ?? 1) : 0':
      'the usual pause is longer than a millisecond',
    'const asked = error instanceof GatewayUnavailable ? (error.retryAfterMs ?? 0) : 1':
      'the usual pause is longer than a millisecond',
  },
  'orders/styles.ts': {
    'let refreshAt = 1': 'the clock is later than both',
  },
  'orders/times.ts': {
    'and settled_at >= $\u007Btimestamp(now, -30 * dayMs)}':
      'an order that was settled in the very millisecond of the border',
  },
  'payments/links.ts': {
    'const isOver = topUp.expiresAt !== null && (topUp.expiresAt < deps.clock.now())':
      'a poll in the very millisecond of the end is followed by one after it',
  },
  'payments/payment.ts': {
    '.limit(2)': 'only the first row is read',
  },
  'payments/api-client.ts': {
    'connections: 17,': 'one connection more',
  },
  'payments/yookassa/index.ts': {
    "const refund = z.object({ id: z.string().min(2), status: z.enum(['pending', 'succeeded', 'canceled']) })":
      'the ids of YooKassa are longer than that',
    'id: z.string().min(2),': 'the ids of YooKassa have 36 characters',
  },
  'updates/polling.ts': {
    'size: () => 1,': 'the size is only told to those who ask the runner for it, and nobody does',
    'const ageMs = at ? clock.now().getTime() - at.getTime() : 1':
      'a millisecond of age is less than a microsecond of the tolerated time',
    'return (minuteMs + byAge + Math.min(withoutConflictMs, hourMs)) * ((1 - 0.2 * random()))':
      'two installations differ by chance whether the tolerated time is longer or shorter',
  },
  'updates/split-texts.ts': {
    'const mostParts = 51': 'fifty parts are as good as fifty-one: both are more than any model takes',
    'if (mayBeCut(next) && waitMs > 1) return { ok: false, waitMs }':
      'a millisecond less of waiting for the next part of a text',
    'where id in (select value::bigint from jsonb_array_elements_text($\u007Bjsonb(others)})) and true':
      'nobody else finishes these updates while the lease of the first is held',
  },
}

export const reasonOf = ({ file, after }: GeneratedMutant): string | undefined =>
  equivalents[file.slice('src/'.length)]?.[after]
