// Checks the public address: whether a request to it reaches the app.

import type { Config } from '../../config.ts'
import { updatesPath } from '../../http/intake.ts'
import { causesOf } from '../../runtime/log.ts'
import { Agent, request } from '../../runtime/undici.ts'
import { type Check, type Finding, note, notRunning, ok, wrong } from './finding.ts'

const timeoutMs = 5000

export const addressCheck = ({ publicUrl, updates }: Config): Check => ({
  subject: 'address',
  async run() {
    if (!publicUrl)
      return [note('no PUBLIC_URL: tasks are polled, and the gateway cannot fetch the files of users')]
    const dispatcher = new Agent({ connect: { timeout: timeoutMs } })
    try {
      // Only this app answers a request to the webhook without the secret with 401.
      const answer = await request(publicUrl + updatesPath, {
        dispatcher,
        method: 'POST',
        signal: AbortSignal.timeout(timeoutMs),
        headers: { 'content-type': 'application/json' },
        body: '{}',
      })
      await answer.body.dump()
      // A proxy that asks for a password answers 401 as well, with this header.
      const isOurs = answer.statusCode === 401 && answer.headers['www-authenticate'] === undefined
      return [found(publicUrl, updates, answer.statusCode, isOurs)]
    } catch (error) {
      return [unreachable(publicUrl, error)]
    } finally {
      await dispatcher.destroy()
    }
  },
})

function unreachable(publicUrl: string, error: unknown): Finding {
  const cause = causesOf(error).at(-1) ?? ''
  // Unlike the web process, a DNS record is there before the first start.
  if (cause.includes('getaddrinfo'))
    return wrong(
      `PUBLIC_URL: the name in ${publicUrl} cannot be resolved (${cause}): correct it, or check its DNS record`,
    )
  return notRunning(
    `PUBLIC_URL: nothing answers at ${publicUrl} (${cause})`,
    'start the web process, and check the proxy and the firewall',
  )
}

function found(publicUrl: string, updates: Config['updates'], status: number, isOurs: boolean): Finding {
  if (updates === 'webhook' && isOurs) return ok(`${publicUrl} leads to this bot`)
  if (updates === 'polling' && status < 500)
    return note(
      `not checked: ${publicUrl} answers ${status}, as any server might; a callback of an order proves it`,
    )
  return notRunning(
    `PUBLIC_URL: ${publicUrl}${updatesPath} answers ${status}`,
    'start the web process, and let the proxy pass this path to its PORT',
  )
}
