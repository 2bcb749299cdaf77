// Requests to the doubles of Telegram and the gateway. Connections are not reused: the server closes idle ones after a few seconds,
// and on a slow machine a request could be sent at that moment.

import { request } from 'undici'

/** @throws if the status is not 200 */
export async function ask(url: string, method: 'GET' | 'POST' = 'GET'): Promise<unknown> {
  const { statusCode, body } = await request(url, { method, reset: true, headersTimeout: 0, bodyTimeout: 0 })
  if (statusCode !== 200) throw new Error(`${url}: ${statusCode} ${await body.text()}`)
  return body.json()
}
