// The same pictures and sound in an MP4, without encoding anything anew. For a thread, as facts.ts is.

import { BufferTarget, Conversion, Mp4OutputFormat, Output } from 'mediabunny'
import { withMedia } from './container.ts'

/** Undefined when its sound is of a kind that players do not expect in an MP4; of its pictures that has been asked before. */
export function repack(bytes: Buffer): Promise<Uint8Array<ArrayBuffer> | undefined> {
  return withMedia(bytes, async (input) => {
    const sound = await input.getPrimaryAudioTrack()
    const codec = await sound?.getCodec()
    if (sound && codec !== 'aac' && codec !== 'mp3') return undefined
    const target = new BufferTarget()
    const output = new Output({ format: new Mp4OutputFormat({ fastStart: 'in-memory' }), target })
    const copy = { mode: 'forced', shiftTolerance: Number.POSITIVE_INFINITY } as const
    const conversion = await Conversion.init({ input, output, tracks: 'primary', copy, showWarnings: false })
    if (!conversion.isValid || conversion.discardedTracks.length > 0) return undefined
    await conversion.execute()
    return target.buffer ? new Uint8Array(target.buffer) : undefined
  })
}
