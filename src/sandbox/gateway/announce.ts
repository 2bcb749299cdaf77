// Tells the outside of a task that has begun or ended: its callback address, and the address its files were asked to be
// sent to.

import { contentType } from './artifact.ts'
import type { Artifacts } from './artifacts.ts'
import { viewsAtEnd, viewsAtStart } from './callback-views.ts'
import { type CallbackDeps, callBack } from './callbacks.ts'
import type { Task } from './task.ts'

interface Deps extends CallbackDeps {
  readonly artifacts: Artifacts
  /** Where the links of artifacts begin. */
  readonly cdn: () => string
}

export async function announceStart(deps: Deps, task: Task): Promise<void> {
  const { callbackUrl } = task
  const views = callbackUrl ? viewsAtStart(task, deps.cdn()) : []
  await Promise.all(views.map((view) => callBack(deps, callbackUrl ?? '', view)))
}

export async function announceEnd(deps: Deps, task: Task): Promise<void> {
  const { callbackUrl, uploadUrl } = task
  const views = callbackUrl ? viewsAtEnd(task, deps.cdn()) : []
  const specs = uploadUrl ? task.artifacts : []
  await Promise.all([
    ...views.map((view) => callBack(deps, callbackUrl ?? '', view)),
    ...specs.map(async (spec) =>
      upload(uploadUrl ?? '', await deps.artifacts.read(spec), contentType(spec), deps.closing),
    ),
  ])
}

/** "The finished video is sent there as raw binary in a PUT body": once, as nothing is said of another try. */
async function upload(url: string, bytes: Buffer, type: string, closing: AbortSignal): Promise<void> {
  const signal = AbortSignal.any([closing, AbortSignal.timeout(60_000)])
  const headers = { 'content-type': type }
  const put = fetch(url, { method: 'PUT', body: new Uint8Array(bytes), headers, signal })
  await put.then((response) => response.body?.cancel()).catch(() => undefined)
}
