// The data that were read together with an update: see updates/known.ts.

import type { Context } from 'grammy'
import type { Update } from 'grammy/types'
import type { Known } from '../updates/known.ts'

const knownByUpdate = new WeakMap<Update, Known>()

export const remember = (update: Update, known: Known): void => void knownByUpdate.set(update, known)

/** @returns undefined when nothing was read with the update, or it concerns another person than the sender */
export function knownOf({ update, from }: Context): Known | undefined {
  const known = knownByUpdate.get(update)
  return known?.telegramId === from?.id ? known : undefined
}
