// A preview image of a 3D model: Telegram cannot show the model itself.

import { threadScript } from '../folders.ts'
import { isGlb } from './probe.ts'
import { loadSharp } from './sharp.ts'
import { runInThreadWithin, warmUp } from './thread.ts'

const bytesMax = 50 * 1024 * 1024
/**
 * The longest description, which is JSON, in a GLB. V8 ends the whole process when one call needs more heap than a thread may have, and
 * parsing JSON takes up to thirty times its size. The description of a large scene is shorter than one megabyte.
 */
const jsonBytesMax = 4 * 1024 * 1024
const previewPixels = 1024
const drawing = threadScript('media/worker', 'preview')

/** The longest that the delivery of a model waits for its preview; most previews are drawn within half a second. */
const usualBudgetMs = 2000
/** The time limit of the drawing itself. The processor time of the drawing is limited by the budget, however busy the machine is. */
const longestMs = 30_000

/** Prepares a thread. Call it when a preview will be needed soon: starting the thread takes a large part of the time. */
export const expectPreview = (): void => warmUp(drawing)

/** Draws a preview as JPEG; undefined when the bytes are not a GLB, cannot be decoded here, or cannot be drawn in time. */
export async function previewGlb(bytes: Buffer, budgetMs = usualBudgetMs): Promise<Buffer | undefined> {
  if (bytes.length > bytesMax || !isGlb(bytes) || bytes.readUInt32LE(12) > jsonBytesMax) return undefined
  const limits = { timeoutMs: Math.max(budgetMs, longestMs), cpuMs: budgetMs }
  const pixels = await runInThreadWithin(drawing, bytes, budgetMs, limits)
  if (!pixels) return undefined
  const side = Math.sqrt(pixels.length / 3)
  const raw = { width: side, height: side, channels: 3 } as const
  const sharp = await loadSharp()
  return sharp(pixels, { raw }).resize(previewPixels).jpeg({ quality: 90 }).toBuffer()
}
