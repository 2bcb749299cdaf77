// Commands that change something: refunds, bans, switches, updates that were set aside.

import { whoIs } from '../../bot/admin/texts.ts'
import { isOutage } from '../../db/outage.ts'
import { readBalance } from '../../ledger/ledger.ts'
import { moneyOf } from '../../ledger/wallets.ts'
import type { Kopecks } from '../../money.ts'
import { changeBot, setSwitch } from '../../operator/actions.ts'
import { acceptAllTransfers, assignPayment, correct, setBan } from '../../operator/corrections.ts'
import type { Person } from '../../operator/people.ts'
import { type Refunded, refundable, refundGeneration } from '../../operator/refunds.ts'
import { findUnmatched, type UnmatchedPayment } from '../../payments/payment.ts'
import { type ForgetRefusal, forget as forgetUser, mayForget } from '../../privacy/forget.ts'
import { localTime } from '../../runtime/clock.ts'
import { maintenance, modelSwitch } from '../../sales/sales.ts'
import { botIdOf, otherBotText, ownerOf } from '../../telegram/identify.ts'
import { dropSetAside, listSetAside, retrySetAside } from '../../updates/inbox.ts'
import { hashOfPerson } from '../../users/user.ts'
import {
  amountOf,
  botTells,
  type Command,
  chargeText,
  confirm,
  type Deps,
  type Flags,
  linesOf,
  Refused,
  reasonOf,
  say,
  Usage,
  userBy,
} from './common.ts'

// grant and debit. A repetition with the same `--key` changes the balance once, so that the command can be repeated when the database has
// not answered.

const correction = (verb: 'grant' | 'debit'): Command => ({
  usage: [`${verb} <user> <roubles> <reason> [--key <key>]`],
  async run(deps, [query, typed, ...words], flags) {
    const { person, isExact } = await userBy(deps, query)
    const amount = amountOf(typed)
    const reason = reasonOf(words)
    const key = flags.key === undefined ? deps.ids.next() : keyOf(flags.key)
    if (!isExact) await confirm(deps, flags, `${verb} ${say.roubles(amount)}: ${whoIs(person)}`)
    const change = { key, userId: person.id, amount: verb === 'grant' ? amount : -amount, reason }
    const { isNew, available } = await unlessUnanswered(key, () => make(deps, change))
    const done = verb === 'grant' ? 'Granted' : 'Debited'
    return [
      `${done} ${isNew ? '' : 'earlier, once: '}${say.roubles(amount)}: ${whoIs(person)}`,
      `Balance: ${say.roubles(available)}`,
      ...(isNew ? [botTells] : []),
    ]
  },
})

function keyOf(typed: string): string {
  if (!/^[\w-]{1,40}$/.test(typed)) throw new Usage('A key is up to 40 Latin letters, digits, - or _.')
  return typed
}

type Change = Omit<Parameters<typeof correct>[1], 'by'>

/** @throws Refused when the balance is too small */
async function make(deps: Deps, { key, ...change }: Change) {
  // With user and amount in it, a key that is used again for something else is another key.
  const named = `cli:${key}:${change.userId}:${change.amount}`
  const corrected = await correct(deps, { key: named, by: null, ...change })
  const { available } = await readBalance(deps.db, change.userId)
  if (corrected === 'insufficient')
    throw new Refused(`Nothing was changed: the balance is only ${say.roubles(available)}`)
  if (corrected === 'unknown-user') throw new Refused('Nothing was changed: this user is deleted.')
  return { isNew: corrected === 'done', available }
}

/** @throws Refused when a statement was not answered within its time limit: it may have been carried out nevertheless */
async function unlessUnanswered<T>(key: string, act: () => Promise<T>): Promise<T> {
  try {
    return await act()
  } catch (error) {
    if (!isOutage(error)) throw error
    throw new Refused(
      `The database did not answer, so it is unknown whether this was done. Repeat the command with --key ${key}: it is done once. ` +
        'Or look: npm run admin -- log',
    )
  }
}

const deletionRefusals: Readonly<Record<ForgetRefusal, string>> = {
  live: 'an order or an answer is in progress, or money is held: try again when it has ended',
  paying: 'a payment may still arrive: try again when its page or invoice has expired',
  refunding: 'a payment is being refunded: try again when it is refunded',
  banned: 'they are banned',
  owing: 'they owe money',
  gone: 'their data is deleted already',
}

