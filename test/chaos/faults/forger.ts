// Forged callbacks. Some go to the secret address of an order with false facts about tasks that do not exist; others name an existing
// task and go to an address that does not exist. Neither may change anything.

import type { Sql } from 'postgres'
import { z } from 'zod'
import type { Clock } from '../../../src/runtime/clock.ts'
import type { Chance } from '../chance.ts'
import { readAccounts } from '../checks/tasks.ts'
import type { Journal } from '../journal.ts'
import { marksIn } from '../users/orders.ts'

const order = z.object({ token: z.string(), request: z.string() })

interface Deps {
  /** The app, which receives callbacks. */
  readonly url: string
  /** The gateway, which lists its tasks. */
  readonly outsideUrl: string
  readonly sql: Sql
  readonly journal: Journal
  readonly clock: Clock
}

/** @param seconds the mean time between two; 0 means never */
export async function forgeCallbacks(
  deps: Deps,
  chance: Chance,
  seconds: number,
  ending: AbortSignal,
): Promise<void> {
  while (seconds > 0 && !ending.aborted) {
    await deps.clock.wait(seconds * (500 + 1000 * chance.next()), ending)
    const forged = await (chance.happens(0.5) ? lieTo(deps, chance) : misdirect(deps, chance)).catch(() => {
      // A connection that was reset under load: there is nothing to forge this time.
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
  /** The mark of the order that it is about. */
  readonly mark: string
}

/** To the address of an order. */
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

/** About the newest task that no order is known to have. */
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
