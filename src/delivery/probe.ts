// What a video file is: Telegram shows it right only when it is told the size and the duration.

import { ALL_FORMATS, BufferSource, Input } from 'mediabunny'

export interface VideoFacts {
  readonly width: number
  readonly height: number
  /** Whole seconds, at least one. */
  readonly duration: number
  readonly container: 'mp4' | 'webm' | 'mov'
}

/** Undefined when the bytes are not a video. */
export async function probeVideo(bytes: Buffer): Promise<VideoFacts | undefined> {
  const input = new Input({ source: new BufferSource(bytes), formats: ALL_FORMATS })
  try {
    const track = await input.getPrimaryVideoTrack()
    if (!track) return undefined
    const [width, height, seconds] = await Promise.all([
      track.getDisplayWidth(),
      track.getDisplayHeight(),
      input.computeDuration(),
    ])
    const mime = await input.getMimeType()
    const container = mime.includes('webm') ? 'webm' : mime.includes('quicktime') ? 'mov' : 'mp4'
    return { width, height, duration: Math.max(1, Math.round(seconds)), container }
  } catch {
    return undefined
  } finally {
    input.dispose()
  }
}
