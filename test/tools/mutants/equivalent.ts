// Mutants that change no visible behaviour: by the changed line without indentation, with reasons.

export const equivalents: Readonly<Record<string, string>> = {
  'const isDue = and(lte(turns.sendAt, claim.now))':
    'the dropped condition is that of an index: only an answer that waits to be sent has a time',
  'if ((clock.now().getTime() - begun >= longestMs)) over.abort()':
    'the answer is given up a moment earlier only when it is looked at in that very millisecond',
  'return amount === undefined || (amount < 0n) ? [] : [{ model, amount }]':
    'rates are above zero, and the price of at least one token is rounded up to a kopeck',
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
  'if (hasGivenUp || (now - since < toleratedMs)) return':
    'the tolerated time is a fraction by chance, so no conflict comes in its very last millisecond',
  'let refreshAt = 1': 'the clock is later than both',
  'and settled_at >= $\u007Btimestamp(now, -30 * dayMs)}':
    'an order that was settled in the very millisecond of the border',
  'const isOver = topUp.expiresAt !== null && (topUp.expiresAt < deps.clock.now())':
    'a poll in the very millisecond of the end is followed by one after it',
  'connections: 17,': 'one connection more',
  'size: () => 1,': 'the size is only told to those who ask the runner for it, and nobody does',
  'const ageMs = at ? clock.now().getTime() - at.getTime() : 1':
    'a millisecond of age is less than a microsecond of the tolerated time',
  'return (minuteMs + byAge + Math.min(withoutConflictMs, hourMs)) * ((1 - 0.2 * random()))':
    'two installations differ by chance whether the tolerated time is longer or shorter',
  'const mostParts = 51': 'fifty parts are as good as fifty-one: both are more than any model takes',
  'if (mayBeCut(next) && waitMs > 1) return { ok: false, waitMs }':
    'a millisecond less of waiting for the next part of a text',
  "where true and $\u007BnameOfTaking} = $\u007BrefundKey('')}::text || p.provider || ':' || p.charge_id)`":
    'the name is that of one payment; the condition is that of an index',
  '.where(and(sql`$\u007BnameOfTaking} = $\u007Bname}`))':
    'the name is that of one payment; the condition is that of an index',
  'where (p.refunded_at is null) = ($\u007BtakenSum} = p.credit) and true':
    'of a payment without such a transfer nothing is taken; the condition is for speed',
  "where true and $\u007BisOneOf(transfers.credit, 'provider')})":
    'the sum that was taken decides; the condition is that of an index',
  "where $\u007BisOneOf(transfers.kind, 'refund')} and true)":
    'the sum that was taken decides; the condition is that of an index',
  "where true and $\u007BisOneOf(transfers.credit, 'provider')} and created_at >= $\u007Bsince}))`":
    'the sum that was taken decides; the condition is that of an index',
  "where $\u007BisOneOf(transfers.kind, 'refund')} and true and created_at >= $\u007Bsince}))`":
    'the sum that was taken decides; the condition is that of an index',
  "where $\u007BisOneOf(transfers.kind, 'refund')} and $\u007BisOneOf(transfers.credit, 'provider')} and true))`":
    'the sum that was taken decides; the condition is for speed',
  'from paid p join $\u007BcodeUses} u on true and u.created_at <= p.created_at':
    'the guard of the reward finds no such code of this person',
  'join $\u007BpromoCodes} c on true and (c.expires_at is null or c.expires_at > p.created_at)':
    'the guard of the reward finds no such code of this person',
  "where true and split_part(b.key, '#', 1) = name || '-back:' || \"of\") b":
    'the key is that of one reward; the condition is that of an index',
  'select from $\u007Busers} o join $\u007Baccounts} b on true and b.owner_id = o.id':
    'a wallet owes nothing; the condition is that of an index',
  '.where(and(eq(w.chatId, chatId), w.isOn, hasFreeOwner))':
    'only wallets have a group; the condition is that of an index',
  'where true and chat_id = $\u007BchatId}::bigint and is_on and $\u007BownedBy(ownerTelegramId)}':
    'only wallets have a group; the condition is that of an index',
  'const isGift = (amount >= 0n)': 'a transfer of nothing is refused',
  'where true and p.code = u.code and p.expires_at <= $\u007Btimestamp(now)}`)':
    'an expired code waits for nobody; the condition is for speed',
  '.where(and(eq(payments.provider, id)))':
    'the other payments are not looked up; the condition is for speed',
  'if (last && (last.until >= now)) return last.opened': 'a sign-in in the very millisecond of the end',
  "where g.model_id = $\u007BmodelId} and g.settled_at >= $\u007Btimestamp(now, -dayMs)} and g.state = 'succeeded'":
    'an order that was settled in the very millisecond of the border',
  'const isRefundedSince = (since: SQL): SQL => sql`(p.refunded_at > $\u007Bsince} or p.top_up_id in (':
    'a refund in the very millisecond of the border',
  "where $\u007BisOneOf(transfers.kind, 'refund')} and $\u007BisOneOf(transfers.credit, 'provider')} and created_at > $\u007Bsince}))`":
    'a refund in the very millisecond of the border',
}
