// The findings of the checks of `npm run doctor`: each is one line, which says what to do when something is wrong.

import { allSettledWithin, type Clock } from '../../runtime/clock.ts'
import { causesOf } from '../../runtime/log.ts'

export interface Finding {
  /** `note`: the fact is no mistake, but the operator may want to know it. */
  readonly verdict: 'ok' | 'note' | 'wrong'
  readonly what: string
  /** What is said in place of this before the first start of the app. */
  readonly beforeFirstStart?: Finding
}

/** What a condition makes of a finding: `limit === 0n && note('…')`. */
export type Maybe = Finding | false

export interface Check {
  /** The subject of the check, in one word. */
  readonly subject: string
  run(): Promise<readonly Maybe[]>
}

export const ok = (what: string): Finding => ({ verdict: 'ok', what })
export const note = (what: string): Finding => ({ verdict: 'note', what })
export const wrong = (what: string): Finding => ({ verdict: 'wrong', what })

export const neverStarted = note('this bot was not started yet: Telegram has no command menu of it')

/** Only a running app does what was not found. @param advice what to do if the app was started */
export const notRunning = (what: string, advice: string): Finding => ({
  ...wrong(`${what}: ${advice}`),
  beforeFirstStart: note(`${what}: as usual before the first start; check again after it`),
})

const longestMs = 15_000

/** The findings of a check; a check that fails or hangs is a finding too and does not stop the others. */
export async function findingsOf({ run }: Check, clock: Clock): Promise<readonly Finding[]> {
  const found: Promise<readonly Maybe[]> = run().catch((error: unknown) => [
    wrong(`this cannot be checked (${causesOf(error).join(': ')})`),
  ])
  if (await allSettledWithin([found], clock, longestMs)) return (await found).filter((one) => one !== false)
  return [wrong(`no answer within ${longestMs / 1000} s: look at its log`)]
}
