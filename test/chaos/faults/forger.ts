// Somebody who knows the callback addresses, which nobody should: they say what is not so, about tasks that are not there. It
// must change nothing, whatever it says.

import type { Sql } from 'postgres'
import { z } from 'zod'
import type { Clock } from '../../../src/clock.ts'
import type { Chance } from '../chance.ts'
import type { Journal } from '../journal.ts'
import { marksIn } from '../users/orders.ts'

const order = z.object({ token: z.string(), request: z.string() })

interface Deps {
  /** Where callbacks go. */
  readonly url: string
  readonly sql: Sql
  readonly journal: Journal
  readonly clock: Clock
}

/** @param seconds between two, on the average; 0 is never */
export async function forgeCallbacks(
  { url, sql, journal, clock }: Deps,
  chance: Chance,
  seconds: number,
  home: AbortSignal,
): Promise<void> {
  while (seconds > 0 && !home.aborted) {
    await clock.wait(seconds * (500 + 1000 * chance.next()), home)
    const found = await sql`select callback_token as token, request::text as request from generations
      where state = 'running' order by random() limit 1`
    if (found.length === 0) continue
    const { token, request } = order.parse(found[0])
    const body = chance.pick([
      { status: 'failed', error: 'forged' },
      { status: 'completed', data: [{ url: `${url}/forged.png` }] },
      { id: `forged-${chance.between(1, 1_000_000)}`, status: 'canceled' },
    ])
    journal.note(marksIn(request)[0] ?? token, `a forged callback says ${body.status}`)
    journal.count('fault: forged callback')
    const headers = { 'content-type': 'application/json' }
    await fetch(`${url}/callbacks/${token}`, { method: 'POST', headers, body: JSON.stringify(body) })
      .then((answer) => answer.body?.cancel())
      .catch(() => undefined)
  }
}
