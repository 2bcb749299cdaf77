// The files of a question: whether its model takes them, and their content as it is sent.

import { isTakenPicture, type QuestionFile } from '../catalog/field.ts'
import { maxFileBytes, maxInlineBytes, type StandIn } from '../catalog/media.ts'
import type { TextModel } from '../catalog/text-models.ts'
import {
  type FileKind,
  type ModeName,
  type Modes,
  modeNames,
  noModes,
  operationFor,
  takes,
} from '../catalog/text-modes.ts'
import { inQuestions, pictureForModel, soundForModel } from '../media/convert.ts'
import type { NativeFile, Said, Sound } from './dialogue.ts'

export interface QuestionMedia {
  read(
    file: string,
    maxBytes: number,
  ): Promise<{ readonly ok: true; readonly bytes: Buffer } | { readonly ok: false }>
  /** A link to our server; missing without a public address. */
  readonly link?: ((one: StandIn) => string) | undefined
}

/** The question has a file that its model, with the modes of the conversation, does not take. */
export interface NotAccepted {
  readonly ok: false
  readonly reason: 'files-not-accepted'
  readonly kind: FileKind
  readonly model: TextModel
  /** The modes with which the model does not take it; empty if it never does. */
  readonly because: readonly ModeName[]
  /** The models on sale that take it. */
  readonly others: readonly TextModel[]
}

export type FileRefusal =
  | NotAccepted
  /** A file of the question is too large or cannot be downloaded. */
  | { readonly ok: false; readonly reason: 'no-file'; readonly kind: FileKind }
  /** A picture of the question is in a format that models do not see, and that cannot be converted. */
  | { readonly ok: false; readonly reason: 'picture-format' }
  /** A sound of the question cannot be converted, or the file has none. */
  | { readonly ok: false; readonly reason: 'sound-format' }
  | {
      readonly ok: false
      readonly reason: 'too-long'
      readonly kind: 'audio' | 'video'
      readonly maxSeconds: number
    }

/** The note of a sound in which the user says the question, unlike one that the question is about. */
const spoken = 'spoken'

/** The sound of a file; also that of a video whose pictures do not matter. */
export const soundOf = ({ note: _, ...file }: QuestionFile, isSpoken: boolean): QuestionFile => ({
  ...file,
  medium: 'audio',
  ...(isSpoken ? { note: spoken } : {}),
})

export const isSpoken = (files: readonly QuestionFile[]): boolean => files.some(({ note }) => note === spoken)

/** Has the model write down what it heard, so that the user sees it, and later questions know it. */
export const spokenInstruction =
  'The user says the message in a recording. Begin with the words that you understood, in their language, as a quotation: ' +
  'one line that starts with "> 🎤 ". Then answer them.'

/** The note of a file of an earlier question that was sent again. */
const earlier = 'earlier'

export const asEarlier = (file: QuestionFile): QuestionFile => ({ ...file, note: earlier })
export const isEarlier = ({ note }: QuestionFile): boolean => note === earlier

/** The files that stay in sight of a conversation. What is heard is quoted by the answer. */
export const shownOf = (files: readonly QuestionFile[]): readonly QuestionFile[] =>
  files.filter(({ medium }) => medium !== 'audio')

/**
 * Why the model does not take one of the files.
 * @param sold the models on sale @param modes as returned by `sentModes`
 */
export function whyNotTaken(
  sold: readonly TextModel[],
  model: TextModel,
  modes: Modes,
  files: readonly QuestionFile[],
): NotAccepted | undefined {
  const kind = files.map(({ medium }) => medium).find((one) => !takes(model, modes, one))
  if (!kind) return undefined
  const because = takes(model, noModes, kind) ? modeNames.filter((mode) => modes[mode]) : []
  const others = sold.filter((one) => takes(one, noModes, kind))
  return { ok: false, reason: 'files-not-accepted', kind, model, because, others }
}

export function refusalOfFiles(
  sold: readonly TextModel[],
  model: TextModel,
  modes: Modes,
  files: readonly QuestionFile[],
): FileRefusal | undefined {
  if (files.some(({ medium, mime }) => medium === 'image' && !isTakenPicture(mime)))
    return { ok: false, reason: 'picture-format' }
  const [refusal] = files.flatMap((file) => tooLong(model, file) ?? [])
  return whyNotTaken(sold, model, modes, files) ?? refusal
}

function tooLong(model: TextModel, { medium, seconds }: QuestionFile): FileRefusal | undefined {
  if (medium !== 'audio' && medium !== 'video') return undefined
  const { maxSeconds } = medium === 'audio' ? model.sound : model.video
  return (seconds ?? 0) > maxSeconds ? { ok: false, reason: 'too-long', kind: medium, maxSeconds } : undefined
}

export type Content = Pick<Said, 'images' | 'sounds' | 'files'>

