// Sends one artifact. What Telegram does not accept is sent as a document, and then as a link: a result that was paid for reaches
// the chat, or is known not to exist.

import assert from 'node:assert/strict'
import type { Missing } from '../db/schema.ts'
import type { Artifact } from '../generations/generation.ts'
import type { Format } from '../media/format.ts'
import { isAboutFile } from '../telegram/errors.ts'
import { sendInto } from '../telegram/send-into.ts'
import { careOf } from './attempt.ts'
import { type DeliveryDeps, type DeliveryJob, paidFor } from './job.ts'
import { resultMessage } from './result-message.ts'
import { type PreparedArtifact, sendAttemptsFor } from './send-fallbacks.ts'
import type { SendAttempt } from './send-form.ts'
import type { SentArtifact, SentMessage } from './sent-artifacts.ts'

/** The file cannot be downloaded, or is not a result. */
export class ArtifactUnavailable extends Error {
  override name = 'ArtifactUnavailable'
  readonly reason: Missing

  constructor(reason: Missing) {
    super(reason)
    this.reason = reason
  }
}

/**
 * Downloads an artifact and converts it if necessary, which may take minutes.
 * @param isLast whether it carries the caption and the buttons
 * @throws ArtifactUnavailable
 */
export async function prepare(
  deps: DeliveryDeps,
  job: DeliveryJob,
  artifact: Artifact,
  isLast: boolean,
): Promise<PreparedArtifact> {
  const message = resultMessage(job, isLast)
  const asLink = (key: 'result-link' | 'result-too-large') => () => {
    const { caption } = message.captioned
    const link = job.say.html(key, { url: artifact.url })
    const html = caption === undefined ? link : `${caption}\n\n${link}`
    return sendInto<SentMessage>(job.target, (into) =>
      deps.api.sendMessage(job.target.chatId, html, { ...message.plain, ...into }),
    )
  }
  const isInline = artifact.url.startsWith('data:')
  if (careOf(job.generation) === 'link' && !isInline) return { kind: null, attempts: [asLink('result-link')] }
  const downloaded = await deps.downloads.get(artifact.url)
  if (!downloaded.ok) {
    const { reason } = downloaded
    if (reason === 'too-large') return { kind: null, attempts: [asLink('result-too-large')] }
    throw new ArtifactUnavailable(reason)
  }
  const { bytes, format } = downloaded
  if (isErrorMessage(job, format)) throw new ArtifactUnavailable('not-a-file')
  const { kind, attempts } = await sendAttemptsFor({ deps, job, artifact, bytes, format, message })
  return { kind, attempts: isInline ? attempts : [...attempts, asLink('result-link')] }
}

/** Whether the only file is plain text although a picture, a video or sound was ordered. */
function isErrorMessage(job: DeliveryJob, { kind }: Format): boolean {
  const hasExtraFiles = job.artifacts.length > paidFor(job)
  const { ordered } = job
  return kind === 'text' && !hasExtraFiles && ordered !== undefined && ordered.kind !== 'model3d'
}

/** Makes the attempts in order until Telegram accepts one. @returns the facts that have to be written */
export async function sendPrepared(
  artifact: Artifact,
  { kind, attempts }: PreparedArtifact,
): Promise<SentArtifact> {
  return { artifact: { ...artifact, kind }, message: await firstAccepted(attempts) }
}

/** A file that Telegram refuses in one form it may accept in another; any other error applies to all of them. */
async function firstAccepted([attempt, ...others]: readonly SendAttempt[]): Promise<SentMessage> {
  assert(attempt, 'there is at least one attempt')
  try {
    return await attempt()
  } catch (error) {
    if (others.length === 0 || !isAboutFile(error)) throw error
    return firstAccepted(others)
  }
}
