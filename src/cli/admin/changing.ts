// Commands that change something: refunds, bans, promo codes, switches, updates that were set aside.

import { models } from '../../catalog/index.ts'
import { formatRoubles, type Kopecks } from '../../money.ts'
import { acceptAllTransfers } from '../../operator/accepted-transfers.ts'
import { assignPayment } from '../../operator/assigned-payments.ts'
import { setBan } from '../../operator/bans.ts'
import { changeBot } from '../../operator/change-bot.ts'
import type { Person } from '../../operator/people.ts'
import { addPromo, endPromo, listPromos, readCode, readDay, runningPromo } from '../../operator/promo.ts'
import { type Refunded, refundable, refundGeneration } from '../../operator/refunds.ts'
import { setSwitch } from '../../operator/switches.ts'
import { findUnmatched, type UnmatchedPayment } from '../../payments/unmatched.ts'
import { localTime } from '../../runtime/time-zone.ts'
import { maintenance, modelSwitch } from '../../sales/switches.ts'
import { dropSetAside, listSetAside, retrySetAside } from '../../updates/inbox.ts'
import {
  amountOf,
  botTells,
  type Command,
  chargeText,
  confirm,
  type Deps,
  describe,
  type Flags,
  Refused,
  reasonOf,
  Usage,
  userBy,
} from './common.ts'
import { correction } from './correcting.ts'
import { forget } from './forgetting.ts'

const accept: Command = {
  usage: ['accept-transfers <reason>'],
  async run(deps, words) {
    const users = await acceptAllTransfers(deps, reasonOf(words))
    if (users === 0) return ['Nothing was changed: all transfers are those that the ledger wrote.']
    return [`Transfers accepted as they are, users: ${users}. Check the rest: npm run audit`]
  },
}

const assign: Command = {
  usage: ['assign <charge> <user> <roubles> <reason>'],
  async run(deps, [chargeId, query, typed, ...words], flags) {
    if (!chargeId) throw new Usage('Which payment? List them: npm run admin -- unmatched')
    const { person, isExact } = await userBy(deps, query)
    const credit = amountOf(typed)
    const reason = reasonOf(words)
    const payment = await findUnmatched(deps.db, chargeId)
    if (!payment) throw new Refused(unassigned['unknown-payment'])
    if (payment.topUpId !== null) throw new Refused(unassigned['assigned-before'])
    const sums = `${formatRoubles(credit)} for a payment of ${chargeText(payment)}`
    if (!isExact || !isPaidBy(person, credit, payment))
      await confirm(deps, flags, `credit ${sums}: ${describe(person)}`)
    const assigned = await assignPayment(deps, { by: null, chargeId, userId: person.id, credit, reason })
    if (!assigned.ok) throw new Refused(unassigned[assigned.reason])
    return [`Credited ${sums}: ${describe(person)}`, botTells]
  },
}

/** Whether the payment says that this person has paid this sum. A sum in another currency never says so. */
const isPaidBy = ({ id }: Person, credit: Kopecks, { userId, charge, currency }: UnmatchedPayment): boolean =>
  currency === 'RUB' && charge === credit && (userId === null || userId === id)

const unassigned = {
  'unknown-payment': 'There is no such payment. List them: npm run admin -- unmatched',
  'assigned-before': 'This payment has been assigned already.',
} as const

const changingBot: Command = {
  usage: ['change-bot <id> <reason>'],
  async run(deps, [typed = '', ...words], flags) {
    if (!/^[1-9]\d{0,14}$/.test(typed))
      throw new Usage('Which bot? Write the number before the colon of its token.')
    const reason = reasonOf(words)
    await confirm(deps, flags, `give this database, with its users, to the bot ${typed}`)
    const isNew = await changeBot(deps, Number(typed), reason)
    return [
      isNew ? `The database belongs to the bot ${typed} now.` : `It belongs to the bot ${typed} already.`,
    ]
  },
}

