// The first request to Telegram: `getMe`, which identifies the bot. grammY would repeat it silently, with growing pauses; here the operator
// learns within seconds what is wrong.

import { type Api, GrammyError, HttpError } from 'grammy'
import type { UserFromGetMe } from 'grammy/types'
import { CannotStart } from '../runtime/cannot-start.ts'
import type { Clock } from '../runtime/clock.ts'
import { causesOf } from '../runtime/log.ts'
import { isRefusal } from './errors.ts'

/** The time limit of one attempt, and the pause between two. */
const answerMs = 3000
const pauseMs = 3000

interface Deps {
  readonly api: Api
  readonly apiRoot: string
  readonly clock: Clock
  /** Receives one sentence when the first attempt has failed. */
  readonly tell: (sentence: string) => void
}

/**
 * @param stopping ends the attempts
 * @returns undefined when the attempts were stopped
 * @throws CannotStart when Telegram refuses the token
 */
export async function identify(deps: Deps, stopping: AbortSignal): Promise<UserFromGetMe | undefined> {
  const { apiRoot, clock, tell } = deps
  for (let failures = 0; !stopping.aborted; failures += 1) {
    const answer = await askWhoWeAre(deps)
    if (!(answer instanceof Error)) return answer
    if (isRefusal(answer)) throw new CannotStart(refusalText(answer, apiRoot), { cause: answer })
    if (failures === 0) tell(`${unreachableText(answer, apiRoot)} The start goes on when it answers.`)
    await clock.wait(pauseMs, stopping)
  }
  return undefined
}

/** @returns the error when there is no answer in time, or the answer is not that of a bot */
export async function askWhoWeAre({
  api,
  clock,
}: Pick<Deps, 'api' | 'clock'>): Promise<UserFromGetMe | Error> {
  const late = new AbortController()
  const answered = new AbortController()
  void clock.wait(answerMs, answered.signal).then(() => late.abort())
  try {
    // The declared type is that of a polyfill; a native signal works as well.
    return await api.getMe(late.signal as Parameters<Api['getMe']>[0])
  } catch (error) {
    if (late.signal.aborted && !answered.signal.aborted)
      return new Error(`no answer within ${answerMs / 1000} s`)
    return error instanceof Error ? error : new Error(String(error))
  } finally {
    answered.abort()
  }
}

/** A sentence that says what is wrong and what to do. */
export const troubleText = (error: unknown, apiRoot: string): string =>
  isRefusal(error) ? refusalText(error, apiRoot) : unreachableText(error, apiRoot)

function refusalText(error: unknown, apiRoot: string): string {
  const said = error instanceof GrammyError ? `${error.error_code} ${error.description}` : String(error)
  return `BOT_TOKEN: Telegram at ${apiRoot} refuses the token (${said}): write the token that BotFather shows for this bot.`
}

const unreachableText = (error: unknown, apiRoot: string): string =>
  `TELEGRAM_API_ROOT: Telegram cannot be reached at ${apiRoot} (${reasonOf(error)}): check the network of this machine and whether it may connect there.`

/** The reason of a failure without the address of the request, which contains the token. */
function reasonOf(error: unknown): string {
  if (error instanceof GrammyError) return `${error.error_code} ${error.description}`
  const cause = error instanceof HttpError ? error.error : error
  return causesOf(cause).at(-1) ?? ''
}
