// Reads the facts of files and converts them to what Telegram shows and what models take: by a decoder process, or by ffmpeg where it is
// installed. Content types, names and what Telegram tells of a file can be wrong.

import { z } from 'zod'
import { maxInlineBytes } from '../catalog/media.ts'
import { decode, type FfmpegJob, filesOfUsers, runFfmpeg } from './decoders.ts'

/** A day; Telegram treats any longer time as a day. A table of a few bytes can claim millions of years. */
const longestSeconds = 24 * 60 * 60

export const wholeSeconds = (seconds: number): number =>
  Math.min(longestSeconds, Math.max(1, Math.round(seconds)))

const videoFacts = z
  .object({
    width: z.number(),
    height: z.number(),
    /** The exact length. */
    seconds: z.number().nonnegative(),
    container: z.enum(['mp4', 'webm', 'mov']),
    /** Whether players expect this codec in an MP4. */
    isPlayed: z.boolean(),
  })
  .transform((facts) => ({ ...facts, duration: wholeSeconds(facts.seconds) }))
const audioFacts = z.object({
  /** The exact length; Telegram requires `wholeSeconds` of it. */
  seconds: z.number().positive(),
  container: z.enum(['mp3', 'wav', 'ogg', 'flac', 'm4a', 'other']),
  codec: z.string(),
})
export const mediaFacts = z.object({ video: videoFacts.optional(), audio: audioFacts.optional() })

type VideoFacts = Readonly<z.output<typeof videoFacts>>
export type AudioFacts = Readonly<z.output<typeof audioFacts>>

/** The time limit of a probe; an intact file takes milliseconds. */
const usualTimeoutMs = 20_000

/** The facts of a video; undefined for bytes of another type. */
export const probeVideo = async (
  bytes: Buffer,
  timeoutMs = usualTimeoutMs,
): Promise<VideoFacts | undefined> => (await decode('facts', bytes, mediaFacts, { timeoutMs }))?.video

/** The facts of a sound file; undefined for a video with sound, and for bytes of another type. */
export const probeAudio = async (
  bytes: Buffer,
  timeoutMs = usualTimeoutMs,
): Promise<AudioFacts | undefined> => (await decode('facts', bytes, mediaFacts, { timeoutMs }))?.audio

const size = z.object({ width: z.number().positive(), height: z.number().positive() })
/** The sender waits for the answer. */
const ofUser = { timeoutMs: 10_000, cpuMs: 2000, gate: filesOfUsers }

/** The size of a picture of a user; undefined when it cannot be passed to a model. */
export const probePicture = (bytes: Buffer): Promise<z.output<typeof size> | undefined> =>
  decode('size', bytes, size, ofUser)

/** The facts of a video or sound file of a user. */
export const probeMedia = (bytes: Buffer): Promise<z.output<typeof mediaFacts> | undefined> =>
  decode('facts', bytes, mediaFacts, ofUser)

export const partialFacts = z.object({
  medium: z.enum(['video', 'audio']).optional(),
  width: z.number().optional(),
  height: z.number().optional(),
  seconds: z.number().nonnegative().optional(),
  /** The bytes without which the other facts cannot be read. */
  wants: z.object({ from: z.number(), to: z.number() }).optional(),
})

/** A part of a file: the bytes from a position on. */
export interface Part {
  readonly at: number
  readonly bytes: Buffer
}

/** The facts of a video or sound file of which only these parts are known. @param size of the whole file */
export const partFacts = (
  parts: readonly Part[],
  size: number,
): Promise<z.output<typeof partialFacts> | undefined> =>
  decode('part-facts', Buffer.concat(parts.map(({ bytes }) => bytes)), partialFacts, {
    ...ofUser,
    options: { size, parts: parts.map(({ at, bytes }) => ({ at, length: bytes.length })) },
  })

/** Whether the bytes are a complete binary glTF 2.0. */
export function isGlb(bytes: Buffer): boolean {
  if (bytes.length < 20 || bytes.toString('latin1', 0, 4) !== 'glTF') return false
  return bytes.readUInt32LE(4) === 2 && bytes.readUInt32LE(8) <= bytes.length
}

// Conversions.

const buffer = z.instanceof(Buffer)
const pictureLimits = { timeoutMs: 60_000 }
const bytesMax = 50 * 1024 * 1024

const photo = z.object({ bytes: buffer, width: z.number(), height: z.number(), changed: z.boolean() })

/** Fits an image into the limits of photos; unchanged if it is within them. Undefined if it is not an image, or too narrow for a photo. */
export const fitPhoto = (bytes: Buffer): Promise<z.output<typeof photo> | undefined> =>
  decode('photo', bytes, photo, pictureLimits)

