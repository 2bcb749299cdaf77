// Questions that the bot must answer within ten seconds: whether a payment may go on, and what an inline query finds.

import { randomDigits } from '../random.ts'
import type { TelegramServer } from './server.ts'

const answerMs = 10_000

interface Questions<A> {
  /** @param send gives the bot the update with this id. @returns undefined when the bot does not answer in time */
  ask(server: TelegramServer, send: (id: string) => void): Promise<A | undefined>
  /** @returns false when no question waits for this answer: the id is unknown, late, or answered already */
  answer(server: TelegramServer, id: string, answer: A): boolean
}

export function createQuestions<A>(): Questions<A> {
  const asked = new WeakMap<TelegramServer, Map<string, (answer: A) => void>>()

  function waitingIn(server: TelegramServer): Map<string, (answer: A) => void> {
    const found = asked.get(server) ?? new Map<string, (answer: A) => void>()
    asked.set(server, found)
    return found
  }

  return {
    async ask(server, send) {
      const id = randomDigits(server.random, 18)
      const waiting = waitingIn(server)
      const answered = new Promise<A>((resolve) => waiting.set(id, resolve))
      send(id)
      const done = new AbortController()
      const ended = AbortSignal.any([done.signal, server.closing])
      const late = server.clock.wait(answerMs, ended).then(() => undefined)
      const answer = await Promise.race([answered, late])
      done.abort()
      waiting.delete(id)
      return answer
    },
    answer(server, id, answer) {
      waitingIn(server).get(id)?.(answer)
      return waitingIn(server).delete(id)
    },
  }
}
