// grant and debit. A repetition with the same `--key` changes the balance once, so that the command can be repeated when the database has
// not answered.

import { isOutage } from '../../db/outage.ts'
import { readBalance } from '../../ledger/ledger.ts'
import { formatRoubles, type Kopecks } from '../../money.ts'
import { correct } from '../../operator/corrections.ts'
import {
  amountOf,
  botTells,
  type Command,
  confirm,
  type Deps,
  describe,
  Refused,
  reasonOf,
  Usage,
  userBy,
} from './common.ts'

export const correction = (verb: 'grant' | 'debit'): Command => ({
  usage: [`${verb} <user> <roubles> <reason> [--key <key>]`],
  async run(deps, [query, typed, ...words], flags) {
    const { person, isExact } = await userBy(deps, query)
    const amount = amountOf(typed)
    const reason = reasonOf(words)
    const key = flags.key === undefined ? deps.ids.next() : keyOf(flags.key)
    if (!isExact) await confirm(deps, flags, `${verb} ${formatRoubles(amount)}: ${describe(person)}`)
    const change = { key, userId: person.id, amount: verb === 'grant' ? amount : -amount, reason }
    const { isNew, available } = await unlessUnanswered(deps, key, () => make(deps, change))
    const done = verb === 'grant' ? 'Granted' : 'Debited'
    return [
      `${done} ${isNew ? '' : 'earlier, once: '}${formatRoubles(amount)}: ${describe(person)}`,
      `Balance: ${formatRoubles(available)}`,
      ...(isNew ? [botTells] : []),
    ]
  },
})

function keyOf(typed: string): string {
  if (!/^[\w-]{1,40}$/.test(typed)) throw new Usage('A key is up to 40 Latin letters, digits, - or _.')
  return typed
}

interface Change {
  readonly key: string
  readonly userId: bigint
  /** A negative amount is taken. */
  readonly amount: Kopecks
  readonly reason: string
}

/** @throws Refused when the balance is too small */
async function make(deps: Deps, { key, ...change }: Change) {
  // With user and amount in it, a key that is used again for something else is another key.
  const named = `cli:${key}:${change.userId}:${change.amount}`
  const corrected = await correct(deps, { key: named, by: null, ...change })
  const { available } = await readBalance(deps.db, change.userId)
  if (corrected === 'insufficient')
    throw new Refused(`Nothing was changed: the balance is only ${formatRoubles(available)}`)
  if (corrected === 'unknown-user') throw new Refused('Nothing was changed: this user is deleted.')
  return { isNew: corrected === 'done', available }
}

/** How long an answer is awaited: a statement whose connection was lost may never get one. */
const answerMs = 60_000

/** @throws Refused when a statement was not answered, which may have been carried out nevertheless */
async function unlessUnanswered<T>({ clock }: Deps, key: string, act: () => Promise<T>): Promise<T> {
  const unanswered = new Refused(
    `The database did not answer, so it is unknown whether this was done. Repeat the command with --key ${key}: it is done once. ` +
      'Or look: npm run admin -- log',
  )
  const over = new AbortController()
  const refuse = () => Promise.reject(unanswered)
  try {
    return await Promise.race([act(), clock.wait(answerMs, over.signal).then(refuse)])
  } catch (error) {
    throw isOutage(error) ? unanswered : error
  } finally {
    over.abort()
  }
}
