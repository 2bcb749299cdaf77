// One call to a callback address: a POST with five seconds to answer, and up to three retries 100 ms apart until the answer is 200.
// gateway-api.md says so for MODEL-VIDEO-DREAM; here all callbacks are sent like that. Faults of the operation `callback` lose a call
// (`cut`, `error`), repeat it (`twice`), delay it (`hang`), or replace its body (`garbage`) or its form (`shape`).

import { z } from 'zod'
import type { Clock } from '../../runtime/clock.ts'
import type { Fault, Faults } from '../faults.ts'

export interface CallbackDeps {
  readonly clock: Clock
  readonly faults: Faults
  readonly closing: AbortSignal
}

interface Request {
  readonly url: string
  readonly method: 'GET' | 'POST'
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

const timeoutMs = 5000
const pauseMs = 100
const attempts = 4
const defaultDelayMs = 60_000

export async function callBack(deps: CallbackDeps, url: string, payload: unknown): Promise<void> {
  const fault = deps.faults.take('gateway', 'callback')
  if (fault?.kind === 'cut' || fault?.kind === 'error') return
  if (fault?.kind === 'hang') await deps.clock.wait(fault.ms ?? defaultDelayMs, deps.closing)
  const request = requestOf(url, payload, fault)
  for (let n = fault?.kind === 'twice' ? 2 : 1; n > 0; n -= 1) await sendWithRetries(deps, request)
}

async function sendWithRetries(deps: CallbackDeps, request: Request): Promise<void> {
  for (let left = attempts; left > 0 && !deps.closing.aborted; left -= 1) {
    if (await send(deps, request)) return
    if (left > 1) await deps.clock.wait(pauseMs, deps.closing)
  }
}

/** @returns whether the answer is 200 */
async function send({ clock, closing }: CallbackDeps, { url, ...init }: Request): Promise<boolean> {
  const answered = new AbortController()
  const late = new AbortController()
  void clock.wait(timeoutMs, answered.signal).then(() => late.abort())
  try {
    const signal = AbortSignal.any([closing, late.signal])
    const response = await fetch(url, { ...init, redirect: 'manual', signal })
    await response.body?.cancel()
    return response.status === 200
  } catch {
    return false
  } finally {
    answered.abort()
  }
}

function requestOf(url: string, payload: unknown, fault: Fault | undefined): Request {
  const usual = jsonRequest(url, payload)
  if (fault?.kind === 'garbage') return { ...usual, body: fault.body ?? '<html>{"id": ' }
  return fault?.kind === 'shape' ? shapedRequest(url, payload, fault.shape) : usual
}

const jsonRequest = (url: string, payload: unknown): Request => ({
  url,
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(payload),
})

const content = z.looseObject({ id: z.string().optional(), status: z.string() })
const vendorId = 'e3b0c442-98fc-4c14-9afb-f4c8996fb924'
const formHeaders = { 'content-type': 'application/x-www-form-urlencoded' }

/** Sends the same content in another form, since gateway-api.md shows neither the method nor the body of a callback. */
function shapedRequest(
  url: string,
  payload: unknown,
  shape: Extract<Fault, { kind: 'shape' }>['shape'],
): Request {
  const { id = '', ...rest } = content.parse(payload)
  const fields = new URLSearchParams({ task_id: id, status: rest.status }).toString()
  switch (shape) {
    case 'nested':
      return jsonRequest(url, { id: vendorId, event: 'task.changed', data: { task: { id, ...rest } } })
    case 'beside':
      return jsonRequest(url, { ...rest, id: vendorId, taskId: id })
    case 'array':
      return jsonRequest(url, [{ id, ...rest }])
    case 'form':
      return { ...jsonRequest(url, payload), headers: formHeaders, body: fields }
    case 'query':
      return { url: `${url}?${fields}`, method: 'GET' }
  }
}
