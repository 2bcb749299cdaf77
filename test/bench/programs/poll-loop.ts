// The baseline of the tracker: polls tasks in turn and sends a message for each ready task, with undici alone and without a database.

import { setTimeout as sleep } from 'node:timers/promises'
import { Agent, request } from 'undici'

const { GATEWAY_URL = '', TELEGRAM_API_ROOT = '', TASKS = '', PER_SECOND = '' } = process.env
/** The concurrency of the app. */
const places = 32
const tasks = Number(TASKS)
/** The limit of polls per second; 0 means no limit. */
const perSecond = Number(PER_SECOND)
const dispatcher = new Agent({ connections: places })
const json = { 'content-type': 'application/json' }
const ready = new Set<number>()
const begun = performance.now()
let looks = 0

async function work(): Promise<void> {
  for (;;) {
    const look = looks++
    const task = look % tasks
    const dueIn = perSecond === 0 ? 0 : (look / perSecond) * 1000 - (performance.now() - begun)
    if (dueIn > 0) await sleep(dueIn)
    if (!ready.has(task)) await lookAt(task)
  }
}

async function lookAt(task: number): Promise<void> {
  const answer = await request(`${GATEWAY_URL}/v1/tasks/seeded-${task}`, { dispatcher })
  const told: unknown = await answer.body.json()
  const isReady = typeof told === 'object' && told !== null && 'status' in told && told.status === 'completed'
  if (!isReady || ready.has(task)) return
  ready.add(task)
  const body = JSON.stringify({ chat_id: 1_000_000 + task, text: 'ready' })
  const sent = await request(`${TELEGRAM_API_ROOT}/bot1:token/sendMessage`, {
    dispatcher,
    method: 'POST',
    headers: json,
    body,
  })
  await sent.body.dump()
}

await Promise.all(Array.from({ length: places }, work))
