// Measures whether the cost of a step grows with the number of steps before it: taps on a card, and answers that the one-field conversation
// refuses.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Bench, BenchWorld } from '../bench.ts'
import { compare } from '../frame/rounds.ts'
import { startApp } from '../machine/app.ts'
import { startTelegram, type TelegramStub } from '../outside/telegram.ts'
import { createUpdates } from '../outside/updates.ts'
import { draftOf, makeTemplate, seedQuotes } from '../seed/orders.ts'
import { seedPeople } from '../seed/people.ts'

/** Longer forms pause between waves, since the app limits one person to 30 updates at once and then one a second. */
const sizes = {
  full: { people: 40, steps: [1, 10, 50], rounds: 5, waveMs: 600 },
  quick: { people: 2, steps: [1, 5, 10], rounds: 1, waveMs: 0 },
}

export const forms: Bench = {
  name: 'forms',
  title: 'The n-th step of a form',
  method:
    'Groups of people, each at another step of a form of their own, all of a group at once: the time until all are answered, each round anew. A tap changes an answer and the price; the conversation refuses what is too long.',
  async run(world) {
    const size = sizes[world.isQuick ? 'quick' : 'full']
    const opened = await open(world, size.people * size.steps.length * size.rounds * 2)
    const taps = await measure(opened.telegram, size, 0, tapping)
    const words = await measure(opened.telegram, size, size.people * size.steps.length * size.rounds, asking)
    await opened.close()
    const [first = 0, ...others] = size.steps
    const figures = (name: string, found: Found) =>
      others.map((n) =>
        compare(
          { name: `${name} ${n}`, unit: 'ms', better: 'lower', against: `${name} ${first}` },
          found.get(n) ?? [],
          found.get(first) ?? [],
        ),
      )
    return [...figures('tap', taps), ...figures('refused answer', words)]
  },
}

type Size = (typeof sizes)['full']
/** Milliseconds per person, by step: one value for each round. */
type Found = ReadonlyMap<number, readonly number[]>

async function open(world: BenchWorld, people: number) {
  const database = await world.server.clone()
  await seedPeople(database.sql, people)
  await seedQuotes(database.sql, await makeTemplate(database), 0, people)
  const telegram = await startTelegram()
  const app = await startApp(world, { database, telegram }, { ROLE: 'bot' })
  return {
    telegram,
    async close() {
      await app.stop()
      await telegram.close()
      await database.close()
    },
  }
}

/** The updates with which a person begins the form and takes its n-th step. */
interface Steps {
  readonly answer: string
  begin(person: number): string | undefined
  step(person: number, n: number): string
}

const { says, taps } = createUpdates()

const tapping: Steps = {
  answer: 'editMessageText',
  begin: () => undefined,
  step: (person, n) => taps(person, `c:${draftOf(person)}:s:instrumental:${n % 2 === 1 ? 'on' : 'off'}`),
}

const asking: Steps = {
  answer: 'sendMessage',
  begin: (person) => taps(person, `c:${draftOf(person)}:a:prompt`),
  step: (person) => says(person, 'la '.repeat(200) + person),
}

/** Brings each group to the step before the measured one, then measures one wave of each group in every round. */
async function measure(telegram: TelegramStub, size: Size, from: number, steps: Steps): Promise<Found> {
  const found = new Map<number, number[]>(size.steps.map((n) => [n, []]))
  const groups = await bringToTheirSteps(telegram, size, from, steps)
  for (const round of groups) {
    for (const { n, people } of round) {
      const ms = await wave(telegram, steps.answer, people, (person) => steps.step(person, n))
      found.get(n)?.push(ms / people.length)
    }
  }
  return found
}

interface Group {
  readonly n: number
  readonly people: readonly number[]
}

async function bringToTheirSteps(
  telegram: TelegramStub,
  { people, steps: wanted, rounds, waveMs }: Size,
  from: number,
  steps: Steps,
): Promise<readonly (readonly Group[])[]> {
  let next = from
  const take = () => Array.from({ length: people }, () => next++)
  const groups = Array.from({ length: rounds }, () => wanted.map((n) => ({ n, people: take() })))
  const everybody = groups.flat()
  const begun = everybody.flatMap((group) => group.people.flatMap((person) => steps.begin(person) ?? []))
  if (begun.length > 0) await waveOf(telegram, 'sendMessage', begun)
  for (let n = 1; n < Math.max(...wanted); n += 1) {
    const behind = everybody.filter((group) => group.n > n).flatMap((group) => group.people)
    await Promise.all([
      wave(telegram, steps.answer, behind, (person) => steps.step(person, n)),
      sleep(waveMs),
    ])
  }
  return groups
}

const wave = (
  telegram: TelegramStub,
  answer: string,
  people: readonly number[],
  of: (one: number) => string,
) => waveOf(telegram, answer, people.map(of))

async function waveOf(telegram: TelegramStub, answer: string, updates: readonly string[]): Promise<number> {
  const answered = telegram.heard(answer, updates.length)
  const start = performance.now()
  telegram.give(updates)
  await answered
  return performance.now() - start
}
