// Callbacks as they come, each at the price it is worth: a token that is made up is refused without the database, and however
// often one token is called, its order costs one statement in each gap.

import type { GenerationDeps } from '../generations/generation.ts'
import type { Clock } from '../runtime/clock.ts'
import { best, type Candidate } from './callback-body.ts'
import { receiveCallback } from './callbacks.ts'

export interface CallbackIntake {
  /**
   * @param read what the callback names; called only if the token may be known
   * @returns false for a token that belongs to no generation, or was not looked for since too many like it have come
   * @throws when the database failed: the callback was not received
   */
  receive(token: string, read: () => Promise<readonly Candidate[]>): Promise<boolean>
}

interface Deps extends Pick<GenerationDeps, 'db' | 'clock' | 'pollIntervalMs' | 'callbackTokens'> {
  /** Called when there may be something to look at. */
  readonly woken: () => void
}

/** Below the time that callers wait for an answer. */
const longestGapMs = 1000
/** Orders made by a version that did not sign tokens, or before the bot's token changed, are still called. */
const unsigned = { perSecond: 5, most: 10 }

/** Calls of one token that are answered together by the next statement. */
interface Batch {
  candidates: readonly Candidate[]
  readonly answer: PromiseWithResolvers<boolean>
}

export function createCallbackIntake(deps: Deps): CallbackIntake {
  /** Tokens that were called a moment ago, each with the calls that wait. */
  const recent = new Map<string, { waiting: Batch | undefined }>()
  const hasUnsigned = createAllowance(deps.clock, unsigned)
  const gapMs = Math.min(deps.pollIntervalMs / 4, longestGapMs)

  const take = async (token: string, { candidates, answer }: Batch) => {
    try {
      const isKnown = await receiveCallback(deps, token, candidates)
      if (isKnown) deps.woken()
      answer.resolve(isKnown)
    } catch (error) {
      answer.reject(error)
    }
  }

  /** The first call is taken at once, those that come meanwhile together after the gap. */
  const serve = async (token: string, first: Batch) => {
    const entry: { waiting: Batch | undefined } = { waiting: first }
    recent.set(token, entry)
    while (entry.waiting) {
      const batch = entry.waiting
      entry.waiting = undefined
      await take(token, batch)
      await deps.clock.wait(gapMs)
    }
    recent.delete(token)
  }

  const join = (token: string, candidates: readonly Candidate[]): Promise<boolean> => {
    const entry = recent.get(token)
    const batch = entry?.waiting ?? { candidates: [], answer: Promise.withResolvers<boolean>() }
    batch.candidates = best([...batch.candidates, ...candidates])
    if (entry) entry.waiting = batch
    else void serve(token, batch)
    return batch.answer.promise
  }

  return {
    async receive(token, read) {
      const isAllowed = deps.callbackTokens.isSigned(token) || recent.has(token) || hasUnsigned()
      return isAllowed && join(token, await read())
    },
  }
}

/** @returns takes one, unless there is none left; they come back with time */
function createAllowance(
  clock: Clock,
  { perSecond, most }: { perSecond: number; most: number },
): () => boolean {
  let left = most
  let filledAt = clock.now().getTime()
  return () => {
    const now = clock.now().getTime()
    left = Math.min(most, left + (Math.max(0, now - filledAt) * perSecond) / 1000)
    filledAt = now
    if (left < 1) return false
    left -= 1
    return true
  }
}
