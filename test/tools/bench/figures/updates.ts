// Updates through the whole app, against a bot that only echoes.

import { type BenchWorld, openSide, programs, type Side } from '../sides.ts'
import { compare, type Figure, inRounds, type Measured } from './figure.ts'

const sizes = { full: { rounds: 5, app: 6000, echo: 10_000 }, quick: { rounds: 1, app: 20, echo: 20 } }

/** So many that no person exceeds the app's limit of updates. */
const people = 3000

/** `/balance` by long polling: stored, claimed, balance read, answered. */
export async function updateFigures(world: BenchWorld): Promise<readonly Figure[]> {
  const { rounds, app: ofApp, echo: ofEcho } = sizes[world.isQuick ? 'quick' : 'full']
  const app = await openSide(world, programs.app)
  const echo = await openSide(world, programs.echo)
  const rates = await inRounds(rounds, { app: () => rateOf(app, ofApp), echo: () => rateOf(echo, ofEcho) })
  await Promise.all([app.close(), echo.close()])
  const told = { name: 'updates', unit: 'updates/s', goal: 'ratio >= 1.0' }
  return [compare(told, rates('app', 'rate'), 'bot.start of grammY', rates('echo', 'rate'))]
}

async function rateOf({ telegram, people: { says } }: Side, count: number): Promise<Measured> {
  const said = Array.from({ length: count }, (_, at) => says(at % people, '/balance'))
  const answered = telegram.heard(['sendMessage'], count)
  const begun = performance.now()
  telegram.give(said)
  await answered
  return { rate: (count / (performance.now() - begun)) * 1000 }
}
