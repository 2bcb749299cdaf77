// The files of a question: whether its model takes them, and their content as it is sent.

import { type Attachment, isTakenPicture } from '../catalog/field.ts'
import { maxFileBytes, maxInlineBytes } from '../catalog/media.ts'
import type { TextModel } from '../catalog/text-models.ts'
import {
  hears,
  type ModeName,
  type Modes,
  modeNames,
  noModes,
  operationFor,
  seesPictures,
} from '../catalog/text-modes.ts'
import { inQuestions, pictureForModel, soundForModel } from '../media/convert.ts'
import type { Said, Sound } from './dialogue.ts'

/** Downloads the files of a question. */
export interface QuestionMedia {
  read(
    file: string,
    maxBytes: number,
  ): Promise<{ readonly ok: true; readonly bytes: Buffer } | { readonly ok: false }>
}

/** The question has a file that its model, with the modes of the conversation, does not take. */
interface NotAccepted<Reason extends string> {
  readonly ok: false
  readonly reason: Reason
  readonly model: TextModel
  /** The modes with which the model does not take it; empty if it never does. */
  readonly because: readonly ModeName[]
  /** The models on sale that take it. */
  readonly others: readonly TextModel[]
}
export type PicturesNotAccepted = NotAccepted<'pictures-not-accepted'>
export type SoundsNotAccepted = NotAccepted<'sounds-not-accepted'>

export type FileRefusal =
  | PicturesNotAccepted
  | SoundsNotAccepted
  /** A picture of the question is too large or cannot be downloaded. */
  | { readonly ok: false; readonly reason: 'no-picture' }
  /** A picture of the question is in a format that models do not see, and that cannot be converted. */
  | { readonly ok: false; readonly reason: 'picture-format' }
  /** A sound of the question is too large or cannot be downloaded. */
  | { readonly ok: false; readonly reason: 'no-sound' }
  /** A sound of the question cannot be converted, or the file has none. */
  | { readonly ok: false; readonly reason: 'sound-format' }
  | { readonly ok: false; readonly reason: 'sound-too-long'; readonly maxSeconds: number }

/** The note of a sound in which the user says the question, unlike one that the question is about. */
const spoken = 'spoken'

/** The sound of a file; also that of a video, which models do not see. */
export const soundOf = ({ note: _, ...file }: Attachment, isSpoken: boolean): Attachment => ({
  ...file,
  medium: 'audio',
  ...(isSpoken ? { note: spoken } : {}),
})

export const isSpoken = (files: readonly Attachment[]): boolean =>
  files.some(({ medium, note }) => medium === 'audio' && note === spoken)

/** Has the model write down what it heard, so that the user sees it, and later questions know it. */
export const spokenInstruction =
  'The user says the message in a recording. Begin with the words that you understood, in their language, as a quotation: ' +
  'one line that starts with "> 🎤 ". Then answer them.'

/** The note of a picture of an earlier question that was sent again. */
const earlier = 'earlier'

export const asEarlier = (file: Attachment): Attachment => ({ ...file, note: earlier })
export const isEarlier = ({ note }: Attachment): boolean => note === earlier

export const picturesOf = (files: readonly Attachment[]): readonly Attachment[] =>
  files.filter(({ medium }) => medium === 'image')
const soundsOf = (files: readonly Attachment[]) => files.filter(({ medium }) => medium === 'audio')

type Accepts = (model: TextModel, modes: Modes) => boolean

function whyNot<Reason extends string>(
  reason: Reason,
  accepts: Accepts,
  sold: readonly TextModel[],
  model: TextModel,
  modes: Modes,
): NotAccepted<Reason> | undefined {
  if (accepts(model, modes)) return undefined
  const because = accepts(model, noModes) ? modeNames.filter((mode) => modes[mode]) : []
  return { ok: false, reason, model, because, others: sold.filter((one) => accepts(one, noModes)) }
}

/** @param sold the models on sale @param modes as returned by `sentModes` */
export const whyNoPictures = (sold: readonly TextModel[], model: TextModel, modes: Modes) =>
  whyNot('pictures-not-accepted', seesPictures, sold, model, modes)

