// What gateway-api.md leaves open and a setting decides: which of it this gateway was seen to do, now or in the orders of the database.

import { readSeen } from '../../db/inspect.ts'
import type { Print } from './buying.ts'

/** What the answers of this run have shown. */
interface SeenNow {
  readonly key: boolean
  readonly task: boolean
  readonly concepts: boolean
}

const settings = {
  key: 'the answer to a wrong key ("key")',
  task: 'the answer about an unknown task ("task")',
  concepts: 'the list of concepts ("requests.concepts")',
  styles: 'the creation of a style ("requests.styles")',
  speakers: 'the fields of a dialogue ("names")',
  resultId: 'the id of a result ("requests.results.id")',
  continued: 'the id that continues a video ("requests.results.continued")',
} as const

/** @param database its address; empty for none */
export async function printSeen(print: Print, now: SeenNow, database: string): Promise<void> {
  const before = await readSeen(database)
  for (const [name, what] of Object.entries(settings)) {
    const at = before.get(name)
    const isSeen = Object.entries(now).some(([one, is]) => one === name && is)
    if (isSeen) print('ok', `${what}: as set`)
    else if (at) print('ok', `${what}: as set, last on ${at.toISOString().slice(0, 10)}`)
    else print('note', `${what}: not seen`)
  }
  print('note', 'how modes and tools of a text model are asked for: --spend and its id try each mode')
}
