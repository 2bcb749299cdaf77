// Requests that a task sends to the addresses in its order when it begins and when it ends: callbacks, and the files themselves to an
// upload address. gateway-api.md does not show the body of a callback; here it is the answer of a poll.

import { models } from '../../catalog/index.ts'
import { contentType } from './artifact-spec.ts'
import type { Artifacts } from './artifacts.ts'
import { type CallbackDeps, callBack } from './callback-request.ts'
import { polledView, type Task } from './task.ts'

interface Deps extends CallbackDeps {
  readonly artifacts: Artifacts
  /** The address with which the links of artifacts begin. */
  readonly cdn: () => string
}

export async function announceStart(deps: Deps, task: Task): Promise<void> {
  const { callbackUrl } = task
  const bodies = callbackUrl ? bodiesAtStart(task, deps.cdn()) : []
  await Promise.all(bodies.map((body) => callBack(deps, callbackUrl ?? '', body)))
}

export async function announceEnd(deps: Deps, task: Task): Promise<void> {
  const { callbackUrl, uploadUrl } = task
  const bodies = callbackUrl ? bodiesAtEnd(task, deps.cdn()) : []
  const specs = uploadUrl ? task.artifacts : []
  await Promise.all([
    ...bodies.map((body) => callBack(deps, callbackUrl ?? '', body)),
    ...specs.map(async (spec) =>
      upload(uploadUrl ?? '', await deps.artifacts.read(spec), contentType(spec), deps.closing),
    ),
  ])
}

const callbackPathOf = (task: Task) =>
  models.find(({ id, gatewayId }) => (gatewayId ?? id) === task.model)?.callbackPath

/** MODEL-VIDEO-DREAM calls back at each change of the status, in its own status names; the other models only at the end. */
const reportsChanges = (task: Task): boolean => callbackPathOf(task) === 'callback_url'
/** MODEL-VIDEO-REEL and MODEL-VIDEO-WAN call back "once per result". */
const reportsEachResult = (task: Task): boolean => callbackPathOf(task) === 'webhookURL'

const bodiesAtStart = (task: Task, cdn: string): unknown[] =>
  reportsChanges(task) ? [{ ...polledView(task, task.startsAt, cdn), status: 'dreaming' }] : []

/**
 * The bodies of the callbacks at the end. When each result has a call of its own, `data` of the call contains only that result. A failed or
 * canceled task is reported once; a canceled one of MODEL-VIDEO-DREAM is not reported, since its callbacks have no status `canceled`.
 */
function bodiesAtEnd(task: Task, cdn: string): unknown[] {
  const view = polledView(task, task.endsAt, cdn)
  if (view.status === 'canceled' && reportsChanges(task)) return []
  return view.data && reportsEachResult(task) ? view.data.map((item) => ({ ...view, data: [item] })) : [view]
}

const uploadTimeoutMs = 60_000

/**
 * Sends the video, which the documentation describes as "sent there as raw binary in a PUT body". It is sent once, since no retries are
 * documented.
 */
async function upload(url: string, bytes: Buffer, type: string, closing: AbortSignal): Promise<void> {
  const signal = AbortSignal.any([closing, AbortSignal.timeout(uploadTimeoutMs)])
  const headers = { 'content-type': type }
  const put = fetch(url, { method: 'PUT', body: new Uint8Array(bytes), headers, signal })
  await put.then((response) => response.body?.cancel()).catch(() => undefined)
}
