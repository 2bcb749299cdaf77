// Reads and repacks media containers with mediabunny. Four wrong bytes can keep its parser busy for minutes, so this code runs only in
// decoder processes: see decoders.ts.

import {
  ADTS,
  BufferSource,
  BufferTarget,
  Conversion,
  CustomSource,
  FLAC,
  Input,
  type InputFormat,
  MATROSKA,
  MP3,
  MP4,
  Mp4OutputFormat,
  OGG,
  Output,
  QTFF,
  type Source,
  WAVE,
  WEBM,
} from 'mediabunny'
import { z } from 'zod'
import type { mediaFacts, partialFacts } from './convert.ts'

/** The accepted formats, without playlists (HLS): these name other files, which are never fetched here. */
const formats: InputFormat[] = [MP4, QTFF, WEBM, MATROSKA, MP3, WAVE, OGG, FLAC, ADTS]

/** Opens a media file and reads from it; undefined when the bytes are not a media file, or when `read` fails. */
export function withMedia<T>(
  bytes: Buffer,
  read: (input: Input) => Promise<T | undefined>,
): Promise<T | undefined> {
  return withSource(new BufferSource(withSizes(bytes)), read)
}

/**
 * The header of a streamed WAV may never have been updated, and mediabunny believes its sizes. A size that is too large stands for the rest
 * of the file: it replaces the one of the file, and that of the sound if it is zero.
 */
function withSizes(bytes: Buffer): Buffer {
  if (!/^RIFF.{4}WAVE/s.test(bytes.toString('latin1', 0, 12))) return bytes
  const copy = Buffer.from(bytes)
  const at = copy.indexOf('data', 12, 'latin1') + 4
  for (const size of [4, ...(at + 4 <= copy.length && copy.readUInt32LE(at) === 0 ? [at] : [])])
    copy.writeUInt32LE(0xffff_ffff, size)
  return copy
}

async function withSource<T>(
  source: Source,
  read: (input: Input) => Promise<T | undefined>,
): Promise<T | undefined> {
  const input = new Input({ source, formats })
  try {
    return await read(input)
  } catch {
    return undefined
  } finally {
    input.dispose()
  }
}

/** What a file says about itself; the numbers can be absurd. */
type Facts = z.input<typeof mediaFacts>

/** Reads the facts of a media file; a video with sound has only video facts. */
export const readFacts = (bytes: Buffer): Promise<Facts | undefined> =>
  withMedia(bytes, async (input) =>
    (await input.getPrimaryVideoTrack())
      ? { video: await readVideo(input) }
      : { audio: await readAudio(input) },
  )

const known = z.object({
  size: z.number(),
  parts: z.array(z.object({ at: z.number(), length: z.number() })),
})

/**
 * The facts of a file of which only some parts are known, and the bytes that are wanted for more.
 * @param bytes the parts, one after another
 */
export async function readPartFacts(bytes: Buffer, options: unknown): Promise<z.input<typeof partialFacts>> {
  const { size, parts } = known.parse(options)
  let wants: { from: number; to: number } | undefined
  const source = new CustomSource({
    getSize: () => size,
    read(from, to) {
      let begin = 0
      for (const { at, length } of parts) {
        if (at <= from && to <= at + length) return bytes.subarray(begin + from - at, begin + to - at)
        begin += length
      }
      wants ??= { from, to }
      throw new Error('these bytes are not known')
    },
    handleUnhandledError: () => undefined,
  })
  const facts: z.input<typeof partialFacts> = {}
  await withSource(source, async (input) => {
    const video = await input.getPrimaryVideoTrack()
    if (!video && !(await input.getPrimaryAudioTrack())) return
    facts.medium = video ? 'video' : 'audio'
    facts.width = await video?.getDisplayWidth()
    facts.height = await video?.getDisplayHeight()
    facts.seconds = (await input.getDurationFromMetadata()) ?? (await input.computeDuration())
  })
  return { ...facts, wants }
}

async function readVideo(input: Input): Promise<Facts['video']> {
  const track = await input.getPrimaryVideoTrack()
  const container = videoContainer(await input.getFormat())
  if (!track || !container) return undefined
  const [width, height, codec, seconds] = await Promise.all([
    track.getDisplayWidth(),
    track.getDisplayHeight(),
    track.getCodec(),
    input.computeDuration(),
  ])
  const isPlayed = codec === 'avc' || codec === 'hevc'
  return { width, height, seconds, container, isPlayed }
}

/** The container of a video. Matroska counts as WebM, which is a subset of it. */
function videoContainer(format: InputFormat): NonNullable<Facts['video']>['container'] | undefined {
  if (format === MP4) return 'mp4'
  if (format === QTFF) return 'mov'
  return format === WEBM || format === MATROSKA ? 'webm' : undefined
}

async function readAudio(input: Input): Promise<Facts['audio']> {
  const codec = await (await input.getPrimaryAudioTrack())?.getCodec()
  if (!codec) return undefined
  const seconds = await input.computeDuration()
  return { seconds, container: audioContainer(await input.getFormat()), codec }
}

function audioContainer(format: InputFormat): NonNullable<Facts['audio']>['container'] {
  if (format === MP3) return 'mp3'
  if (format === WAVE) return 'wav'
  if (format === OGG) return 'ogg'
  if (format === FLAC) return 'flac'
  return format === MP4 || format === QTFF ? 'm4a' : 'other'
}

/**
 * Repacks the same streams in an MP4, without encoding. The caller has checked the video codec. Undefined when players do not expect the
 * audio codec in an MP4.
 */
export function repack(bytes: Buffer): Promise<Buffer | undefined> {
  return withMedia(bytes, async (input) => {
    const track = await input.getPrimaryAudioTrack()
    const codec = await track?.getCodec()
    if (track && codec !== 'aac' && codec !== 'mp3') return undefined
    const target = new BufferTarget()
    const output = new Output({ format: new Mp4OutputFormat({ fastStart: 'in-memory' }), target })
    const copy = { mode: 'forced', shiftTolerance: Number.POSITIVE_INFINITY } as const
    const conversion = await Conversion.init({ input, output, tracks: 'primary', copy, showWarnings: false })
    if (!conversion.isValid || conversion.discardedTracks.length > 0) return undefined
    await conversion.execute()
    return target.buffer ? Buffer.from(target.buffer) : undefined
  })
}
