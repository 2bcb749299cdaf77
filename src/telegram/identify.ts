// The first request to Telegram: `getMe`, which identifies the bot. grammY would repeat it silently, with growing pauses; here the operator
// learns within seconds what is wrong.

import { once } from 'node:events'
import { connect } from 'node:net'
import { type Api, GrammyError, HttpError } from 'grammy'
import type { UserFromGetMe } from 'grammy/types'
import { CannotStart } from '../runtime/cannot-start.ts'
import type { Clock } from '../runtime/clock.ts'
import { causesOf } from '../runtime/log.ts'
import type { TelegramServer } from './client.ts'
import { isRefusal } from './errors.ts'

/** The time limit of one attempt, and the pause between two. */
const answerMs = 3000
const pauseMs = 3000

interface Deps {
  readonly api: Api
  readonly server: TelegramServer
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
  const { server, clock, tell } = deps
  for (let failures = 0; !stopping.aborted; failures += 1) {
    const answer = await askWhoWeAre(deps)
    if (!(answer instanceof Error)) return answer
    if (isRefusal(answer)) throw new CannotStart(refusalText(answer, server), { cause: answer })
    if (failures === 0) tell(`${await troubleText(answer, server)} The start goes on when it answers.`)
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
export async function troubleText(error: unknown, server: TelegramServer): Promise<string> {
  if (isRefusal(error)) return refusalText(error, server)
  const reason = reasonOf(error)
  if (server.proxy !== undefined) return proxyText(new URL(server.proxy), reason, server)
  return `TELEGRAM_API_ROOT: Telegram cannot be reached at ${server.apiRoot} (${reason}): check the network of this machine and whether it may connect there.`
}

/** The words of undici about a proxy that refuses the user, or asks for one. */
const loginRefused = /\(407\)|authentication/i

async function proxyText(proxy: URL, reason: string, { apiRoot }: TelegramServer): Promise<string> {
  const name = `TELEGRAM_PROXY: the proxy ${proxy.host}`
  if (loginRefused.test(reason))
    return `${name} refuses the login (${reason}): correct the user and the password.`
  if (!(await accepts(proxy)))
    return `${name} cannot be reached (${reason}): check its address, and whether it runs and lets this machine in.`
  return `${name} answers, but not with Telegram at ${apiRoot} (${reason}): ask its owner, or use another proxy.`
}

async function accepts({ hostname, port, protocol }: URL): Promise<boolean> {
  const host = hostname.replace(/^\[|\]$/g, '')
  const socket = connect(Number(port) || (protocol === 'https:' ? 443 : 80), host)
  try {
    await once(socket, 'connect', { signal: AbortSignal.timeout(answerMs) })
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}

function refusalText(error: unknown, { apiRoot }: TelegramServer): string {
  const said = error instanceof GrammyError ? `${error.error_code} ${error.description}` : String(error)
  return `BOT_TOKEN: Telegram at ${apiRoot} refuses the token (${said}): write the token that BotFather shows for this bot.`
}

/** The reason of a failure without the address of the request, which contains the token. */
function reasonOf(error: unknown): string {
  if (error instanceof GrammyError) return `${error.error_code} ${error.description}`
  const cause = error instanceof HttpError ? error.error : error
  return causesOf(cause).at(-1) ?? ''
}
