// One delivery: its dependencies, the data that are read once for it and passed to all its functions, and which of its artifacts are in
// the chat.

import { and, eq, type SQL, sql } from 'drizzle-orm'
import type { PgUpdateSetSource } from 'drizzle-orm/pg-core'
import type { Api, InlineKeyboard } from 'grammy'
import type { Message } from 'grammy/types'
import type { Catalog } from '../../catalog/catalog.ts'
import type { FileFacts } from '../../catalog/field.ts'
import { speechesIn } from '../../catalog/media.ts'
import type { Delivers, Model } from '../../catalog/model.ts'
import { promptInRequest } from '../../catalog/request.ts'
import { throughOutages } from '../../db/outage.ts'
import { artifacts, generations } from '../../db/schema.ts'
import { columnsOf, readRows } from '../../db/sql.ts'
import type { Kopecks } from '../../money.ts'
import { claimedAt } from '../../runtime/queue-worker.ts'
import { cutTo } from '../../runtime/text.ts'
import { measuresOf } from '../../telegram/files.ts'
import { type Attempt, isLast, type MessageTarget } from '../../telegram/send.ts'
import { homeLocale, type Locale, type Say, type Texts } from '../../texts.ts'
import { findUser } from '../../users/user.ts'
import { type Artifact, endedProcesses, type Generation, type GenerationDeps } from '../generation.ts'
import type { Downloads } from './download.ts'

type Process =
  | 'db'
  | 'catalog'
  | 'clock'
  | 'log'
  | 'gateway'
  | 'media'
  | 'metrics'
  | 'refusals'
  | 'results'
  | 'times'
  | 'random'
  | 'pollIntervalMs'

export interface DeliveryDeps extends Pick<GenerationDeps, Process> {
  readonly api: Api
  readonly texts: Texts
  readonly downloads: Downloads
  /** The longest that the picture of a 3D model may take; after that the model is sent without it. */
  readonly previewMs?: number
}

export interface Subject {
  readonly generation: Generation
  readonly say: Say
  /** Undefined when the model is no longer in the catalog. */
  readonly model: Model | undefined
  /**
   * The kind of its results, and how many were paid for; undefined without the model, and when an earlier version of it accepted a request
   * that this one refuses.
   */
  readonly ordered: Delivers | undefined
  /** The present price of the same order; undefined when it cannot be ordered again. It is computed only for the button that shows it. */
  priceNow(): Kopecks | undefined
}

export function describe(catalog: Catalog, generation: Generation, say: Say): Subject {
  const { modelId, request } = generation
  const model = catalog.find(modelId)
  const ordered = model?.request.safeParse(request).success ? model.delivers(request) : undefined
  return {
    generation,
    say,
    model,
    ordered,
    priceNow: () =>
      model && ordered && catalog.isOffered(model) ? catalog.price(model, request)?.amount : undefined,
  }
}

export interface DeliveryJob extends Subject {
  /** The artifacts as they were when the job began, in order. */
  readonly artifacts: readonly Artifact[]
  readonly target: MessageTarget
  /** For a copy to pass on: the text, which may be empty, in place of the caption, and its buttons. */
  readonly bare?: Bare | undefined
  /** The status message, if the result or the explanation of the failure replaces it. */
  readonly statusToReplace: number | undefined
  /** `document`: the files are sent without looking into them. `link`: they are not even downloaded. */
  readonly care: 'usual' | 'document' | 'link'
  /** Whether a result has, or may have, replaced the status message, which is neither edited nor deleted then. */
  readonly status: { isResult: boolean }
}

export type Bare = { readonly caption: string; readonly keyboard?: InlineKeyboard }

/** @param locale the language of the user, if it is known */
export async function subjectOf(
  { db, texts, catalog }: Pick<DeliveryDeps, 'db' | 'texts' | 'catalog'>,
  generation: Generation,
  locale?: Locale,
): Promise<Subject> {
  const known = locale ?? (await findUser(db, generation.userId))?.locale
  const subject = describe(catalog, generation, texts(known ?? homeLocale))
  const [draftId] = speechesIn(generation.request)
  const speech = draftId === undefined ? undefined : await orderOf({ db }, draftId)
  if (!speech || isSpoken(speech)) return subject
  // Its words must be spoken anew.
  const voice = describe(catalog, speech, subject.say)
  return { ...subject, priceNow: () => sumOf(subject.priceNow(), voice.priceNow()) }
}

const sumOf = (one: Kopecks | undefined, other: Kopecks | undefined): Kopecks | undefined =>
  one === undefined || other === undefined ? undefined : one + other

/** The order of a draft; undefined while it was not ordered. */
export async function orderOf(
  { db }: Pick<DeliveryDeps, 'db'>,
  draftId: string,
): Promise<Generation | undefined> {
  const [found] = await db.select().from(generations).where(eq(generations.draftId, draftId))
  return found
}

/** Whether the speech of a draft has come, or may still come. */
export const isSpoken = ({ state }: Generation): boolean => state !== 'failed' && state !== 'canceled'

/** @param target where it is sent; its own chat by default, in place of its status message or below it */
export function jobFor(
  subject: Subject,
  artifacts: readonly Artifact[],
  target?: MessageTarget,
): DeliveryJob {
  const { generation } = subject
  const { chatId, topicId } = generation
  return {
    ...subject,
    artifacts,
    // Not as a reply to the status message, which goes away.
    target: target ?? { chatId, topicId },
    statusToReplace: target || artifacts.length > 1 ? undefined : replacedStatusOf(generation),
    status: { isResult: false },
    care: 'usual',
  }
}

/** After a longer wait the user is probably elsewhere, and an edit causes no notification: the result is a message of its own. */
const quickMs = 15_000

