// Mutants that change no visible behaviour: by the changed line without indentation, with reasons.

export const equivalents: Readonly<Record<string, string>> = {
  'const leaseUntil = new Date(clock.now().getTime() - 2)': 'two milliseconds ago are as past as one',
  'const isDue = and(lte(turns.sendAt, claim.now))':
    'the dropped condition is that of an index: only an answer that waits to be sent has a time',
  'if ((clock.now().getTime() - begun >= longestMs)) over.abort()':
    'the answer is given up a moment earlier only when it is looked at in that very millisecond',
  'return amount === undefined || (amount < 0n) ? [] : [{ model, amount }]':
    'rates are above zero, and the price of at least one token is rounded up to a kopeck',
  'captured: (captured <= amount) ? captured : amount,': 'both amounts are the same when they are equal',
  "where $\u007BisOneOf(transfers.kind, 'promotion', 'partner')} and true":
    'each gift credits the balance or is taken from it; the condition is that of an index',
  '.leftJoin(generations, and(eq(generations.id, transfers.generationId)))':
    'an order of a transfer is of the same user; the condition is for speed',
  '.leftJoin(turns, and(eq(turns.id, transfers.turnId)))':
    'an answer of a transfer is of the same user; the condition is for speed',
  '? { ...generation, attempts: generation.attempts + 2 }': 'only whether an attempt has failed matters',
  'const isHere = isGroup(chatId) ? sql`$\u007Bdrafts.chatId} <= 0` : isOf(userId)': 'no chat has the id 0',
  "if (care === 'never') return { ok: false, retry: true }":
    'after so many processes no attempt is left anyway',
  'const others = kind ? files.filter((one) => !wanted.includes(one.kind)).length : 1':
    'without its model an order has as many results as files, so no file is an extra one',
  "const head = address.slice('data:'.length, Math.max(1, comma))":
    'a comma cannot stand before the end of `data:`',
  "const body = comma < 1 ? '' : address.slice(comma + 1)":
    'the address begins with data:, so its comma is not its first character',
  "const body = (comma <= 0) ? '' : address.slice(comma + 1)":
    'the address begins with data:, so its comma is not its first character',
  'return { ...(edited === false ? {} : edited), message_id: messageId }':
    'of `true` nothing is copied either',
  'beyondMs = 1,': 'a millisecond more',
  'const asked = error instanceof GatewayUnavailable ? (error.retryAfterMs ?? 0) : 1':
    'the usual pause is longer than a millisecond',
  'let refreshAt = 1': 'the clock is later than both',
  'and settled_at >= $\u007Btimestamp(now, -30 * dayMs)}':
    'an order that was settled in the very millisecond of the border',
  'const isOver = topUp.expiresAt !== null && (topUp.expiresAt < deps.clock.now())':
    'a poll in the very millisecond of the end is followed by one after it',
  'connections: 17,': 'one connection more',
  "const refund = z.object({ id: z.string().min(2), status: z.enum(['pending', 'succeeded', 'canceled']) })":
    'the ids of YooKassa are longer than that',
  'id: z.string().min(2),': 'the ids of YooKassa have 36 characters',
  'size: () => 1,': 'the size is only told to those who ask the runner for it, and nobody does',
  'const ageMs = at ? clock.now().getTime() - at.getTime() : 1':
    'a millisecond of age is less than a microsecond of the tolerated time',
  'return (minuteMs + byAge + Math.min(withoutConflictMs, hourMs)) * ((1 - 0.2 * random()))':
    'two installations differ by chance whether the tolerated time is longer or shorter',
  'const mostParts = 51': 'fifty parts are as good as fifty-one: both are more than any model takes',
  'if (mayBeCut(next) && waitMs > 1) return { ok: false, waitMs }':
    'a millisecond less of waiting for the next part of a text',
  'where id in (select value::bigint from jsonb_array_elements_text($\u007Bjsonb(others)})) and true':
    'nobody else finishes these updates while the lease of the first is held',
  '): TopUpLimits => ({ min: (minCredit >= min) ? minCredit : min, max })':
    'both are the same when they are equal',
  'return areDistinct ? read.toSorted((a, b) => ((a.from <= b.from) ? -1 : 1)) : undefined':
    'no two steps begin at the same sum',
}
