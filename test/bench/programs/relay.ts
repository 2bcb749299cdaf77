// The baseline of callbacks: each causes one poll of its task and one message, with undici alone.

import { createServer } from 'node:http'
import { Agent, request } from 'undici'

const { GATEWAY_URL = '', TELEGRAM_API_ROOT = '', PORT = '' } = process.env
const dispatcher = new Agent({ connections: 50 })
const json = { 'content-type': 'application/json' }

/** The token of a seeded task is `t`, its number in 19 digits, and a signature (seed/orders.ts). */
const numberIn = (url: string): number => Number(/\/t(\d{19})[^/]*$/.exec(url)?.[1])

async function pass(n: number): Promise<void> {
  const answer = await request(`${GATEWAY_URL}/v1/tasks/seeded-${n}`, { dispatcher })
  await answer.body.json()
  const body = JSON.stringify({ chat_id: 1_000_000 + n, text: 'ready' })
  const sent = await request(`${TELEGRAM_API_ROOT}/bot1:token/sendMessage`, {
    dispatcher,
    method: 'POST',
    headers: json,
    body,
  })
  await sent.body.json()
}

createServer((req, res) => {
  req.resume().once('end', () => {
    res.end()
    void pass(numberIn(req.url ?? ''))
  })
}).listen(Number(PORT), '127.0.0.1')

// This poll for updates tells the benchmark that the program is up.
await request(`${TELEGRAM_API_ROOT}/bot1:token/getUpdates`, { dispatcher, method: 'POST', headersTimeout: 0 })