const refusals: Readonly<Record<Extract<Refunded, { ok: false }>['reason'], string>> = {
  'unknown-generation': 'There is no such order.',
  'nothing-captured': 'Nothing was charged for this order.',
  already: 'This order has been refunded in full already.',
  'too-much': 'Nothing was refunded: less than that is left of the price of this order.',
  'in-delivery':
    'Nothing was refunded: the result is still being delivered. Refund the part later, or the whole order now.',
  changed:
    'Nothing was refunded: another part of this order was refunded just now. Look, and repeat the command.',
}

/** What is a sum, or a mistyped one. Anything else is the first word of the reason. */
const sumLike = /^\d[\d.,]*(?:₽|$)/

const refund: Command = {
  usage: ['refund <order> [<roubles>] <reason>'],
  async run(deps, [generationId, ...words], flags) {
    if (!generationId) throw new Usage('Which order?')
    const [first = '', ...others] = words
    const amount = sumLike.test(first) ? amountOf(first) : undefined
    const reason = reasonOf(amount === undefined ? words : others)
    const part = amount === undefined ? undefined : await confirmedPart(deps, flags, generationId, amount)
    const refunded = await refundGeneration(deps, { by: null, generationId, reason, part })
    if (!refunded.ok) throw new Refused(refusals[refunded.reason])
    return [`Refunded ${formatRoubles(refunded.amount)} of order ${generationId}.`, botTells]
  },
}

/** Asks before a part: a repeated command would refund another one. */
async function confirmedPart(deps: Deps, flags: Flags, id: string, amount: Kopecks) {
  const found = await refundable(deps, id, { amount })
  if (!found.ok) throw new Refused(refusals[found.reason])
  const { captured, refunded } = found.generation
  const before = refunded ?? 0n
  const sums = `refund ${formatRoubles(amount)} of ${formatRoubles(captured ?? 0n)} of order ${id}`
  await confirm(deps, flags, `${sums}, ${formatRoubles(before)} was refunded before`)
  return { amount, before }
}

const banning = (verb: 'ban' | 'unban'): Command => ({
  usage: [`${verb} <user> <reason>`],
  async run(deps, [query, ...words], flags) {
    const { person, isExact } = await userBy(deps, query)
    const reason = reasonOf(words)
    if (!isExact) await confirm(deps, flags, `${verb}: ${describe(person)}`)
    const banned = verb === 'ban'
    const isNew = await setBan(deps, { by: null, userId: person.id, banned, reason })
    if (!isNew) throw new Refused(`They are ${banned ? 'banned' : 'not banned'} already: ${describe(person)}`)
    return banned ? [`Banned: ${describe(person)}`] : [`Unbanned: ${describe(person)}`, botTells]
  },
})

/** Lists, retries or drops updates that were set aside because processes ended while they handled them. */
const updates: Command = {
  usage: ['updates', 'updates retry <id>', 'updates drop <id>'],
  async run(deps, [verb, typed = '']) {
    if (verb === undefined) return setAsideLines(deps)
    if (verb !== 'retry' && verb !== 'drop') throw new Usage('updates retry, or updates drop?')
    if (!/^\d{1,15}$/.test(typed)) throw new Usage('Which update? Write its number.')
    const id = Number(typed)
    const isChanged = verb === 'retry' ? await retrySetAside(deps, id) : await dropSetAside(deps.db, id)
    if (!isChanged) throw new Refused(`No update ${id} is set aside.`)
    return [verb === 'retry' ? `Update ${id} will be handled again.` : `Update ${id} is forgotten.`]
  },
}

async function setAsideLines({ db, timeZone }: Deps): Promise<readonly string[]> {
  const found = await listSetAside(db)
  if (found.length === 0) return ['No update is set aside.']
  return found.map(
    ({ id, setAsideAt, body }) => `${id} · ${localTime(setAsideAt, timeZone)} · ${body.slice(0, 200)}`,
  )
}

