// Checks that each confirmed order was settled once (captured, released, or partly both), and that nothing was ordered twice.

import type { Check, Evidence } from './check.ts'
import type { Ordered } from './ordered.ts'

export const eachEndsOnce: Check = {
  name: 'each order ends once, with exactly its hold',
  find: ({ ordered }) => ordered.flatMap((one) => faultsOf(one).map((fact) => ({ about: one.mark, fact }))),
}

function faultsOf({ id, state, amount, captured, moves }: Ordered): string[] {
  const sumOf = (kind: string) => {
    const own = moves.filter((move) => move.startsWith(`${kind} `))
    return { times: own.length, sum: own.reduce((sum, move) => sum + Number(move.split(' ')[1]), 0) }
  }
  const [hold, capture, release] = [sumOf('hold'), sumOf('capture'), sumOf('release')]
  const facts = `generation ${id}, ${state}, ${amount}: ${moves.join(', ')}`
  const isEnded = ['succeeded', 'failed', 'canceled'].includes(state)
  return [
    ...(isEnded ? [] : [`has not ended: ${facts}`]),
    ...(hold.times === 1 && hold.sum === amount ? [] : [`is not held once: ${facts}`]),
    ...(isEnded && capture.sum + release.sum !== amount ? [`is not settled: ${facts}`] : []),
    ...(capture.times > 1 || release.times > 1 ? [`is settled twice: ${facts}`] : []),
    ...(isEnded && capture.sum !== (captured ?? 0) ? [`the row says captured ${captured}: ${facts}`] : []),
    ...((state === 'succeeded') === capture.sum > 0 ? [] : [`is charged for nothing, or not: ${facts}`]),
  ]
}

export const nothingTwice: Check = {
  name: 'nothing is ordered twice',
  find: ({ ordered }) =>
    [...Map.groupBy(ordered, ({ mark }) => mark)]
      .filter(([, same]) => same.length > 1)
      .map(([mark, same]) => ({ about: mark, fact: `generations ${same.map(({ id }) => id).join(', ')}` })),
}

export const nothingHeld: Check = {
  name: 'nothing is held, streaming or unsent at the end',
  async find({ database: { sql } }: Evidence) {
    const found = await sql`
      select kind || ' account of ' || owner_id as about, 'held ' || held as fact from accounts where held <> 0
      union all select 'turn ' || id, 'state ' || state from turns where state = 'streaming' or delivery = 'pending'
      union all select 'notice ' || key, attempts || ' attempts' from notices where done_at is null
      union all select id, 'delivery ' || delivery from generations where delivery not in ('delivered', 'undeliverable')`
    return found.map(({ about, fact }) => ({ about: String(about), fact: String(fact) }))
  },
}
