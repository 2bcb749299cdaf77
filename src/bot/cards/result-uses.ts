// A produced file as a part of the next order: a picture becomes a frame of a video or a texture, a video is extended, speech is the
// voice of a video.

import type { Attachment } from '../../catalog/attachment.ts'
import type { MediaField } from '../../catalog/field.ts'
import type { Command, Delivers, Model } from '../../catalog/model.ts'
import type { Artifact } from '../../generations/generation.ts'
import type { ResultUse } from '../../telegram/taps.ts'
import type { BotDeps } from '../context.ts'
import { type OnSale, readOnSale } from '../on-sale.ts'

/** The order that begins with this use of the file. */
interface NextOrder {
  readonly use: ResultUse
  readonly model: Model
  /** The field that takes the file; undefined when the order does not contain the file. */
  readonly field?: MediaField
  /** Text shown with the offer: what the use does with the file. */
  readonly note?: string
}

type Uses = readonly {
  readonly use: ResultUse
  readonly command: Command
  /** Whether a field takes the file; undefined when the order does not contain the file. */
  readonly takes?: (field: MediaField) => boolean
  readonly note?: string
}[]

const isFrame = ({ media, audience }: MediaField) => media[0] === 'image' && audience === 'card'

const uses: Readonly<Record<Attachment['medium'], Uses>> = {
  image: [
    { use: 'animate', command: 'video', takes: isFrame },
    { use: 'last-frame', command: 'video', takes: ({ caption }) => caption === 'frame', note: 'last' },
    { use: 'texture', command: 'model3d', takes: ({ media }) => media[0] === 'image' },
    { use: 'voice', command: 'speech' },
  ],
  video: [
    { use: 'extend', command: 'video', takes: ({ label }) => label === 'field-continue-a-video' },
    { use: 'voice', command: 'speech' },
  ],
  audio: [
    { use: 'sound', command: 'video', takes: ({ media }) => media.includes('audio') && media.length === 1 },
  ],
}

const mediumOf: Readonly<Record<Delivers['kind'], Attachment['medium'] | undefined>> = {
  image: 'image',
  video: 'video',
  voice: 'audio',
  audio: 'audio',
  model3d: undefined,
}

/** The orders that can be made with the file now. @param kind what was ordered */
export async function usesOf(
  deps: BotDeps,
  kind: Delivers['kind'],
  artifact: Artifact,
): Promise<readonly NextOrder[]> {
  const medium = mediumOf[kind]
  if (!medium || artifact.fileId === null) return []
  const onSale = await readOnSale(deps)
  return uses[medium].flatMap((one) => nextOrder(deps, onSale, one) ?? [])
}

function nextOrder(
  { media }: BotDeps,
  onSale: OnSale,
  { use, command, takes, note }: Uses[number],
): NextOrder | undefined {
  const models = onSale.models(command)
  if (!takes) return models[0] && { use, model: models[0] }
  for (const model of models) {
    const field = model.fields
      .filter((one) => one.kind === 'media')
      .find((one) => takes(one) && (one.via === 'data' || media.link !== undefined))
    if (field) return { use, model, field, ...(note ? { note } : {}) }
  }
  return undefined
}

/** The attachment that the file would be if the user had sent it. */
export function attachmentFrom(
  kind: Delivers['kind'],
  { fileId, originalFileId }: Artifact,
): Attachment | undefined {
  const medium = mediumOf[kind]
  if (!medium || fileId === null) return undefined
  // A picture sent as a document is unchanged, and models make PNG.
  const picture = fileId === originalFileId ? 'image/png' : 'image/jpeg'
  const sound = kind === 'voice' ? 'audio/ogg' : 'audio/mpeg'
  const mime = { image: picture, video: 'video/mp4', audio: sound }[medium]
  return { file: fileId, medium, mime }
}
