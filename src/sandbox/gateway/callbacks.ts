// Calls to the address that a request gave: POST, five seconds to answer, three more tries 100 ms apart unless it is a 200.
// The document says so for MODEL-VIDEO-DREAM; here all are called like that. Faults of the operation `callback` lose a call
// (`cut`, `error`), repeat it (`twice`), send it late (`hang`) or fill it with nonsense (`garbage`).

import type { Clock } from '../../clock.ts'
import type { Fault, Faults } from '../faults.ts'

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
  const body = bodyOf(payload, fault)
  for (let n = fault?.kind === 'twice' ? 2 : 1; n > 0; n -= 1) await insist(deps, url, body)
}

function bodyOf(payload: unknown, fault: Fault | undefined): string {
  if (fault?.kind === 'garbage') return fault.body ?? '<html>{"id": '
  return JSON.stringify(payload)
}

async function insist(deps: CallbackDeps, url: string, body: string): Promise<void> {
  for (let left = tries; left > 0 && !deps.closing.aborted; left -= 1) {
    if (await post(deps, url, body)) return
    if (left > 1) await deps.clock.wait(pauseMs, deps.closing)
  }
}

async function post({ clock, closing }: CallbackDeps, url: string, body: string): Promise<boolean> {
  const answered = new AbortController()
  const late = new AbortController()
  void clock.wait(timeoutMs, answered.signal).then(() => late.abort())
  try {
    const response = await fetch(url, {
      method: 'POST',
      body,
      redirect: 'manual',
      headers: { 'content-type': 'application/json' },
      signal: AbortSignal.any([closing, late.signal]),
    })
    await response.body?.cancel()
    return response.status === 200
  } catch {
    return false
  } finally {
    answered.abort()
  }
}