export const joined = (contents: readonly Content[]) => ({
  images: contents.flatMap(({ images }) => images),
  sounds: contents.flatMap(({ sounds = [] }) => sounds),
  files: contents.flatMap(({ files = [] }) => files),
})

/** A file as it is counted for a price: nothing is downloaded. */
export function countedContent(model: TextModel, one: QuestionFile): Content {
  const { medium, file, seconds = model.sound.maxSeconds } = one
  if (medium === 'image') return { images: [file] }
  if (medium === 'audio') return { images: [], sounds: [soundWith(model, seconds)] }
  return { images: [], files: [nativeFile(model, one)] }
}

const soundWith = ({ sound }: TextModel, seconds: number): Sound => ({
  format: 'wav',
  data: '',
  tokens: Math.ceil(seconds * sound.tokensPerSecond),
})

function nativeFile({ pdf, video }: TextModel, { medium, mime, seconds, pages }: QuestionFile): NativeFile {
  const ofPdf = (pages ?? pdf.maxPages) * pdf.tokensPerPage
  const ofVideo = Math.ceil((seconds ?? video.maxSeconds) * video.tokensPerSecond)
  return { mime, tokens: medium === 'pdf' ? ofPdf : ofVideo }
}

/** Downloads the files, and converts them to what the operation of the question takes. */
export async function contentOf(
  media: QuestionMedia,
  model: TextModel,
  modes: Modes,
  files: readonly QuestionFile[],
): Promise<({ readonly ok: true } & ReturnType<typeof joined>) | FileRefusal> {
  const contents: Content[] = []
  const kinds = files.map(({ medium }) => medium)
  for (const file of files) {
    const content = await contentIn(media, model, operationFor(model, modes, kinds) === 'native', file)
    if ('ok' in content) return content
    contents.push(content)
  }
  return { ok: true, ...joined(contents) }
}

/** Reads the files of earlier questions again, by file id. Those that cannot be read are left out. */
export async function earlierContents(
  media: QuestionMedia,
  model: TextModel,
  files: readonly QuestionFile[],
): Promise<ReadonlyMap<string, Content>> {
  const contents = new Map<string, Content>()
  for (const file of files) {
    const content = await contentOf(media, model, noModes, [file])
    if (content.ok) contents.set(file.file, content)
  }
  return contents
}

async function contentIn(
  media: QuestionMedia,
  model: TextModel,
  isNative: boolean,
  file: QuestionFile,
): Promise<Content | FileRefusal> {
  switch (file.medium) {
    case 'image':
      return pictureIn(media, file)
    case 'audio':
      return soundIn(media, model, isNative, file)
    case 'pdf':
    case 'video':
      return nativeIn(media, model, file)
  }
}

async function pictureIn(media: QuestionMedia, { file }: QuestionFile): Promise<Content | FileRefusal> {
  const read = await media.read(file, maxInlineBytes)
  if (!read.ok) return { ok: false, reason: 'no-file', kind: 'image' }
  const picture = await pictureForModel(read.bytes, inQuestions)
  if (!picture) return { ok: false, reason: 'picture-format' }
  return { images: [`data:${picture.mime};base64,${picture.bytes.toString('base64')}`] }
}

async function nativeIn(
  media: QuestionMedia,
  model: TextModel,
  one: QuestionFile,
): Promise<Content | FileRefusal> {
  const { file, medium: kind, mime } = one
  const counted = nativeFile(model, one)
  if (model.fileData === 'link' && media.link)
    return { images: [], files: [{ ...counted, uri: media.link({ file, mime, via: 'link' }) }] }
  const read = await media.read(file, maxInlineBytes)
  if (!read.ok) return { ok: false, reason: 'no-file', kind }
  return { images: [], files: [{ ...counted, data: read.bytes.toString('base64') }] }
}

/** @param takesAac `input_audio` has WAV and MP3 only */
async function soundIn(
  media: QuestionMedia,
  model: TextModel,
  takesAac: boolean,
  { file }: QuestionFile,
): Promise<Content | FileRefusal> {
  const { maxSeconds } = model.sound
  const read = await media.read(file, maxFileBytes)
  if (!read.ok) return { ok: false, reason: 'no-file', kind: 'audio' }
  const sound = await soundForModel(read.bytes, { maxSeconds, takesAac })
  if (sound === 'too-long') return { ok: false, reason: 'too-long', kind: 'audio', maxSeconds }
  if (!sound) return { ok: false, reason: 'sound-format' }
  if (sound.bytes.length > maxInlineBytes) return { ok: false, reason: 'no-file', kind: 'audio' }
  const { format, bytes, seconds } = sound
  return {
    images: [],
    sounds: [{ ...soundWith(model, seconds), format, data: bytes.toString('base64') }],
  }
}
