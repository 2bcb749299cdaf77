// Video as MP4, the one kind that Telegram plays. MOV is only packed anew; WebM has to be encoded anew, by ffmpeg.

import {
  BufferTarget,
  Conversion,
  type Input,
  type InputVideoTrack,
  Mp4OutputFormat,
  Output,
} from 'mediabunny'
import { withMedia } from './container.ts'
import { runFfmpeg } from './ffmpeg.ts'
import { probeVideo, type VideoFacts } from './probe.ts'

const bytesMax = 50 * 1024 * 1024
const demuxers = { mp4: 'mov', mov: 'mov', webm: 'matroska' } as const
const encoding = '-pix_fmt yuv420p -c:v libx264 -preset veryfast -crf 20'.split(' ')
/** H.264 knows only even sizes. */
const even = ['-vf', 'crop=trunc(iw/2)*2:trunc(ih/2)*2']
const sound = ['-c:a', 'aac', '-b:a', '128k']

/** An MP4 comes back as it is. Undefined when it is no video, or when nothing here can encode it. */
export async function toMp4(bytes: Buffer, timeoutMs = 300_000): Promise<Buffer | undefined> {
  if (bytes.length > bytesMax) return undefined
  const container = (await probeVideo(bytes))?.container
  if (!container || container === 'mp4') return container && bytes
  return (await repack(bytes)) ?? encode(bytes, container, timeoutMs)
}

/** Undefined when a track is of a kind that players do not expect in an MP4. */
function repack(bytes: Buffer): Promise<Buffer | undefined> {
  return withMedia(bytes, async (input) => {
    if (!(await fitsMp4(input))) return undefined
    const target = new BufferTarget()
    const output = new Output({ format: new Mp4OutputFormat({ fastStart: 'in-memory' }), target })
    const copy = { mode: 'forced', shiftTolerance: Number.POSITIVE_INFINITY } as const
    const conversion = await Conversion.init({ input, output, tracks: 'primary', copy, showWarnings: false })
    if (!conversion.isValid || conversion.discardedTracks.length > 0) return undefined
    await conversion.execute()
    return target.buffer ? Buffer.from(target.buffer) : undefined
  })
}

async function fitsMp4(input: Input): Promise<boolean> {
  const [video, audio] = await Promise.all([input.getPrimaryVideoTrack(), input.getPrimaryAudioTrack()])
  const audioCodec = await audio?.getCodec()
  return (await isPlayed(video)) && (!audio || audioCodec === 'aac' || audioCodec === 'mp3')
}

async function isPlayed(video: InputVideoTrack | null): Promise<boolean> {
  const codec = await video?.getCodec()
  return codec === 'avc' || codec === 'hevc'
}

async function encode(bytes: Buffer, container: VideoFacts['container'], timeoutMs: number) {
  const hasPicture = await withMedia(bytes, async (input) => isPlayed(await input.getPrimaryVideoTrack()))
  const picture = hasPicture ? ['-c:v', 'copy'] : [...even, ...encoding]
  const files = await runFfmpeg({
    bytes,
    reads: demuxers[container],
    options: ['-sn', '-dn', ...picture, ...sound, '-movflags', '+faststart'],
    output: 'out.mp4',
    timeoutMs,
  })
  return files?.[0]
}
