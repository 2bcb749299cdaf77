// Opens a media file that is in memory. Playlists (HLS) are left out: they name other files, and nothing here fetches.

import {
  ADTS,
  BufferSource,
  FLAC,
  Input,
  type InputFormat,
  MATROSKA,
  MP3,
  MP4,
  OGG,
  QTFF,
  WAVE,
  WEBM,
} from 'mediabunny'

const formats: InputFormat[] = [MP4, QTFF, WEBM, MATROSKA, MP3, WAVE, OGG, FLAC, ADTS]

/** Undefined when the bytes are no media file, or when `read` meets something it can not go on with. */
export async function withMedia<T>(
  bytes: Buffer,
  read: (input: Input) => Promise<T | undefined>,
): Promise<T | undefined> {
  const input = new Input({ source: new BufferSource(bytes), formats })
  try {
    return await read(input)
  } catch {
    return undefined
  } finally {
    input.dispose()
  }
}
