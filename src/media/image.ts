// Recognises the formats in which pictures are delivered.

/** The extension of an image, by its first bytes; undefined when they are not those of an image. */
export function imageExtension(bytes: Buffer): 'png' | 'jpg' | 'webp' | 'svg' | undefined {
  const head = bytes.toString('latin1', 0, 1000)
  if (head.startsWith('\x89PNG')) return 'png'
  if (head.startsWith('\xff\xd8\xff')) return 'jpg'
  if (/^RIFF.{4}WEBP/s.test(head)) return 'webp'
  return /^[^<]{0,10}<(svg|\?xml|!--|!DOCTYPE svg)/.test(head) && /<svg\b/.test(head) ? 'svg' : undefined
}

/** Whether an image has one of the formats that Telegram and all models take. */
export const isPhotograph = (bytes: Buffer): boolean => /^(png|jpg|webp)$/.test(imageExtension(bytes) ?? '')
