// Limits what callbacks cost: a forged token is refused without a query, and calls of one token are combined into one statement
// per gap, however many there are.

import type { GenerationDeps } from '../generations/generation.ts'
import { createAllowance } from '../runtime/allowance.ts'
import { best, type Candidate } from './callback-body.ts'
import { type CallbackStoreDeps, receiveCallback } from './callbacks.ts'

interface CallbackIntake {
  /**
   * @param read reads the candidates that the callback names; called only if the token may be known
   * @returns false for a token that belongs to no generation, or that was not looked up because of too many unsigned ones
   * @throws when the database failed: the callback was not received
   */
  receive(token: string, read: () => Promise<readonly Candidate[]>): Promise<boolean>
}

interface Deps extends CallbackStoreDeps, Pick<GenerationDeps, 'callbackTokens'> {
  /** Called when a callback has made a look due that could not begin at once. */
  readonly woken: () => void
}

/** The longest gap; it is shorter than the time for which callers wait for an answer. */
const longestGapMs = 1000
/**
 * How many unsigned tokens are looked up. They may belong to orders of a version that did not sign tokens, or from before a change of the
 * bot's token.
 */
const unsigned = { perSecond: 5, most: 10 }

/** Calls of one token that the next statement answers together. */
interface Batch {
  candidates: readonly Candidate[]
  readonly answer: PromiseWithResolvers<boolean>
}

export function createCallbackIntake(deps: Deps): CallbackIntake {
  /** Recently called tokens, each with the calls that wait for the next statement. */
  const recent = new Map<string, { waiting: Batch | undefined }>()
  const takeUnsignedLookup = createAllowance(deps.clock, unsigned)
  const gapMs = Math.min(deps.pollIntervalMs / 4, longestGapMs)

  const take = async (token: string, { candidates, answer }: Batch) => {
    try {
      const { isKnown, isDue } = await receiveCallback(deps, token, candidates)
      if (isDue) deps.woken()
      answer.resolve(isKnown)
    } catch (error) {
      answer.reject(error)
    }
  }

  /** Processes the first call at once, and all calls that arrive meanwhile together after the gap. */
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
      const isAllowed = deps.callbackTokens.isSigned(token) || recent.has(token) || takeUnsignedLookup()
      return isAllowed && join(token, await read())
    },
  }
}
