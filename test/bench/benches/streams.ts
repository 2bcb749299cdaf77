// Measures streamed answers: the time from the gateway's write of a word until the chat shows it.

import { z } from 'zod'
import type { Bench, BenchWorld, Figure } from '../bench.ts'
import { inTime } from '../frame/in-time.ts'
import { compare, inRounds, type Measured } from '../frame/rounds.ts'
import { percentile } from '../frame/statistics.ts'
import { startApp } from '../machine/app.ts'
import { startBot } from '../machine/bare.ts'
import { startGateway } from '../outside/gateway.ts'
import { momentsIn, type Pace } from '../outside/stream.ts'
import { startTelegram, type TelegramStub } from '../outside/telegram.ts'
import { createUpdates, firstPerson } from '../outside/updates.ts'
import { seedPeople } from '../seed/people.ts'

const sizes = {
  full: { rounds: 3, counts: [1, 200], repeats: [4, 1], words: 60, wordMs: 50 },
  quick: { rounds: 1, counts: [1, 3], repeats: [1, 1], words: 4, wordMs: 50 },
}

/** Percentiles with their tolerances: the baseline shows a first word within about a millisecond. */
const quantities = [
  ['first word, p50', 5],
  ['first word, p99', 10],
  ['any word, p50', 2],
  ['any word, p99', 2],
] as const

export const streams: Bench = {
  name: 'streams',
  title: 'A streamed answer, from the gateway to the draft',
  method:
    'Each word is the moment at which the gateway wrote it, 20 a second; a word has arrived with the first draft or message that holds it. Both sides draw once a second; the baseline reads and draws by undici alone, its first draft at the first word.',
  async run(world) {
    const { rounds, counts, repeats, words, wordMs } = sizes[world.isQuick ? 'quick' : 'full']
    const sides = await openSides(world, Math.max(...counts), { words, wordMs })
    const figures: Figure[] = []
    for (const [at, count] of counts.entries()) {
      const found = await inRounds(rounds, {
        app: () => delays(sides.app, count, repeats[at] ?? 1),
        bare: () => delays(sides.bare, count, repeats[at] ?? 1),
      })
      const told = { unit: 'ms', better: 'lower', against: 'bare reading and drawing' } as const
      const name = count === 1 ? '1 stream' : `${count} streams`
      for (const [what, tolerance] of quantities)
        figures.push(
          compare({ ...told, tolerance, name: `${name}, ${what}` }, found('app', what), found('bare', what)),
        )
    }
    await sides.close()
    return figures
  },
}

async function openSides(world: BenchWorld, people: number, pace: Omit<Pace, 'firstMs'>) {
  const database = await world.server.clone()
  await seedPeople(database.sql, people)
  let asked = 0
  // Answers begin at evenly spread times within a second, since drafts are updated once a second.
  const paceOf = () => ({ ...pace, firstMs: 200 + ((asked++ * 137) % 1000) })
  const gateways = [await startGateway({ pace: paceOf }), await startGateway({ pace: paceOf })] as const
  const telegrams = [await startTelegram(), await startTelegram()] as const
  const processes = [
    await startApp(world, { database, telegram: telegrams[0], gateway: gateways[0] }, { ROLE: 'bot' }),
    await startBot(world, 'stream-reader', telegrams[1], { GATEWAY_URL: gateways[1].url }),
  ]
  return {
    app: telegrams[0],
    bare: telegrams[1],
    async close() {
      await Promise.all(processes.map((one) => one.stop()))
      await Promise.all([...telegrams, ...gateways].map((one) => one.close()))
      await database.close()
    },
  }
}

const { says } = createUpdates()

async function delays(telegram: TelegramStub, count: number, repeats: number): Promise<Measured> {
  const first: number[] = []
  const any: number[] = []
  for (let repeat = 0; repeat < repeats; repeat += 1) {
    for (const taken of await answers(telegram, count)) {
      first.push(taken[0] ?? Number.NaN)
      any.push(...taken)
    }
  }
  return {
    'first word, p50': percentile(first, 0.5),
    'first word, p99': percentile(first, 0.99),
    'any word, p50': percentile(any, 0.5),
    'any word, p99': percentile(any, 0.99),
  }
}

const said = z.object({ chat_id: z.number(), text: z.string().default('') })

/** The delays of all words of all answers, in their order; resolves after the last answer. */
function answers(telegram: TelegramStub, count: number): Promise<readonly (readonly number[])[]> {
  return inTime(`${count} answers`, (resolve) => {
    const taken = new Map<number, number[]>(Array.from({ length: count }, (_, n) => [firstPerson + n, []]))
    let ended = 0
    const stop = telegram.listen((method, body, at) => {
      if (method !== 'sendMessageDraft' && method !== 'sendMessage') return
      const { chat_id, text } = said.parse(JSON.parse(body.toString()))
      const words = taken.get(chat_id) ?? []
      for (const moment of momentsIn(text).slice(words.length)) words.push(at - moment)
      if (method === 'sendMessage') ended += 1
      if (ended < count) return
      stop()
      resolve([...taken.values()])
    })
    telegram.give(Array.from({ length: count }, (_, n) => says(n, 'how are you?')))
  })
}
