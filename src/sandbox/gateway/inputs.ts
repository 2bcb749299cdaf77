// What a request points to must be there. Links to this machine are fetched, as the real gateway would fetch them; links to
// anywhere else are believed, since the sandbox needs no network.

import { GatewayRefusal } from './answer.ts'

const here = /^http:\/\/(127\.0\.0\.1|localhost)[:/]/

/** @throws GatewayRefusal naming the first link that leads to no file */
export async function checkInputs(body: Record<string, unknown>, signal: AbortSignal): Promise<void> {
  for (const link of linksIn(body)) {
    const isThere = await fetch(link, { signal: AbortSignal.any([signal, AbortSignal.timeout(20_000)]) })
      .then(async (answer) => {
        await answer.body?.cancel()
        return answer.ok
      })
      .catch(() => false)
    if (!isThere)
      throw new GatewayRefusal(400, 'unreachable_file', 'a file of the request can not be fetched')
  }
}

/** Addresses to be called or written to are not to be read. */
const notRead = new Set(['callback_url', 'callBackUrl', 'webhookURL', 'uploadEndpoint'])

function linksIn(value: unknown): string[] {
  if (typeof value === 'string') return here.test(value) ? [value] : []
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, item]) => (notRead.has(key) ? [] : linksIn(item)))
}
