// Somebody who knows the callback addresses, which nobody should: they say what is not so, about tasks that are not there. It
// must change nothing, whatever it says.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Sql } from 'postgres'
import { z } from 'zod'
import type { Chance } from '../chance.ts'
import type { Journal } from '../journal.ts'
import { marksIn } from '../users/orders.ts'

const order = z.object({ token: z.string(), request: z.string() })

/** @param url where callbacks go; @param seconds between two, on the average; 0 is never */
export async function forgeCallbacks(
  { url, sql, journal }: { readonly url: string; readonly sql: Sql; readonly journal: Journal },
  chance: Chance,
  seconds: number,
  home: AbortSignal,
): Promise<void> {
  while (seconds > 0 && !home.aborted) {
    await sleep(seconds * (500 + 1000 * chance.next()), undefined, { signal: home }).catch(() => undefined)
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
