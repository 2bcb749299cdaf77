// The name under which a file of a message is saved: its own name, or one as Telegram gives it to a file without a name.

import type { MediaFacts } from './media-facts.ts'

const extensions: Readonly<Record<string, string>> = {
  'image/jpeg': 'jpg',
  'image/svg+xml': 'svg',
  'audio/mpeg': 'mp3',
  'audio/ogg': 'ogg',
  'audio/mp4': 'm4a',
  'video/quicktime': 'mov',
  'text/plain': 'txt',
  'model/gltf-binary': 'glb',
}

/**
 * Extensions of files without a name. Telegram turns every photo into a JPEG. The sandbox keeps the sent file, which may be of another
 * type; browsers detect that.
 */
const usual = {
  photo: 'jpg',
  animation: 'mp4',
  video: 'mp4',
  video_note: 'mp4',
  voice: 'ogg',
  audio: 'mp3',
  document: 'bin',
}

function extensionOf({ kind, mime }: MediaFacts): string {
  const subtype = /^(?:image|audio|video|application)\/([a-z0-9]+)$/.exec(mime)?.[1]
  return extensions[mime] ?? subtype ?? usual[kind]
}

const two = (n: number) => String(n).padStart(2, '0')

function stamp(unixSeconds: number): string {
  const at = new Date(unixSeconds * 1000)
  const day = [at.getFullYear(), two(at.getMonth() + 1), two(at.getDate())].join('-')
  return `${day}_${[at.getHours(), at.getMinutes(), at.getSeconds()].map(two).join('-')}`
}

/**
 * For example `cat.mp4`, `Ann - Song.mp3`, or `photo_2026-11-22_12-30-05_17.jpg` with the id of the message, which differs within an album.
 */
export function fileName(media: MediaFacts): string {
  if (media.name) return media.name
  const named = [media.performer, media.title]
    .filter(Boolean)
    .join(' - ')
    .replace(/[\\/:*?"<>|]+/g, '_')
  const base = named || `${media.kind}_${stamp(media.date)}_${media.messageId}`
  return `${base}.${extensionOf(media)}`
}