export const imageThumbnail = (bytes: Buffer): Promise<Buffer | undefined> =>
  decode('thumbnail', bytes, buffer, pictureLimits)

// Pictures of users pass here on their way to a model, so that a model gets only what every model takes: see pictures.ts.

const picture = z.object({
  bytes: buffer,
  mime: z.enum(['image/jpeg', 'image/png', 'image/webp']),
})

/** The largest pictures that are not reduced. */
interface PictureLimits {
  readonly bytes: number
  /** Pixels of the longer side. */
  readonly side: number
}
/** Models look at no more pixels, and the request stays in memory as long as the answer is being written. */
export const inQuestions: PictureLimits = { bytes: 1024 * 1024, side: 2048 }
/** The size of a frame in 4K. */
export const inOrders: PictureLimits = { bytes: maxInlineBytes, side: 4096 }

/** @returns undefined when the picture cannot be decoded here */
export const pictureForModel = (
  bytes: Buffer,
  options: PictureLimits,
): Promise<z.output<typeof picture> | undefined> =>
  decode('picture', bytes, picture, { ...pictureLimits, gate: filesOfUsers, options })

/** The thumbnail's size in pixels and in bytes. */
const thumbnail = { pixels: 320, bytesMax: 200_000 }
const oneJpeg = '-q:v 3 -frames:v 1 -update 1'.split(' ')
/** A typical frame of the first seconds of a video: ffmpeg takes none of a fade-in while there are others. */
export async function videoThumbnail(mp4: Buffer, timeoutMs = 20_000): Promise<Buffer | undefined> {
  const facts = await probeVideo(mp4)
  if (!facts || facts.container === 'webm') return undefined
  const box = `${thumbnail.pixels}:${thumbnail.pixels}:force_original_aspect_ratio=decrease`
  const frame = await runFfmpeg({
    bytes: mp4,
    reads: 'mov',
    options: ['-t', '4', '-an', '-vf', `scale=${box},thumbnail=100`, ...oneJpeg],
    output: 'out.jpg',
    timeoutMs,
  })
  return frame && frame.length <= thumbnail.bytesMax ? frame : undefined
}

// Video as MP4, the only container that Telegram plays: MOV with a playable codec is repacked, WebM is encoded anew.

const videoDemuxers = { mp4: 'mov', mov: 'mov', webm: 'matroska' } as const
const encoding = '-pix_fmt yuv420p -c:v libx264 -preset veryfast -crf 20'.split(' ')
/** H.264 accepts only even widths and heights. */
const even = ['-vf', 'crop=trunc(iw/2)*2:trunc(ih/2)*2']
const sound = ['-c:a', 'aac', '-b:a', '128k']

/** Converts a video to MP4; an MP4 is returned unchanged. Undefined when the bytes are not a video, or cannot be encoded here. */
export async function toMp4(bytes: Buffer, timeoutMs = 300_000): Promise<Buffer | undefined> {
  if (bytes.length > bytesMax) return undefined
  const facts = await probeVideo(bytes)
  if (!facts || facts.container === 'mp4') return facts && bytes
  const repacked = facts.isPlayed ? await decode('repack', bytes, buffer, { timeoutMs }) : undefined
  return repacked ?? encodeVideo(bytes, facts, timeoutMs)
}

function encodeVideo(bytes: Buffer, { container, isPlayed }: VideoFacts, timeoutMs: number) {
  const picture = isPlayed ? ['-c:v', 'copy'] : [...even, ...encoding]
  return runFfmpeg({
    bytes,
    reads: videoDemuxers[container],
    options: ['-sn', '-dn', ...picture, ...sound, '-movflags', '+faststart'],
    output: 'out.mp4',
    timeoutMs,
  })
}

// Voice messages: OGG/Opus and MP3 are passed unchanged, WAV is encoded here, other formats need ffmpeg.

interface Voice {
  readonly bytes: Buffer
  /** Whole seconds, as Telegram requires. */
  readonly seconds: number
  readonly name: 'voice.ogg' | 'voice.mp3'
}

/** The longest sound that is converted. */
const voiceSecondsMax = 30 * 60

/** By container; the others are converted without ffmpeg, or not at all. */
const soundDemuxers: Readonly<Partial<Record<string, FfmpegJob['reads']>>> = {
  flac: 'flac',
  m4a: 'mov',
  ogg: 'ogg',
  mp4: 'mov',
  mov: 'mov',
  webm: 'matroska',
}

