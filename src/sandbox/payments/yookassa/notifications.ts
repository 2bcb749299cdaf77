// Notifications to the shop: a POST without a signature, repeated until the answer is 200. Faults of the operation `notification` drop the
// notification (`cut`, `error`), send it twice (`twice`) or late (`hang`), or replace its body (`garbage`).

import type { Clock } from '../../../runtime/clock.ts'
import type { Faults } from '../../faults.ts'

interface NotificationDeps {
  readonly clock: Clock
  readonly faults: Faults
  readonly closing: AbortSignal
  readonly notificationUrl: string
}

const tries = 4
const pauseMs = 500
const timeoutMs = 5000
const lateMs = 60_000

export async function sendNotification(
  deps: NotificationDeps,
  event: string,
  object: unknown,
): Promise<void> {
  const fault = deps.faults.take('yookassa', 'notification')
  if (fault?.kind === 'cut' || fault?.kind === 'error') return
  if (fault?.kind === 'hang') await deps.clock.wait(fault.ms ?? lateMs, deps.closing)
  const notification = JSON.stringify({ type: 'notification', event, object })
  const body = fault?.kind === 'garbage' ? (fault.body ?? '<html>{"object": ') : notification
  for (let left = fault?.kind === 'twice' ? 2 : 1; left > 0; left -= 1) await postUntilAccepted(deps, body)
}

async function postUntilAccepted(deps: NotificationDeps, body: string): Promise<void> {
  for (let left = tries; left > 0 && !deps.closing.aborted; left -= 1) {
    if (await post(deps, body)) return
    if (left > 1) await deps.clock.wait(pauseMs, deps.closing)
  }
}

async function post({ notificationUrl, closing }: NotificationDeps, body: string): Promise<boolean> {
  const headers = { 'content-type': 'application/json' }
  const signal = AbortSignal.any([closing, AbortSignal.timeout(timeoutMs)])
  try {
    const response = await fetch(notificationUrl, {
      method: 'POST',
      body,
      headers,
      signal,
      redirect: 'manual',
    })
    await response.body?.cancel()
    return response.status === 200
  } catch {
    return false
  }
}
