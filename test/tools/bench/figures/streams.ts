// Streamed answers of a text model: the time from the gateway's write of the first word until the chat shows it.

import { z } from 'zod'
import { timesIn } from '../gateway.ts'
import { inTime } from '../serve.ts'
import { type BenchWorld, openSide, programs, type Side } from '../sides.ts'
import type { Call } from '../telegram.ts'
import { type Figure, figure, inRounds, type Measured, percentile } from './figure.ts'

const sizes = { full: { rounds: 3, count: 200 }, quick: { rounds: 1, count: 2 } }

export async function streamFigures(world: BenchWorld): Promise<readonly Figure[]> {
  const { rounds, count } = sizes[world.isQuick ? 'quick' : 'full']
  const app = await openSide(world, programs.app)
  const { people } = app
  await firstWords(app, await people.prepareAnswers(count))
  const questions = () => Array.from({ length: count }, (_, n) => people.says(n, 'and today?'))
  const found = await inRounds(rounds, { app: () => firstWords(app, questions()) })
  await app.close()
  const name = `first word of ${count} streams, p99`
  return [figure({ name, unit: 'ms', goal: '<= 30 ms' }, found('app', 'p99'))]
}

const said = z.object({ text: z.string() })

/** A first word has arrived with the first draft or message that holds it. Resolves at the end of all answers. */
const firstWords = ({ telegram }: Side, updates: readonly string[]): Promise<Measured> =>
  inTime(`${updates.length} answers`, (resolve) => {
    const delays = new Map<number, number>()
    let ended = 0
    const hear = ({ method, body, chat, at }: Call) => {
      const [first] = timesIn(said.parse(JSON.parse(body.toString())).text)
      if (first === undefined) return
      if (!delays.has(chat)) delays.set(chat, at - first)
      if (method === 'sendMessage') ended += 1
    }
    const stop = telegram.listen((call) => {
      if (/^sendMessage(Draft)?$/.test(call.method)) hear(call)
      if (ended < updates.length) return
      stop()
      resolve({ p99: percentile([...delays.values()], 0.99) })
    })
    telegram.give(updates)
  })
