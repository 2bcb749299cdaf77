// The progress of a slow delivery: the status message says that the result is being sent, and the chat shows an upload.
// A delivery whose files are quickly available ends before either is shown.

import type { Delivers } from '../catalog/model.ts'
import { sendInto } from '../telegram/send-into.ts'
import type { DeliveryDeps, DeliveryJob } from './job.ts'
import { showStatus } from './status.ts'

const slowMs = 1500
/** Telegram shows an action for five seconds. */
const actionMs = 4500

interface Progress {
  /** Whether the progress is being shown in the chat. */
  isShowing(): boolean
  /** Resolves after the last edit. */
  end(): Promise<void>
}

/** Shows the progress of a delivery that is slow. */
export function showProgress(deps: DeliveryDeps, job: DeliveryJob): Progress {
  const ended = new AbortController()
  let isShowing = false
  const begin = () => {
    isShowing = true
  }
  const shown = showWhenSlow(deps, job, ended.signal, begin).finally(() => {
    isShowing = false
  })
  return {
    isShowing: () => isShowing,
    async end() {
      ended.abort('ended')
      await shown
    },
  }
}

async function showWhenSlow(
  deps: DeliveryDeps,
  job: DeliveryJob,
  ended: AbortSignal,
  begin: () => void,
): Promise<void> {
  await deps.clock.wait(slowMs, ended)
  if (ended.aborted) return
  begin()
  await showStatus(deps, job)
  while (!ended.aborted) {
    await showUploadAction(deps, job)
    await deps.clock.wait(actionMs, ended)
  }
}

const actions: Readonly<
  Record<Delivers['kind'], 'upload_video' | 'upload_photo' | 'upload_voice' | 'upload_document'>
> = {
  video: 'upload_video',
  image: 'upload_photo',
  voice: 'upload_voice',
  audio: 'upload_voice',
  model3d: 'upload_document',
}

/** Shows an upload in the chat. It is optional: a failure is ignored. */
export async function showUploadAction(
  { api }: DeliveryDeps,
  { target: { chatId, topicId }, ordered }: DeliveryJob,
): Promise<void> {
  const action = actions[ordered?.kind ?? 'model3d']
  await sendInto({ chatId, topicId }, (into) => api.sendChatAction(chatId, action, into)).catch(
    () => undefined,
  )
}
