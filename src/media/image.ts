// Reads format and size of an image, with limits for untrusted files.

import { loadSharp } from './sharp.ts'

export interface ImageFacts {
  /** Width and height as displayed: the EXIF orientation is applied. */
  readonly width: number
  readonly height: number
  readonly format: 'png' | 'jpeg' | 'webp'
}

/** Limits for decoding: more pixels would fill the memory, and only the first frame of an animation is decoded. */
export const imageOptions = { limitInputPixels: 8192 * 8192, pages: 1 }
export const imageTimeout = { seconds: 20 }

/** The extension of an image, by its first bytes; undefined when they are not those of an image. */
export function imageExtension(bytes: Buffer): 'png' | 'jpg' | 'webp' | 'svg' | undefined {
  const head = bytes.toString('latin1', 0, 1000)
  if (head.startsWith('\x89PNG')) return 'png'
  if (head.startsWith('\xff\xd8\xff')) return 'jpg'
  if (/^RIFF.{4}WEBP/s.test(head)) return 'webp'
  return /^[^<]{0,10}<(svg|\?xml|!--|!DOCTYPE svg)/.test(head) && /<svg\b/.test(head) ? 'svg' : undefined
}

/**
 * Whether an image may be opened. Other formats are not opened: the library also decodes SVG, PDF and more, and the files are untrusted.
 */
export const isPhotograph = (bytes: Buffer): boolean => /^(png|jpg|webp)$/.test(imageExtension(bytes) ?? '')

export async function probeImage(bytes: Buffer): Promise<ImageFacts | undefined> {
  if (!isPhotograph(bytes)) return undefined
  try {
    const sharp = await loadSharp()
    const { format, autoOrient } = await sharp(bytes, imageOptions).metadata()
    if (format !== 'png' && format !== 'jpeg' && format !== 'webp') return undefined
    return { width: autoOrient.width, height: autoOrient.height, format }
  } catch {
    return undefined
  }
}
