// Questions that the bot must answer within ten seconds: whether a payment may go on, and what an inline query finds.

import type { Clock } from '../../runtime/clock.ts'
import { type Random, randomDigits } from '../random.ts'

const answerMs = 10_000

export type Questions<A> = ReturnType<typeof createQuestions<A>>

export function createQuestions<A>(clock: Clock, random: Random, closing: AbortSignal) {
  const waiting = new Map<string, (answer: A) => void>()
  return {
    /** @param send gives the bot the update with this id. @returns undefined when the bot does not answer in time */
    async ask(send: (id: string) => void): Promise<A | undefined> {
      const id = randomDigits(random, 18)
      const answered = new Promise<A>((resolve) => waiting.set(id, resolve))
      send(id)
      const done = new AbortController()
      const late = clock.wait(answerMs, AbortSignal.any([done.signal, closing])).then(() => undefined)
      const answer = await Promise.race([answered, late])
      done.abort()
      waiting.delete(id)
      return answer
    },
    /** @returns false when no question waits for this answer: the id is unknown, late, or answered already */
    answer(id: string, answer: A): boolean {
      waiting.get(id)?.(answer)
      return waiting.delete(id)
    },
  }
}
