// The baseline of orders: repeats the statements and requests of a recorded order for every tap, with undici and the driver of the database
// alone.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { deserialize } from 'node:v8'
import { drizzle } from 'drizzle-orm/postgres-js'
import postgres, { type ParameterOrJSON } from 'postgres'
import { Agent, request } from 'undici'
import { z } from 'zod'
import { serve } from '../outside/serve.ts'
import { recorded, type Step, textFor, valuesFor } from '../seed/recorded.ts'

const { RECORDED_FILE = '', DATABASE_URL = '', TELEGRAM_API_ROOT = '', GATEWAY_URL = '' } = process.env
const { steps, own } = recorded.parse(deserialize(readFileSync(RECORDED_FILE)))

const sql = postgres(DATABASE_URL, { max: 10, onnotice: () => undefined })
// This call configures the client to pass values on as they were recorded.
drizzle({ client: sql })
const owners = new Map(
  (await sql`select id, user_id::text from quotes`).map((row) => [String(row.id), String(row.user_id)]),
)

const dispatcher = new Agent({ connections: 50 })
const post = async (url: string, body: Uint8Array | string) => {
  const type =
    body[0] === '-'.charCodeAt(0) ? `multipart/form-data; boundary=${boundaryOf(body)}` : 'application/json'
  const answer = await request(url, {
    dispatcher,
    method: 'POST',
    headers: { 'content-type': type },
    body,
    headersTimeout: 0,
  })
  return answer.body.json()
}
/** The first line of a form is its boundary after two hyphens. */
const boundaryOf = (form: Uint8Array | string) => {
  const text = Buffer.from(form).toString('latin1')
  return text.slice(2, text.indexOf('\r'))
}
const callTelegram = (method: string, body: Uint8Array | string = '{}') =>
  post(`${TELEGRAM_API_ROOT}/bot1:token/${method}`, body)

/** The callbacks by their paths; an entry is made by whoever comes first, the callback or the order that waits for it. */
const callbacks = new Map<string, PromiseWithResolvers<void>>()
const callbackAt = (path: string) => {
  const one = callbacks.get(path) ?? Promise.withResolvers<void>()
  callbacks.set(path, one)
  return one
}
const serving = await serve((req, res) => {
  callbackAt(req.url ?? '').resolve()
  res.end()
})

const created = z.object({ id: z.string() })

interface Order {
  readonly n: number
  readonly user: string
  task: string
  callbackPath: string
}

async function repeat(step: Step, order: Order): Promise<void> {
  switch (step.kind) {
    case 'statement':
      // The cast is safe: the driver accepts more types than it declares, and these values were recorded from it.
      return void (await sql.unsafe(
        step.text,
        valuesFor(own, order, step.values) as ParameterOrJSON<never>[],
        { prepare: true },
      ))
    case 'telegram':
      return void (await callTelegram(step.method, step.body))
    case 'gateway':
      return step.method === 'POST' ? create(step, order) : fetchPath(textFor(own, order, step.path))
    case 'callback':
      await callbackAt(order.callbackPath).promise
      callbacks.delete(order.callbackPath)
  }
}

async function create({ path, body }: Extract<Step, { kind: 'gateway' }>, order: Order): Promise<void> {
  const text = textFor(own, order, Buffer.from(body).toString())
  const [address = '', callbackPath] = /http:\/\/127\.0\.0\.1:9(\/[^"]*)/.exec(text) ?? []
  assert(callbackPath, 'the request names the address of the callback')
  order.callbackPath = callbackPath
  const answer = await post(GATEWAY_URL + path, text.replace(address, serving.url + callbackPath))
  order.task = created.parse(answer).id
}

async function fetchPath(path: string): Promise<void> {
  const answer = await request(GATEWAY_URL + path, { dispatcher })
  await answer.body.arrayBuffer()
}

async function take(quote: string): Promise<void> {
  const order = { n: Number(quote.slice(1)), user: owners.get(quote) ?? '', task: own.task, callbackPath: '' }
  await callTelegram('answerCallbackQuery')
  for (const step of steps) await repeat(step, order)
}

const updates = z.object({
  result: z.array(z.object({ callback_query: z.object({ data: z.templateLiteral(['q:', z.string()]) }) })),
})
for (;;) {
  const { result } = updates.parse(await callTelegram('getUpdates'))
  for (const { callback_query: tap } of result) void take(tap.data.slice(2))
}