/** @param sold the models on sale @param modes as returned by `sentModes` */
export const whyNoSounds = (sold: readonly TextModel[], model: TextModel, modes: Modes) =>
  whyNot('sounds-not-accepted', hears, sold, model, modes)

/** Checks the files of a question before they are downloaded. */
export function refusalOfFiles(
  sold: readonly TextModel[],
  model: TextModel,
  modes: Modes,
  files: readonly Attachment[],
): FileRefusal | undefined {
  const [pictures, sounds] = [picturesOf(files), soundsOf(files)]
  const { maxSeconds } = model.sound
  if (pictures.some(({ mime }) => !isTakenPicture(mime))) return { ok: false, reason: 'picture-format' }
  const refused =
    (pictures.length > 0 && whyNoPictures(sold, model, modes)) ||
    (sounds.length > 0 && whyNoSounds(sold, model, modes))
  if (refused) return refused
  if (sounds.some(({ seconds = 0 }) => seconds > maxSeconds + 1))
    return { ok: false, reason: 'sound-too-long', maxSeconds }
  return undefined
}

type Content = Pick<Said, 'images' | 'sounds'>

/** The files as they are counted for a price: nothing is downloaded. */
export const countedContent = (model: TextModel, files: readonly Attachment[]): Content => ({
  images: picturesOf(files).map(({ file }) => file),
  sounds: soundsOf(files).map(({ seconds = model.sound.maxSeconds }) => soundWith(model, seconds)),
})

const soundWith = ({ sound }: TextModel, seconds: number): Sound => ({
  format: 'wav',
  data: '',
  tokens: Math.ceil(seconds * sound.tokensPerSecond),
})

/** Downloads the files, and converts them to what the operation of the question takes. */
export async function contentOf(
  media: QuestionMedia,
  model: TextModel,
  modes: Modes,
  files: readonly Attachment[],
): Promise<({ readonly ok: true } & Content) | FileRefusal> {
  const images: string[] = []
  for (const { file } of picturesOf(files)) {
    const picture = await pictureIn(media, file)
    if (typeof picture !== 'string') return picture
    images.push(picture)
  }
  const sounds: Sound[] = []
  for (const { file } of soundsOf(files)) {
    const sound = await soundIn(media, model, modes, file)
    if ('ok' in sound) return sound
    sounds.push(sound)
  }
  return { ok: true, images, sounds }
}

/** The picture as a data URI. */
async function pictureIn(media: QuestionMedia, file: string): Promise<string | FileRefusal> {
  const read = await media.read(file, maxInlineBytes)
  if (!read.ok) return { ok: false, reason: 'no-picture' }
  const picture = await pictureForModel(read.bytes, inQuestions)
  if (!picture) return { ok: false, reason: 'picture-format' }
  return `data:${picture.mime};base64,${picture.bytes.toString('base64')}`
}

/** Reads the pictures of earlier questions again, by file. Those that cannot be read are left out. */
export async function earlierPictures(
  media: QuestionMedia,
  files: readonly Attachment[],
): Promise<ReadonlyMap<string, string>> {
  const pictures = new Map<string, string>()
  for (const { file } of files) {
    const picture = await pictureIn(media, file)
    if (typeof picture === 'string') pictures.set(file, picture)
  }
  return pictures
}

async function soundIn(
  media: QuestionMedia,
  model: TextModel,
  modes: Modes,
  file: string,
): Promise<Sound | FileRefusal> {
  const { maxSeconds } = model.sound
  const read = await media.read(file, maxFileBytes)
  if (!read.ok) return { ok: false, reason: 'no-sound' }
  // `input_audio` has WAV and MP3 only.
  const takesAac = operationFor(model, modes, true) === 'native'
  const sound = await soundForModel(read.bytes, { maxSeconds, takesAac })
  if (sound === 'too-long') return { ok: false, reason: 'sound-too-long', maxSeconds }
  if (!sound) return { ok: false, reason: 'sound-format' }
  if (sound.bytes.length > maxInlineBytes) return { ok: false, reason: 'no-sound' }
  const { format, bytes, seconds } = sound
  return { ...soundWith(model, seconds), format, data: bytes.toString('base64') }
}
