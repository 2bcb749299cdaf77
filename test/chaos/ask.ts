// Asks the outside of the app. Never on a connection that was used before: the server closes idle ones after a few seconds, and on
// a slow machine a question would meet that.

import { request } from 'undici'

/** @throws for another status than 200 */
export async function ask(url: string): Promise<unknown> {
  const { statusCode, body } = await request(url, { reset: true, headersTimeout: 0, bodyTimeout: 0 })
  if (statusCode !== 200) throw new Error(`${url}: ${statusCode} ${await body.text()}`)
  return body.json()
}
