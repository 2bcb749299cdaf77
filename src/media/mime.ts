// MIME types of pictures, videos and sounds, by their bytes.

import { type Format, formatNamed, formatOf } from './format.ts'

/** In bytes; enough to recognise a format. */
export const headBytes = 4096

/** Containers of sound, of video or of both. */
const containers = new Set(['mp4', 'mov', 'm4a', 'webm', 'mkv', 'ogg'])
const mimes: Readonly<Record<string, string>> = {
  jpg: 'image/jpeg',
  svg: 'image/svg+xml',
  mov: 'video/quicktime',
  mkv: 'video/x-matroska',
  mp3: 'audio/mpeg',
  m4a: 'audio/mp4',
}

/** @returns undefined for files that are neither picture nor video nor sound, and for raw sound, which no program recognises */
function mimeOf({ kind, extension }: Format): string | undefined {
  const isMedium = kind === 'image' || kind === 'video' || kind === 'audio'
  return isMedium && extension !== 'pcm' ? (mimes[extension] ?? `${kind}/${extension}`) : undefined
}

/** The type of a file with this extension. */
export const mimeNamed = (extension: string): string =>
  mimeOf(formatNamed(extension)) ?? 'application/octet-stream'

/**
 * The type of a file by its first bytes, or the declared one where they leave it open.
 * @returns undefined for files that are neither picture nor video nor sound
 */
export function mimeIn(bytes: Buffer, said: string): string | undefined {
  const format = formatOf(bytes.subarray(0, headBytes), { type: '', urls: [] })
  const isOpen = format?.extension === 'bin' || containers.has(format?.extension ?? '')
  return isOpen && /^(audio|video)\//i.test(said) ? said : format && mimeOf(format)
}
