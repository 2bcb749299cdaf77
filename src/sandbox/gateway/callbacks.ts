// Requests that a task sends to the addresses in its order when it begins and when it ends: callbacks, and the files themselves to an
// upload address. gateway-api.md does not show the body of a callback; here it is the answer of a poll. It says for MODEL-VIDEO-DREAM that an
// address has five seconds to answer and that three retries follow, 100 ms apart; here all callbacks are sent like that.

import { models } from '../../catalog/index.ts'
import { type NoticeDeps, notify } from '../notices.ts'
import { contentType, readArtifact } from './artifacts.ts'
import { polledView, type Task } from './tasks.ts'

interface Deps extends NoticeDeps {
  /** The address with which the links of artifacts begin. */
  readonly cdn: () => string
}

const pauseMs = 100

export async function announceStart(deps: Deps, task: Task): Promise<void> {
  const body = { ...polledView(task, task.startsAt, deps.cdn()), status: 'dreaming' }
  await callBack(deps, task, reportsChanges(task) ? [body] : [])
}

export async function announceEnd(deps: Deps, task: Task): Promise<void> {
  await Promise.all([callBack(deps, task, bodiesAtEnd(task, deps.cdn())), uploadAll(deps, task)])
}

async function callBack(deps: Deps, { callbackUrl: url }: Task, bodies: readonly object[]): Promise<void> {
  if (url === undefined) return
  await Promise.all(
    bodies.map((body) => notify(deps, url, body, deps.faults.take('gateway', 'callback'), pauseMs)),
  )
}

const callbackPathOf = (task: Task) =>
  models.find(({ id, gatewayId }) => (gatewayId ?? id) === task.model)?.callbackPath

/** MODEL-VIDEO-DREAM calls back at each change of the status, in its own status names; the other models only at the end. */
const reportsChanges = (task: Task): boolean => callbackPathOf(task) === 'callback_url'
/** MODEL-VIDEO-REEL and MODEL-VIDEO-WAN call back "once per result". */
const reportsEachResult = (task: Task): boolean => callbackPathOf(task) === 'webhookURL'

/**
 * The bodies of the callbacks at the end. When each result has a call of its own, `data` of the call contains only that result. A failed or
 * canceled task is reported once; a canceled one of MODEL-VIDEO-DREAM is not reported, since its callbacks have no status `canceled`.
 */
function bodiesAtEnd(task: Task, cdn: string) {
  const view = polledView(task, task.endsAt, cdn)
  if (view.status === 'canceled' && reportsChanges(task)) return []
  return view.data && reportsEachResult(task) ? view.data.map((item) => ({ ...view, data: [item] })) : [view]
}

const uploadTimeoutMs = 60_000

/**
 * Sends the videos, of which the documentation says "sent there as raw binary in a PUT body". Each is sent once, since no retries are
 * documented.
 */
async function uploadAll({ closing }: Deps, { uploadUrl, artifacts }: Task): Promise<void> {
  if (uploadUrl === undefined) return
  const uploads = artifacts.map(async (artifact) => {
    const body = new Uint8Array(await readArtifact(artifact))
    const headers = { 'content-type': contentType(artifact) }
    const signal = AbortSignal.any([closing, AbortSignal.timeout(uploadTimeoutMs)])
    const put = fetch(uploadUrl, { method: 'PUT', body, headers, signal })
    await put.then((response) => response.body?.cancel()).catch(() => undefined)
  })
  await Promise.all(uploads)
}