const promo: Command = {
  usage: ['promo add <CODE> <roubles> --uses <N> [--until <YYYY-MM-DD>]', 'promo list', 'promo end <CODE>'],
  async run(deps, [what, code, roubles], flags) {
    if (what === 'list') return promoLines(deps)
    if (what === 'add') return promoAdd(deps, code, roubles, flags)
    if (what === 'end') return promoEnd(deps, code, flags)
    throw new Usage('promo add, promo list, or promo end?')
  },
}

async function promoAdd(deps: Deps, typed: string | undefined, roubles: string | undefined, flags: Flags) {
  const code = readCode(typed ?? '')
  if (!code) throw new Usage('A code is 6 to 32 letters, digits, - or _.')
  const amount = amountOf(roubles)
  if (!/^[1-9]\d{0,6}$/.test(flags.uses ?? '')) {
    throw new Usage('How many people may use it? Write --uses and a whole number, like --uses 100.')
  }
  const expiresAt = flags.until === undefined ? null : readDay(flags.until, deps.timeZone)
  if (expiresAt === undefined) throw new Usage('Write the last day like --until 2030-12-31.')
  const added = await addPromo(deps, { by: null, code, amount, maxUses: Number(flags.uses), expiresAt })
  if (!added) throw new Refused(`There is a code ${code} already.`)
  return [
    `${code}: ${formatRoubles(amount)} for ${flags.uses} people, until ${flags.until ?? 'it is used up'}.`,
  ]
}

async function promoEnd(deps: Deps, typed: string | undefined, flags: Flags) {
  if (!typed) throw new Usage('Which code? List them: npm run admin -- promo list')
  const running = await runningPromo(deps, typed)
  if (!running) throw new Refused(`There is no code ${typed.toUpperCase()}, or it has ended already.`)
  const { code, amount, uses, maxUses } = running
  await confirm(deps, flags, `end the code ${code} (${formatRoubles(amount)}, used ${uses} of ${maxUses})`)
  await endPromo(deps, null, code)
  return [`The code ${code} has ended.`]
}

async function promoLines({ db, timeZone }: Deps): Promise<string[]> {
  const codes = await listPromos(db)
  if (codes.length === 0) return ['There are no promo codes.']
  return codes.map(({ code, amount, uses, maxUses, expiresAt }) => {
    const until = expiresAt ? `until ${localTime(expiresAt, timeZone)}` : 'without end'
    return `${code}: ${formatRoubles(amount)}, used ${uses} of ${maxUses}, ${until}`
  })
}

const switching: Command = {
  usage: ['switch maintenance on|off', 'switch model <id> on|off'],
  async run(deps, [what, ...words]) {
    const [model, to] = what === 'model' ? [words[0], words[1]] : [undefined, words[0]]
    if (to !== 'on' && to !== 'off') throw new Usage('On or off?')
    if (what === 'maintenance') return turn(deps, maintenance, to === 'on', `Maintenance is ${to}`)
    if (what !== 'model') throw new Usage('maintenance, or model?')
    const ids = [...models.map(({ id }) => id), ...(deps.textModels ?? [])]
    if (!ids.some((id) => id === model)) throw new Usage(`Which model? One of ${ids.join(', ')}`)
    return turn(deps, modelSwitch(String(model)), to === 'off', `${model} is ${to}`)
  },
}

async function turn(deps: Deps, name: string, off: boolean, is: string): Promise<string[]> {
  const isNew = await setSwitch(deps, null, name, off)
  return [isNew ? `${is}.` : `${is} already.`]
}

export const changingCommands = {
  grant: correction('grant'),
  debit: correction('debit'),
  refund,
  ban: banning('ban'),
  unban: banning('unban'),
  forget,
  promo,
  switch: switching,
  updates,
  'accept-transfers': accept,
  'change-bot': changingBot,
  assign,
}
