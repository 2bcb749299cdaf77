// Sends the results of a generation that are not in the chat yet. Each send is written to the database before the next begins, and no
// attempt repeats what is written: a message is sent twice only when Telegram accepted it, and the process died or the answer was lost
// before it was written.

import { eq } from 'drizzle-orm'
import { InputFile, InputMediaBuilder } from 'grammy'
import { artifacts as table } from '../../db/schema.ts'
import { fitPhoto } from '../../media/convert.ts'
import { photographExtension } from '../../media/format.ts'
import { type DeliveryOutcome, isAboutFile, outcomeOf } from '../../telegram/errors.ts'
import { sendInto } from '../../telegram/send-into.ts'
import type { Artifact } from '../generation.ts'
import { careOf } from './attempt.ts'
import { type DeliveryDeps, type DeliveryJob, fileName } from './job.ts'
import { resultWords } from './messages.ts'
import { endWithoutFailed, type Failed } from './refund-missing.ts'
import { ArtifactUnavailable, prepare, sendPrepared } from './send-file.ts'
import {
  holdsLease,
  isPartlySent,
  isUnsent,
  record,
  recordAlbum,
  recordSent,
  type SentArtifact,
} from './sent-artifacts.ts'

/** @throws an error after which the delivery is tried again */
export async function sendResults(deps: DeliveryDeps, job: DeliveryJob): Promise<DeliveryOutcome> {
  const { artifacts } = job
  const album = job.ordered?.kind === 'image' ? await sendAsAlbum(deps, job) : []
  const failed: Failed[] = []
  for (const artifact of artifacts.filter((one) => isUnsent(one) && !album.includes(one))) {
    const isLast = album.length === 0 && artifact === artifacts.at(-1)
    const error = await sendOne(deps, job, artifact, isLast)
    if (error) failed.push({ artifact, error })
  }
  return failed.length === 0 ? { ok: true } : endWithoutFailed(deps, job, failed)
}

/**
 * An artifact that fails does not hold up the others, unless they would fail as well.
 * @returns why it was not sent
 * @throws an error that applies to the whole chat
 */
async function sendOne(
  deps: DeliveryDeps,
  job: DeliveryJob,
  artifact: Artifact,
  isLast: boolean,
): Promise<unknown> {
  if (artifact.lost) return new ArtifactUnavailable(artifact.lost)
  let sent: SentArtifact
  try {
    const prepared = await prepare(deps, job, artifact).catch((error: unknown) =>
      prepareFromNewLink(deps, job, artifact, error),
    )
    if (!(await holdsLease(deps, job.generation))) return undefined
    sent = await sendPrepared(deps, job, artifact, prepared, isLast)
  } catch (error) {
    const outcome = outcomeOf(error)
    if (!outcome.retry || outcome.afterMs !== undefined) throw error
    return error
  }
  await recordSent(deps, sent)
  return undefined
}

/**
 * Links of the gateway expire, for example during a long outage of Telegram. A file whose link is dead is downloaded from the link that its
 * task names now.
 */
async function prepareFromNewLink(deps: DeliveryDeps, job: DeliveryJob, artifact: Artifact, error: unknown) {
  const mayHaveExpired =
    error instanceof ArtifactUnavailable && (error.reason === 'gone' || error.reason === 'refused')
  const links = mayHaveExpired ? await linksNow(deps, job) : []
  const url = links[artifact.position]
  // Of another number of links it is not known which file each leads to.
  if (links.length !== job.artifacts.length || url === undefined || url === artifact.url) throw error
  await record(deps, artifact, { url }, eq(table.url, artifact.url))
  deps.log.info({ generation: job.generation.id, position: artifact.position }, 'a link was renewed')
  return prepare(deps, job, { ...artifact, url })
}

/** The links that the task of the generation names now; none when it cannot be read. */
async function linksNow(
  { gateway, log }: DeliveryDeps,
  { generation }: DeliveryJob,
): Promise<readonly string[]> {
  const { id, taskId } = generation
  if (taskId === null) return []
  try {
    return (await gateway.readTask(taskId)).urls
  } catch (error) {
    log.warn({ generation: id, task: taskId, error }, 'links cannot be renewed')
    return []
  }
}

/**
 * Sends the pictures among the artifacts as one message, as many as Telegram accepts together. An album cannot have buttons, so a message
 * with the caption and the buttons follows it. Until that is sent, the last picture counts as partly sent (sent-artifacts.ts).
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
  const pictures = mayBeAlbum ? await prepareAlbum(deps, job) : []
  const last = pictures.at(-1)?.artifact
  if (!last || !isAlbum(pictures)) return []
  if (!(await holdsLease(deps, generation))) return artifacts
  if (!(await sendAlbum(deps, job, pictures))) return []
  if (await holdsLease(deps, generation)) await sendAlbumCaption(deps, job, last)
  return pictures.map(({ artifact }) => artifact)
}

/** Telegram's limits. */
export const isAlbum = (pictures: readonly unknown[]): boolean =>
  pictures.length >= 2 && pictures.length <= 10

interface Picture {
  readonly artifact: Artifact
  readonly photo: InputFile
}

/** Downloads all artifacts and selects the photos; none when a server does not answer, so that the files are sent one by one. */
async function prepareAlbum(deps: DeliveryDeps, { artifacts, generation }: DeliveryJob): Promise<Picture[]> {
  const pictures: Picture[] = []
  // The files are downloaded one after another: ten files of the largest size at once would exhaust the memory.
  for (const artifact of artifacts.length > 1 ? artifacts : []) {
    const downloaded = await deps.downloads.get(artifact.url)
    if (!downloaded.ok && downloaded.reason === 'unavailable') return []
    const photo = downloaded.ok ? await fitPhoto(downloaded.bytes) : undefined
    if (!photo) continue
    const name = `${fileName(generation, artifact)}.${photographExtension(photo.bytes)}`
    pictures.push({ artifact, photo: new InputFile(photo.bytes, name) })
  }
  return pictures
}

/** @returns false when Telegram refuses them as an album; nothing has been sent then */
async function sendAlbum(
  deps: DeliveryDeps,
  { target }: DeliveryJob,
  pictures: readonly Picture[],
): Promise<boolean> {
  const media = pictures.map(({ photo }) => InputMediaBuilder.photo(photo))
  const album = pictures.map(({ artifact }) => artifact)
  try {
    const sent = await sendInto(target, (into) => deps.api.sendMediaGroup(target.chatId, media, into))
    await recordAlbum(deps, album, sent)
    return true
  } catch (error) {
    if (isAboutFile(error)) return false
    throw error
  }
}

/** @param last the last picture of the album */
async function sendAlbumCaption(deps: DeliveryDeps, job: DeliveryJob, last: Artifact): Promise<void> {
  const { chatId, topicId } = job.target
  const { caption = '', ...options } = resultWords(job, true)
  const send = deps.api.sendMessage.bind(deps.api, chatId, caption)
  const { message_id: messageId } = await sendInto({ chatId, topicId }, (into) =>
    send({ ...options, ...into }),
  )
  await record(deps, last, { messageId })
}
