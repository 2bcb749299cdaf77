// What a picture is, and within which bounds foreign ones are opened.

import sharp from 'sharp'

export interface ImageFacts {
  /** As it is shown, after the turn that a camera may have noted in it. */
  readonly width: number
  readonly height: number
  readonly format: 'png' | 'jpeg' | 'webp'
}

/** Of more pixels it would fill the memory when it is unpacked; of an animation only the first frame is. */
export const imageOptions = { limitInputPixels: 64_000_000, pages: 1 }
export const imageTimeout = { seconds: 20 }

/** By the first bytes; undefined when it is no picture. */
export function imageExtension(bytes: Buffer): 'png' | 'jpg' | 'webp' | 'svg' | undefined {
  const head = bytes.toString('latin1', 0, 1000)
  if (head.startsWith('\x89PNG')) return 'png'
  if (head.startsWith('\xff\xd8\xff')) return 'jpg'
  if (/^RIFF.{4}WEBP/s.test(head)) return 'webp'
  return /^[^<]{0,10}<(svg|\?xml|!--|!DOCTYPE svg)/.test(head) && /<svg\b/.test(head) ? 'svg' : undefined
}

/** Nothing else is even opened: the library reads much more, from SVG to PDF, and strangers could send all of it. */
export const isPhotograph = (bytes: Buffer): boolean => /^(png|jpg|webp)$/.test(imageExtension(bytes) ?? '')

export async function probeImage(bytes: Buffer): Promise<ImageFacts | undefined> {
  if (!isPhotograph(bytes)) return undefined
  try {
    const { format, autoOrient } = await sharp(bytes, imageOptions).metadata()
    if (format !== 'png' && format !== 'jpeg' && format !== 'webp') return undefined
    return { width: autoOrient.width, height: autoOrient.height, format }
  } catch {
    return undefined
  }
}