/** The status message that the result or the explanation replaces. It depends on the row alone, so every attempt decides the same. */
export function replacedStatusOf(generation: Generation): number | undefined {
  const { statusMessageId, createdAt, settledAt, arrivedLateAt } = generation
  const isQuick = settledAt !== null && settledAt.getTime() - createdAt.getTime() <= quickMs
  return isQuick && arrivedLateAt === null ? (statusMessageId ?? undefined) : undefined
}

/**
 * Whether an earlier attempt may have put a result into the status message. The message of a 3D model is that of its document, so its
 * picture may be there, too; and an order of an earlier version was quick for longer.
 */
export const mayHoldResult = ({ artifacts, generation, statusToReplace }: DeliveryJob): boolean =>
  artifacts.some(
    (one) =>
      (one.messageId !== null && one.messageId === generation.statusMessageId) ||
      (statusToReplace !== undefined && !(isUnsent(one) && one.fileId === null)),
  )

/** The number of results that were paid for. There may be more files: two tracks for one price, extra files of a result. */
export const paidFor = ({ ordered, artifacts }: DeliveryJob): number => ordered?.count ?? artifacts.length

const longestName = 40

/** The name of a file, without an extension: the first words of the prompt, and its number if there are several files. */
export function fileName(
  { generation, artifacts }: Pick<DeliveryJob, 'generation' | 'artifacts'>,
  { position }: Artifact,
): string {
  const words = promptInRequest(generation.request, 400)?.match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
  const all = words.join('-') || generation.id
  const cut = cutTo(all, longestName)
  const name = cut === all ? all : cut.replace(/-[^-]*$/, '')
  return artifacts.length > 1 ? `${name}-${position + 1}` : name
}

export const sinceOf = ({ arrivedLateAt, settledAt, createdAt }: Generation): Date =>
  arrivedLateAt ?? settledAt ?? createdAt

/**
 * It depends on the claimed row alone, so that the end of the attempt applies the same limits as its beginning. An attempt during which its
 * process ended counts as failed.
 */
export const attemptOf = (generation: Generation): Attempt => ({
  earlier: generation.attempts + endedProcesses(generation),
  since: sinceOf(generation),
  startedAt: claimedAt(generation),
})

export const isLastAttempt = (generation: Generation): boolean => isLast(attemptOf(generation))

/**
 * The care that an attempt takes after processes have ended during the attempts before it, perhaps by a decoder: `claims` counts them since
 * the last attempt that had an outcome. `never`: the delivery is given up, so that it does not end every process for ever. The result stays
 * in the history.
 */
export function careOf({ claims }: Generation): DeliveryJob['care'] | 'never' {
  if (claims >= 12) return 'never'
  if (claims >= 8) return 'link'
  return claims >= 4 ? 'document' : 'usual'
}

// Which artifacts of a generation are in the chat. Each send is written right after it, so that the next attempt sends only what is
// missing. An artifact with a message id is sent. One with a file id alone is partly sent: of a 3D model only its picture, of the last
// picture of an album everything but the caption below the album.

type Deps = Pick<DeliveryDeps, 'db' | 'clock' | 'log'>

export const artifactsOf = ({ db }: Pick<Deps, 'db'>, generationId: string): Promise<Artifact[]> =>
  readRows(
    db,
    artifacts,
    sql`
      select ${columnsOf(artifacts, 'artifacts')} from ${artifacts}
      where ${artifacts.generationId} = ${generationId} order by position`,
  )

export const isUnsent = ({ messageId }: Artifact): boolean => messageId === null
export const isPartlySent = ({ messageId, fileId }: Artifact): boolean =>
  messageId === null && fileId !== null

/** Checked before each send: minutes may pass between two sends, and a worker that has lost its lease must send nothing more. */
export async function holdsLease(
  { db }: Pick<Deps, 'db'>,
  { id, lease }: Pick<Generation, 'id' | 'lease'>,
): Promise<boolean> {
  const isHeld = and(eq(generations.id, id), sql`${generations.lease} is not distinct from ${lease}`)
  return (await db.$count(generations, isHeld)) > 0
}

/** Telegram makes a JPEG of every photo. */
export const photoMime = 'image/jpeg'

/** Writes what is known of an artifact since it was sent. An outage of the database only delays it: else the file would be sent again. */
export async function record(
  deps: Deps,
  { generationId, position }: Artifact,
  change: PgUpdateSetSource<typeof artifacts>,
  condition?: SQL,
): Promise<void> {
  const isRow = and(eq(artifacts.generationId, generationId), eq(artifacts.position, position), condition)
  const statement = deps.db.update(artifacts).set(change).where(isRow).getSQL()
  await throughOutages(deps, () => deps.db.execute(statement))
}

/** The fields that are read from a sent message with an artifact. */
export type SentMessage = Pick<Message, 'message_id'> &
  Partial<Pick<Message, 'video' | 'voice' | 'audio' | 'document' | 'photo'>>

/** A message with an artifact, by whose file id the artifact can be sent again, for free. */
export interface Sent {
  readonly message: SentMessage
  readonly kind: Artifact['kind']
  /** What was known of the file when it was sent: its type, by its bytes, and sizes that Telegram does not give for documents. */
  readonly known?: FileFacts | undefined
}

/** Telegram's sizes count more than those that were known: it may have converted the file. */
export function fileOf(message: SentMessage, { kind, known }: Omit<Sent, 'message'>) {
  const { video, voice, audio, document, photo } = message
  const file = video ?? voice ?? audio ?? document ?? photo?.at(-1)
  return {
    fileId: file?.file_id ?? null,
    kind,
    facts: file && known ? { ...known, ...measuresOf(file) } : null,
    // A document is the file as it was made.
    ...(document ? { originalFileId: document.file_id } : {}),
  }
}