const forget: Command = {
  usage: ['forget <user>'],
  async run(deps, words, flags) {
    const { db, bot, clock } = deps
    // Another token would make another hash, and the person would not be recognised.
    if (!bot)
      throw new Refused(
        'Run it with the BOT_TOKEN, ADMIN_IDS and SUPPORT_IDS of the bot: people who come back are recognised by the token.',
      )
    const owner = await ownerOf(db)
    const botId = botIdOf(bot.token)
    if (owner !== undefined && owner !== botId) throw new Refused(otherBotText(owner, botId))
    const { person } = await userBy(deps, words.join(' '))
    const refused = (reason: ForgetRefusal) =>
      new Refused(`Nothing was deleted: ${deletionRefusals[reason]}.`)
    if (person.telegramId === null) throw refused('gone')
    const may = await mayForget(db, person.id, 'operator')
    if (!may.ok) throw refused(may.reason)
    const lost = say.roubles(await moneyOf(db, person.id))
    const ending = person.bannedAt ? ', and end the ban' : ''
    await confirm(
      deps,
      flags,
      `delete all data for good, give up ${lost} of balance and wallets${ending}: ${whoIs(person)}`,
    )
    const personHash = hashOfPerson(bot.token, person.telegramId)
    const forgotten = await forgetUser(db, person.id, personHash, clock.now(), bot.operators, 'operator')
    if (!forgotten.ok) throw refused(forgotten.reason)
    return [
      `Deleted, as by /delete_me: the data of #${person.id}. Given up: ${lost}. The money rows stay, without a name.`,
      'They are not told. If they write again they start from scratch, without a welcome credit.',
      ...(person.bannedAt ? ['The ban has ended with it: if they write again, you can ban them again.'] : []),
    ]
  },
}

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
    const sums = `${say.roubles(credit)} for a payment of ${chargeText(payment)}`
    if (!isExact || !isPaidBy(person, credit, payment))
      await confirm(deps, flags, `credit ${sums}: ${whoIs(person)}`)
    const assigned = await assignPayment(deps, { by: null, chargeId, userId: person.id, credit, reason })
    if (!assigned.ok) throw new Refused(unassigned[assigned.reason])
    return [`Credited ${sums}: ${whoIs(person)}`, botTells]
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

const refusal = ({ reason }: Extract<Refunded, { ok: false }>) =>
  new Refused(linesOf(say.html('admin-not-refunded', { reason, left: '', mark: '⚠️' })).join('\n'))

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
    if (!refunded.ok) throw refusal(refunded)
    return [`Refunded ${say.roubles(refunded.amount)} of order ${generationId}.`, botTells]
  },
}

/** Asks before a part: a repeated command would refund another one. */
async function confirmedPart(deps: Deps, flags: Flags, id: string, amount: Kopecks) {
  const found = await refundable(deps, id, { amount })
  if (!found.ok) throw refusal(found)
  const { captured, refunded } = found.generation
  const before = refunded ?? 0n
  const sums = `refund ${say.roubles(amount)} of ${say.roubles(captured ?? 0n)} of order ${id}`
  await confirm(deps, flags, `${sums}, ${say.roubles(before)} was refunded before`)
  return { amount, before }
}

const banning = (verb: 'ban' | 'unban'): Command => ({
  usage: [`${verb} <user> <reason>`],
  async run(deps, [query, ...words], flags) {
    const { person, isExact } = await userBy(deps, query)
    const reason = reasonOf(words)
    if (!isExact) await confirm(deps, flags, `${verb}: ${whoIs(person)}`)
    const banned = verb === 'ban'
    const isNew = await setBan(deps, { by: null, userId: person.id, banned, reason })
    if (!isNew) throw new Refused(`They are ${banned ? 'banned' : 'not banned'} already: ${whoIs(person)}`)
    return banned ? [`Banned: ${whoIs(person)}`] : [`Unbanned: ${whoIs(person)}`, botTells]
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

async function setAsideLines({ db, operator }: Deps): Promise<readonly string[]> {
  const found = await listSetAside(db)
  if (found.length === 0) return ['No update is set aside.']
  return found.map(
    ({ id, setAsideAt, body }) =>
      `${id} · ${localTime(setAsideAt, operator.timeZone)} · ${body.slice(0, 200)}`,
  )
}

const switching: Command = {
  usage: ['switch maintenance on|off', 'switch model <id> on|off'],
  async run(deps, [what, ...words]) {
    const [model, to] = what === 'model' ? [words[0], words[1]] : [undefined, words[0]]
    if (to !== 'on' && to !== 'off') throw new Usage('On or off?')
    if (what === 'maintenance') return turn(deps, maintenance, to === 'on', `Maintenance is ${to}`)
    if (what !== 'model') throw new Usage('maintenance, or model?')
    const ids = [...deps.catalog.models, ...deps.textModels].map(({ id }) => id)
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
  switch: switching,
  updates,
  'accept-transfers': accept,
  'change-bot': changingBot,
  assign,
}
