// Sends the results of a generation that are not in the chat yet. Each send is written to the database before the next begins, the last
// one together with the end of the delivery, and no attempt repeats what is written: a message is sent twice only when Telegram accepted
// it, and the process died or the answer was lost before it was written.

import type { Artifact } from '../generations/generation.ts'
import { type DeliveryOutcome, outcomeOf } from '../telegram/errors.ts'
import { prepareAlbum, sendAlbum, sendAlbumCaption } from './album.ts'
import { careOf, isLastAttempt } from './attempt.ts'
import type { DeliveryDeps, DeliveryJob } from './job.ts'
import { showProgress } from './progress.ts'
import { type Failed, isMiss, isMissing, refundMissing, reportLost } from './refund-missing.ts'
import { createRenewal, type Renew } from './renew-links.ts'
import { ArtifactUnavailable, prepare, sendPrepared } from './send-artifact.ts'
import type { PreparedArtifact } from './send-fallbacks.ts'
import {
  holdsLease,
  isPartlySent,
  isUnsent,
  recordMisses,
  recordSent,
  type SentArtifact,
} from './sent-artifacts.ts'

export interface Results {
  readonly outcome: DeliveryOutcome
  /** The last artifact that was sent, if it has not been written yet. */
  readonly unwritten?: SentArtifact | undefined
  /** The result, or the explanation of the failure, has replaced the status message. */
  readonly replacesStatus?: boolean
}

export async function sendResults(deps: DeliveryDeps, job: DeliveryJob): Promise<Results> {
  const progress = showProgress(deps, job)
  try {
    const results = await sendAll(deps, job)
    // The end of the progress may take long, and the process may die meanwhile.
    if (!progress.isShowing() || !results.unwritten) return results
    await recordSent(deps, results.unwritten)
    return { ...results, unwritten: undefined }
  } finally {
    await progress.end()
  }
}

async function sendAll(deps: DeliveryDeps, job: DeliveryJob): Promise<Results> {
  const { artifacts } = job
  const album = job.ordered?.kind === 'image' ? await sendAsAlbum(deps, job) : []
  const failed: Failed[] = []
  const { statusMessageId } = job.generation
  let replacesStatus = artifacts.some(({ messageId }) => messageId !== null && messageId === statusMessageId)
  let unwritten: SentArtifact | undefined
  const renew = createRenewal(deps, job)
  for (const artifact of artifacts.filter((one) => isUnsent(one) && !album.includes(one))) {
    if (unwritten) await recordSent(deps, unwritten)
    const isLast = album.length === 0 && artifact === artifacts.at(-1)
    const { sent, error } = await sendOne(deps, job, { artifact, isLast, renew })
    unwritten = sent
    if (sent?.message.replacesStatus) replacesStatus = true
    if (error) failed.push({ artifact, error })
  }
  if (failed.length === 0) return { outcome: { ok: true }, unwritten, replacesStatus }
  if (unwritten) await recordSent(deps, unwritten)
  await recordMisses(
    deps,
    failed.filter(isMiss).map(({ artifact }) => artifact),
  )
  return { outcome: await withoutFailed(deps, job, failed) }
}

async function withoutFailed(
  deps: DeliveryDeps,
  job: DeliveryJob,
  failed: readonly Failed[],
): Promise<DeliveryOutcome> {
  const { generation } = job
  const temporary = failed.find((one) => !isMissing(one, generation))
  const isRetried = temporary && !isLastAttempt(generation)
  const outcome = isRetried ? undefined : await refundMissing(deps, job, failed)
  await reportLost(deps, job, failed)
  if (temporary || !outcome) throw temporary?.error
  return outcome
}

/**
 * Sends the pictures among the artifacts as one album, followed by its caption.
 * @returns the artifacts that are done; empty when they have to be sent one by one
 */
async function sendAsAlbum(deps: DeliveryDeps, job: DeliveryJob): Promise<readonly Artifact[]> {
  const { artifacts, generation } = job
  const withoutCaption = artifacts.find(isPartlySent)
  if (withoutCaption) {
    if (await holdsLease(deps, generation)) await sendAlbumCaption(deps, job, withoutCaption)
    return [withoutCaption]
  }
  const mayBeAlbum = careOf(generation) === 'usual' && artifacts.every((one) => isUnsent(one) && !one.lost)
  const pictures = mayBeAlbum ? await prepareAlbum(deps, job) : undefined
  const last = pictures?.at(-1)?.artifact
  if (!pictures || !last) return []
  if (!(await holdsLease(deps, generation))) return artifacts
  if (!(await sendAlbum(deps, job, pictures))) return []
  if (await holdsLease(deps, generation)) await sendAlbumCaption(deps, job, last)
  return pictures.map(({ artifact }) => artifact)
}

interface Unsent {
  readonly artifact: Artifact
  readonly isLast: boolean
  readonly renew: Renew
}

/**
 * An artifact that fails does not hold up the others, unless they would fail as well.
 * @returns what was sent, or why it was not
 * @throws an error that applies to the whole chat
 */
async function sendOne(
  deps: DeliveryDeps,
  job: DeliveryJob,
  unsent: Unsent,
): Promise<{ readonly sent?: SentArtifact; readonly error?: unknown }> {
  const { artifact } = unsent
  if (artifact.lost) return { error: new ArtifactUnavailable(artifact.lost) }
  try {
    const prepared = await prepareOne(deps, job, unsent)
    if (!(await holdsLease(deps, job.generation))) return {}
    return { sent: await sendPrepared(artifact, prepared) }
  } catch (error) {
    const outcome = outcomeOf(error)
    if (!outcome.retry || outcome.afterMs !== undefined) throw error
    return { error }
  }
}

/** Prepares an artifact, from another link if its own is dead. */
async function prepareOne(
  deps: DeliveryDeps,
  job: DeliveryJob,
  { artifact, isLast, renew }: Unsent,
): Promise<PreparedArtifact> {
  try {
    return await prepare(deps, job, artifact, isLast)
  } catch (error) {
    const renewed = await renew(artifact, error)
    if (!renewed) throw error
    return prepare(deps, job, renewed, isLast)
  }
}
