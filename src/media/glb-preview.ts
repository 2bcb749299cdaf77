// A picture of a 3D model, for a chat that can not show the model itself.

import sharp from 'sharp'
import { drawnPixels, previewPixels } from './glb/size.ts'
import { isGlb } from './probe.ts'
import { runInThreadWithin, warmUp } from './thread.ts'

const bytesMax = 50 * 1024 * 1024
const drawing = new URL('./glb/worker.ts', import.meta.url)

/** The model waits no longer for its picture; most are drawn in less than half a second. */
const usualBudgetMs = 2000
const longestMs = 10_000

/** A preview is soon to be drawn: the thread that draws it needs a good part of the time to begin. */
export const expectPreview = (): void => warmUp(drawing)

/** A JPEG. Undefined when it is no GLB, packed in a way that is not read here, or more than can be drawn in time. */
export async function previewGlb(bytes: Buffer, budgetMs = usualBudgetMs): Promise<Buffer | undefined> {
  if (bytes.length > bytesMax || !isGlb(bytes)) return undefined
  const pixels = await runInThreadWithin(drawing, bytes, budgetMs, {
    timeoutMs: Math.max(budgetMs, longestMs),
  })
  if (pixels?.length !== drawnPixels * drawnPixels * 3) return undefined
  const raw = { width: drawnPixels, height: drawnPixels, channels: 3 } as const
  return sharp(pixels, { raw }).resize(previewPixels).jpeg({ quality: 90 }).toBuffer()
}
