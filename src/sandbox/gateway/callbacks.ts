// Calls to the address that a request gave: POST, five seconds to answer, three more tries 100 ms apart unless it is a 200.
// The document says so for MODEL-VIDEO-DREAM; here all are called like that. Faults of the operation `callback` lose a call
// (`cut`, `error`), repeat it (`twice`), send it late (`hang`), fill it with nonsense (`garbage`) or change its `shape`.

import type { Clock } from '../../runtime/clock.ts'
import type { Fault, Faults } from '../faults.ts'
import { type Call, jsonCall, shapedCall } from './callback-shapes.ts'

export interface CallbackDeps {
  readonly clock: Clock
  readonly faults: Faults
  readonly closing: AbortSignal
}

const timeoutMs = 5000
const pauseMs = 100
const tries = 4
const lateMs = 60_000

export async function callBack(deps: CallbackDeps, url: string, payload: unknown): Promise<void> {
  const fault = deps.faults.take('gateway', 'callback')
  if (fault?.kind === 'cut' || fault?.kind === 'error') return
  if (fault?.kind === 'hang') await deps.clock.wait(fault.ms ?? lateMs, deps.closing)
  const call = callOf(url, payload, fault)
  for (let n = fault?.kind === 'twice' ? 2 : 1; n > 0; n -= 1) await insist(deps, call)
}

function callOf(url: string, payload: unknown, fault: Fault | undefined): Call {
  if (fault?.kind === 'garbage') return { ...jsonCall(url, payload), body: fault.body ?? '<html>{"id": ' }
  return fault?.kind === 'shape' ? shapedCall(url, payload, fault.shape) : jsonCall(url, payload)
}

async function insist(deps: CallbackDeps, call: Call): Promise<void> {
  for (let left = tries; left > 0 && !deps.closing.aborted; left -= 1) {
    if (await send(deps, call)) return
    if (left > 1) await deps.clock.wait(pauseMs, deps.closing)
  }
}

async function send({ clock, closing }: CallbackDeps, { url, ...init }: Call): Promise<boolean> {
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