/** Converts sound to a voice message; undefined when the bytes are not sound, are too long, or cannot be encoded here. */
export async function toVoice(bytes: Buffer, timeoutMs = 60_000): Promise<Voice | undefined> {
  if (bytes.length > bytesMax) return undefined
  const facts = await probeAudio(bytes)
  if (!facts || facts.seconds > voiceSecondsMax) return undefined
  const { container, codec } = facts
  const seconds = wholeSeconds(facts.seconds)
  if (container === 'mp3') return { bytes, seconds, name: 'voice.mp3' }
  if (container === 'ogg' && codec === 'opus') return { bytes, seconds, name: 'voice.ogg' }
  const encoded = await encodeSound(bytes, container, timeoutMs)
  return encoded && { bytes: encoded, seconds, name: 'voice.ogg' }
}

async function encodeSound(bytes: Buffer, container: AudioFacts['container'], timeoutMs: number) {
  if (container === 'wav') return decode('voice', bytes, buffer, { timeoutMs })
  const reads = soundDemuxers[container]
  if (!reads) return undefined
  const voice = ['-vn', '-ac', '1', '-c:a', 'libopus', '-b:a', '32k', '-application', 'voip']
  return runFfmpeg({ bytes, reads, options: voice, output: 'out.ogg', timeoutMs })
}

// Sound of users passes here on its way to a text model: see sound.ts. What is not changed there needs ffmpeg.

const heardSound = z.object({ format: z.enum(['wav', 'mp3', 'aac']), bytes: buffer })
export type HeardSound = Readonly<z.output<typeof heardSound>>

interface SoundLimits {
  readonly maxSeconds: number
  /** Whether the request may contain AAC, the usual codec of sound in videos. */
  readonly takesAac: boolean
}

/** A minute of sound takes a fraction of a second. */
const ofSpeech = { timeoutMs: 20_000, cpuMs: 10_000, gate: filesOfUsers }

/** @returns undefined when the bytes have no sound, or none that can be converted here */
export async function soundForModel(
  bytes: Buffer,
  options: SoundLimits,
): Promise<(HeardSound & { readonly seconds: number }) | 'too-long' | undefined> {
  const facts = await probeMedia(bytes)
  const seconds = facts?.audio?.seconds ?? facts?.video?.seconds
  if (seconds === undefined) return undefined
  // A recorder stops a moment after its limit.
  if (seconds > options.maxSeconds + 1) return 'too-long'
  const own = { ...options, maxSeconds: options.maxSeconds + 1 }
  const sound =
    (await decode('sound', bytes, heardSound, { ...ofSpeech, options: own })) ??
    (await decodedByFfmpeg(bytes, facts?.video?.container ?? facts?.audio?.container))
  return sound && { ...sound, seconds }
}

async function decodedByFfmpeg(
  bytes: Buffer,
  container: string | undefined,
): Promise<HeardSound | undefined> {
  const reads = container && soundDemuxers[container]
  if (!reads) return undefined
  const options = ['-vn', '-ac', '1', '-ar', '16000', '-c:a', 'pcm_s16le']
  const wav = await runFfmpeg({ bytes, reads, options, output: 'out.wav', timeoutMs: ofSpeech.timeoutMs })
  return wav && { format: 'wav', bytes: wav }
}

/** The longest that the delivery of a model waits for its preview; most previews are drawn within half a second. */
const previewBudgetMs = 2000
/** The time limit of the drawing itself. The processor time of the drawing is limited by the budget, however busy the machine is. */
const drawingMs = 30_000

/** Draws a preview as JPEG; undefined when the bytes are not a GLB, cannot be decoded here, or cannot be drawn in time. */
export async function previewGlb(bytes: Buffer, budgetMs = previewBudgetMs): Promise<Buffer | undefined> {
  if (!isGlb(bytes)) return undefined
  const late = AbortSignal.timeout(budgetMs)
  const over = new Promise<undefined>((resolve) => late.addEventListener('abort', () => resolve(undefined)))
  const limits = { timeoutMs: Math.max(budgetMs, drawingMs), cpuMs: budgetMs }
  return Promise.race([over, decode('preview', bytes, buffer, limits)])
}

// The text of a PDF.

const pdfFacts = z.object({ text: z.string(), pages: z.int().positive() })
/** Three hundred pages take a second or two; a few kilobytes of nested forms would take for ever. */
const pdfCpuMs = 8000

/** @returns undefined when it is no PDF, or takes too long to read */
export const readPdf = (bytes: Buffer, cpuMs = pdfCpuMs): Promise<z.output<typeof pdfFacts> | undefined> =>
  decode('pdf', bytes, pdfFacts, { timeoutMs: 20_000, gate: filesOfUsers, cpuMs })
