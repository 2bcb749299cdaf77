// How long a task takes: in the queue, and altogether. About as long as the real thing, divided by the sandbox's speed.

import type { Modality } from '../../catalog/model.ts'

export interface Pace {
  readonly queuedMs: number
  readonly totalMs: number
}

const baseSeconds: Readonly<Record<Modality, number>> = { image: 4, audio: 6, video: 12, object3d: 20 }

/** @param seconds how long the result plays, for what is sold by the second */
export function paceOf(modality: Modality, seconds: number, speed: number): Pace {
  return { queuedMs: 2000 / speed, totalMs: ((baseSeconds[modality] + seconds) * 1000) / speed }
}
