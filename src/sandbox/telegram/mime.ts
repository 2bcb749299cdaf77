// The media type of a file, from its first bytes or else from its name. The declared type is ignored, since it is often wrong.

const ascii = (bytes: Buffer, from: number, to: number) => bytes.toString('latin1', from, to)

function isoMedia(bytes: Buffer): string {
  const brand = ascii(bytes, 8, 12)
  if (brand === 'qt  ') return 'video/quicktime'
  return brand.startsWith('M4A') ? 'audio/mp4' : 'video/mp4'
}

const isMp3 = (bytes: Buffer) =>
  ascii(bytes, 0, 3) === 'ID3' || (bytes[0] === 0xff && ((bytes[1] ?? 0) & 0xe6) === 0xe2)

const ebml = (bytes: Buffer) => (ascii(bytes, 0, 64).includes('webm') ? 'video/webm' : 'video/x-matroska')

const riff = (bytes: Buffer) => (ascii(bytes, 8, 12) === 'WEBP' ? 'image/webp' : 'audio/wav')

const signatures: readonly [string, number, string | ((bytes: Buffer) => string)][] = [
  ['\x89PNG', 0, 'image/png'],
  ['\xff\xd8\xff', 0, 'image/jpeg'],
  ['GIF8', 0, 'image/gif'],
  ['RIFF', 0, riff],
  ['ftyp', 4, isoMedia],
  ['\x1aE\xdf\xa3', 0, ebml],
  ['OggS', 0, 'audio/ogg'],
  ['fLaC', 0, 'audio/flac'],
  ['%PDF', 0, 'application/pdf'],
  ['PK\x03\x04', 0, 'application/zip'],
  ['glTF', 0, 'model/gltf-binary'],
]

const extensions: Readonly<Record<string, string>> = {
  txt: 'text/plain',
  md: 'text/markdown',
  csv: 'text/csv',
  json: 'application/json',
  svg: 'image/svg+xml',
  html: 'text/html',
  glb: 'model/gltf-binary',
  obj: 'model/obj',
  stl: 'model/stl',
  mp3: 'audio/mpeg',
  zip: 'application/zip',
  tgs: 'application/x-tgsticker',
}

export function mimeOf(bytes: Buffer, name: string): string {
  const signature = signatures.find(([text, at]) => ascii(bytes, at, at + text.length) === text)?.[2]
  if (signature !== undefined) return typeof signature === 'string' ? signature : signature(bytes)
  if (isMp3(bytes)) return 'audio/mpeg'
  const extension = /\.([a-z0-9]+)$/i.exec(name)?.[1]?.toLowerCase() ?? ''
  return extensions[extension] ?? 'application/octet-stream'
}

/** Whether an Ogg file contains Opus. */
export const isOpus = (bytes: Buffer): boolean => ascii(bytes, 0, 128).includes('OpusHead')
