// Video as MP4, the one kind that Telegram plays. MOV is only packed anew; WebM has to be encoded anew, by ffmpeg.

import { runFfmpeg } from './ffmpeg.ts'
import { probeVideo, type VideoFacts } from './probe.ts'
import { runInThread } from './thread.ts'

const bytesMax = 50 * 1024 * 1024
const demuxers = { mp4: 'mov', mov: 'mov', webm: 'matroska' } as const
const encoding = '-pix_fmt yuv420p -c:v libx264 -preset veryfast -crf 20'.split(' ')
/** H.264 knows only even sizes. */
const even = ['-vf', 'crop=trunc(iw/2)*2:trunc(ih/2)*2']
const sound = ['-c:a', 'aac', '-b:a', '128k']
const packer = new URL('./repack-worker.ts', import.meta.url)

/** An MP4 comes back as it is. Undefined when it is no video, or when nothing here can encode it. */
export async function toMp4(bytes: Buffer, timeoutMs = 300_000): Promise<Buffer | undefined> {
  if (bytes.length > bytesMax) return undefined
  const facts = await probeVideo(bytes)
  if (!facts || facts.container === 'mp4') return facts && bytes
  const packed = facts.isPlayed ? await runInThread(packer, bytes, { timeoutMs }) : undefined
  return packed ?? encode(bytes, facts, timeoutMs)
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
