// The local gateway for tests of its text operations. After `flow()` its streams advance without the test moving the clock.

import { pieceMs } from '../../../src/sandbox/gateway/text/formats.ts'
import { clock, errorSchema, key, openNewGateway, waits } from './local-gateway.ts'

export type TextSandbox = Awaited<ReturnType<typeof openTextGateway>>

const advance = () => clock.advance(pieceMs)

/** From now on streams advance by themselves. */
export const flow = () => waits.on(String(pieceMs), advance)
/** From now on streams advance with the clock. */
export const stopFlow = () => waits.off(String(pieceMs), advance)

export async function openTextGateway() {
  const sandbox = await openNewGateway()
  const ask = (path: string, body: object, headers: Record<string, string> = {}) =>
    sandbox.call(`/gateway${path}`, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json', 'anthropic-version': '2023-06-01', ...headers },
    })
  return {
    ...sandbox,
    /** Posts to a path without `/gateway`. */
    ask,
    /** Posts a request that must succeed. @returns the JSON of the answer */
    async answer(path: string, body: object): Promise<unknown> {
      const answer = await ask(path, body)
      const text = await answer.text()
      if (answer.status !== 200) throw new Error(`${answer.status} ${text}`)
      return JSON.parse(text)
    },
    /** Posts a request that must fail. @returns the status and the error */
    async refusal(path: string, body: object, headers?: Record<string, string>) {
      const answer = await ask(path, body, headers)
      return { status: answer.status, ...errorSchema.parse(await answer.json()).error }
    },
  }
}

export { key }

export const chat = '/v1/chat/completions'
export const messages = '/v1/messages'
export const responses = '/v1/responses'
export const native = '/v1/gemini/generateContent'

export const user = (content: unknown) => ({ role: 'user', content })

/** The data of server-sent events, in order. */
export const eventsIn = (text: string): string[] =>
  [...text.matchAll(/^data: (.*)$/gm)].map(([, data = '']) => data)

export const weather = {
  name: 'get_weather',
  description: 'Weather in a city',
  schema: {
    type: 'object',
    properties: {
      city: { type: 'string' },
    },
    required: ['city'],
  },
}
export const picture = `data:image/png;base64,${Buffer.from('not really a picture').toString('base64')}`
