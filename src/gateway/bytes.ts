// Bytes that came inside JSON, and their type by the first bytes: names and headers can be wrong.

/** Decodes hexadecimal text; undefined when the text is not hexadecimal. */
export function fromHex(text: string): Buffer | undefined {
  const isHex = text.length > 0 && text.length % 2 === 0 && !/[^0-9a-f]/i.test(text)
  return isHex ? Buffer.from(text, 'hex') : undefined
}

/** Decodes base64, also in a data URI; undefined when the text is not base64. */
export function fromBase64(text: string): Buffer | undefined {
  const body = text.replace(/^data:[^,]{0,200};base64,/, '')
  if (/[^\w+/=\s-]/.test(body)) return undefined
  const bytes = Buffer.from(body, 'base64')
  return bytes.length > 0 ? bytes : undefined
}

const latin = (bytes: Buffer, from: number, to: number) => bytes.toString('latin1', from, to)

/** The type of an image; undefined when the bytes are not an image of a format that the gateway makes. Vector styles produce SVG. */
export function imageMime(bytes: Buffer): string | undefined {
  const head = latin(bytes, 0, 300)
  if (head.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png'
  if (head.startsWith('\xff\xd8\xff')) return 'image/jpeg'
  if (/^RIFF.{4}WEBP/s.test(head)) return 'image/webp'
  if (/^GIF8[79]a/.test(head)) return 'image/gif'
  if (/^\s*(<\?xml|<svg)/.test(head)) return 'image/svg+xml'
  return undefined
}

export function audioMime(bytes: Buffer): string {
  const head = latin(bytes, 0, 4)
  if (head.startsWith('ID3') || isMp3Frame(bytes)) return 'audio/mpeg'
  if (head === 'RIFF') return 'audio/wav'
  if (head === 'fLaC') return 'audio/flac'
  if (head === 'OggS') return 'audio/ogg'
  return 'application/octet-stream'
}

/** Whether the bytes begin with the header of an MP3 frame: eleven set bits, MPEG 1, 2 or 2.5, layer III. */
function isMp3Frame(bytes: Buffer): boolean {
  const [first, second = 0] = bytes
  return first === 0xff && (second & 0xe0) === 0xe0 && (second & 0x18) !== 0x08 && (second & 0x06) === 0x02
}
