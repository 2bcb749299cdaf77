// Forged callbacks. Some go to the secret address of an order with false facts, or with the id of a task that does not exist; others name
// an existing task and go to an address that does not exist. Neither kind may change anything.

import type { Sql } from 'postgres'
import { z } from 'zod'
import type { Clock } from '../../../../src/runtime/clock.ts'
import type { Chance } from '../chance.ts'
import { readAccounts } from '../checks/tasks.ts'
import type { Journal } from '../journal.ts'
import { marksIn } from '../users/ordering.ts'

const order = z.object({ token: z.string(), request: z.string() })

interface Deps {
  /** The address of the app, which receives callbacks. */
  readonly url: string
  /** The address of the gateway, which lists its tasks. */
  readonly outsideUrl: string
  readonly sql: Sql
  readonly journal: Journal
  readonly clock: Clock
}

/** @param seconds the mean time between two forged callbacks; 0 means never */
export async function forgeCallbacks(
  deps: Deps,
  chance: Chance,
  seconds: number,
  ending: AbortSignal,
): Promise<void> {
  while (seconds > 0 && !ending.aborted) {
    await deps.clock.wait(seconds * (500 + 1000 * chance.next()), ending)
    const forged = await (chance.happens(0.5) ? lieTo(deps, chance) : misdirect(deps, chance)).catch(() => {
      // The connection was reset under load; this forgery is skipped.
      deps.journal.count('fault: forged callback could not be prepared')
      return undefined
    })
    if (!forged) continue
    deps.journal.note(forged.mark, `a forged callback: ${forged.body}`)
    deps.journal.count(`fault: ${forged.kind}`)
    const headers = { 'content-type': 'application/json' }
    await fetch(`${deps.url}/callbacks/${forged.token}`, { method: 'POST', headers, body: forged.body })
      .then((answer) => answer.body?.cancel())
      .catch(() => undefined)
  }
}

interface Forged {
  readonly kind: string
  readonly token: string
  readonly body: string
  /** The mark of the order that the forged callback is about. */
  readonly mark: string
}

/** A callback with false facts for the address of an existing order. */
async function lieTo({ url, sql }: Deps, chance: Chance): Promise<Forged | undefined> {
  const found = await sql`select callback_token as token, request::text as request from generations
    where state = 'running' order by random() limit 1`
  if (found.length === 0) return undefined
  const { token, request } = order.parse(found[0])
  const body = chance.pick([
    { status: 'failed', error: 'forged' },
    { status: 'completed', data: [{ url: `${url}/forged.png` }] },
    { id: `forged-${chance.between(1, 1_000_000)}`, status: 'canceled' },
  ])
  return {
    kind: 'forged callback to an order',
    token,
    body: JSON.stringify(body),
    mark: marksIn(request)[0] ?? token,
  }
}

/** A callback to a wrong address about the newest task that belongs to no order in the database. */
async function misdirect({ outsideUrl, sql }: Deps, chance: Chance): Promise<Forged | undefined> {
  const known = new Set((await sql`select task_id as id from generations`).map(({ id }) => id))
  const { tasks } = await readAccounts(outsideUrl)
  const task = tasks.findLast(({ id }) => !known.has(id))
  if (!task) return undefined
  const token = Array.from({ length: 32 }, () => chance.pick([...'0123456789abcdefghjkmnpqrstvwxyz'])).join(
    '',
  )
  const body = JSON.stringify({ id: task.id, status: task.status })
  return { kind: 'forged callback about a task', token, body, mark: task.mark }
}
