// Prepares pictures for models that see them: a format that every vendor reads, and no more pixels than models look at. The request with
// the picture stays in memory as long as the answer is being written.

import { formatOf } from './format.ts'
import { createGate } from './gate.ts'
import { imageOptions, imageTimeout, isPhotograph } from './image.ts'
import { mimeNamed } from './mime.ts'
import { loadSharp } from './sharp.ts'

interface SeenPicture {
  readonly bytes: Buffer
  readonly mime: string
}

/** The formats that are decoded. SVG is not: it is a program for a picture, and the files are untrusted. */
const decoded = new Set(['png', 'jpg', 'webp', 'gif', 'tiff', 'avif'])
const decodedTypes = new Set([...decoded].map(mimeNamed).concat('image/jpg'))
/** A smaller picture is sent as it is. */
const most = { bytes: 1024 * 1024, side: 2048 }
const quality = 88
const gate = createGate(2)

/** Whether a picture of this type can be prepared, unless it is broken. */
export const mayBeSeen = (mime: string): boolean => decodedTypes.has(mime)

/** @returns undefined when the picture cannot be decoded here */
export async function pictureForModel(bytes: Buffer): Promise<SeenPicture | undefined> {
  const extension = formatOf(bytes, { type: '', urls: [] })?.extension ?? ''
  if (!decoded.has(extension)) return undefined
  return gate(() => prepared(bytes, mimeNamed(extension))).catch(() => undefined)
}

async function prepared(bytes: Buffer, mime: string): Promise<SeenPicture> {
  const sharp = await loadSharp()
  const { width, height, hasAlpha } = await sharp(bytes, imageOptions).metadata()
  const isSmall = bytes.length <= most.bytes && Math.max(width, height) <= most.side
  if (isSmall && isPhotograph(bytes)) return { bytes, mime }
  const picture = sharp(bytes, imageOptions)
    .autoOrient()
    .resize({ width: most.side, height: most.side, fit: 'inside', withoutEnlargement: true })
    .timeout(imageTimeout)
  // Transparency is kept, since dark and light drawings need different backgrounds.
  if (hasAlpha) return { bytes: await picture.webp({ quality }).toBuffer(), mime: 'image/webp' }
  return { bytes: await picture.jpeg({ quality }).toBuffer(), mime: 'image/jpeg' }
}
