// A preview image of a 3D model: Telegram cannot show the model itself.

import { z } from 'zod'
import { decode } from './decoders.ts'
import { isGlb } from './probe.ts'

/** The longest that the delivery of a model waits for its preview; most previews are drawn within half a second. */
const usualBudgetMs = 2000
/** The time limit of the drawing itself. The processor time of the drawing is limited by the budget, however busy the machine is. */
const longestMs = 30_000

/** Draws a preview as JPEG; undefined when the bytes are not a GLB, cannot be decoded here, or cannot be drawn in time. */
export async function previewGlb(bytes: Buffer, budgetMs = usualBudgetMs): Promise<Buffer | undefined> {
  if (!isGlb(bytes)) return undefined
  const late = AbortSignal.timeout(budgetMs)
  const over = new Promise<undefined>((resolve) => late.addEventListener('abort', () => resolve(undefined)))
  const limits = { timeoutMs: Math.max(budgetMs, longestMs), cpuMs: budgetMs }
  return Promise.race([over, decode('preview', bytes, z.instanceof(Buffer), limits)])
}
