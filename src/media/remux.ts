// Video as MP4, the only container that Telegram plays. MOV with a playable codec is repacked; WebM is encoded anew by ffmpeg.

import { z } from 'zod'
import { decode } from './decoders.ts'
import { runFfmpeg } from './ffmpeg.ts'
import { probeVideo, type VideoFacts } from './probe.ts'

const bytesMax = 50 * 1024 * 1024
const demuxers = { mp4: 'mov', mov: 'mov', webm: 'matroska' } as const
const encoding = '-pix_fmt yuv420p -c:v libx264 -preset veryfast -crf 20'.split(' ')
/** H.264 accepts only even widths and heights. */
const even = ['-vf', 'crop=trunc(iw/2)*2:trunc(ih/2)*2']
const sound = ['-c:a', 'aac', '-b:a', '128k']

/** Converts a video to MP4; an MP4 is returned unchanged. Undefined when the bytes are not a video, or cannot be encoded here. */
export async function toMp4(bytes: Buffer, timeoutMs = 300_000): Promise<Buffer | undefined> {
  if (bytes.length > bytesMax) return undefined
  const facts = await probeVideo(bytes)
  if (!facts || facts.container === 'mp4') return facts && bytes
  const repacked = facts.isPlayed
    ? await decode('repack', bytes, z.instanceof(Buffer), { timeoutMs })
    : undefined
  return repacked ?? encode(bytes, facts, timeoutMs)
}

async function encode(bytes: Buffer, { container, isPlayed }: VideoFacts, timeoutMs: number) {
  const picture = isPlayed ? ['-c:v', 'copy'] : [...even, ...encoding]
  const files = await runFfmpeg({
    bytes,
    reads: demuxers[container],
    options: ['-sn', '-dn', ...picture, ...sound, '-movflags', '+faststart'],
    output: 'out.mp4',
    timeoutMs,
  })
  return files?.[0]
}
