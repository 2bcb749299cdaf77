// Refusals of us: the gateway's answer to one order says that it would refuse every other one, or every other one of the model. Sales stop,
// and the operators get the gateway's words at once. Words alone stop nothing until the answer to another order says the same.

import type { Database } from '../db/client.ts'
import type { Clock } from '../runtime/clock.ts'
import type { Log } from '../runtime/log.ts'
import { meaningOf, type RefusalWords, type Told } from './refusal-words.ts'
import { reportStop, type StopCause, stopOfModel, stopSales, suspect } from './sales.ts'

export interface Refusal {
  readonly cause: Exclude<StopCause, 'unreachable'>
  /** Whether the status says it; words alone may be about something else. */
  readonly isCertain: boolean
  readonly said: string | undefined
}

export interface Refusals {
  /**
   * @param told an error of the gateway, or the words about a failed task
   * @param modelId in our catalog @param request what was sent to the gateway: words that it contains are no evidence
   * @returns undefined when not we are refused, but the request
   */
  of(told: Told, modelId: string | undefined, request: unknown): Refusal | undefined
  /** Called once for each order, answer or style that was refused. */
  stop(refusal: Refusal): Promise<void>
}

interface Deps {
  readonly db: Database
  readonly clock: Clock
  readonly log: Log
  readonly refusalWords: RefusalWords
  /** Has the alarm sent now. */
  readonly wakeAlarms: () => void
}

export function createRefusals({ db, clock, log, refusalWords, wakeAlarms }: Deps): Refusals {
  return {
    of(told, modelId, request) {
      const meaning = meaningOf(refusalWords, told, request)
      const cause = meaning && causeOf(meaning.about, modelId)
      return cause && { cause, isCertain: meaning.isCertain, said: told.said }
    },
    async stop({ cause, isCertain, said }) {
      const now = clock.now()
      const isStopped = isCertain || (await suspect(db, cause, now))
      if (isStopped) await stopSales(db, cause, now)
      log.error({ cause, said }, isStopped ? 'sales stopped' : 'the gateway seems to refuse us')
      await reportStop(db, { cause, said, isStopped }, now)
      wakeAlarms()
    },
  }
}

function causeOf(about: keyof RefusalWords, modelId: string | undefined): Refusal['cause'] | undefined {
  if (about === 'model') return modelId === undefined ? undefined : stopOfModel(modelId)
  return about === 'key' ? 'unauthorised' : 'out-of-balance'
}
