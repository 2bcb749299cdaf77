// Passes a callback of the gateway to the app without HTTP.

import { idsIn, receiveCallback } from '../../../src/orders/callback.ts'
import type { Generation } from '../../../src/orders/generation.ts'
import type { GenerationWorld } from '../worlds/generations.ts'

/** @returns whether the token is known */
export const callBack = (
  { deps }: GenerationWorld,
  { callbackToken }: Generation,
  body?: unknown,
): Promise<boolean> => receiveCallback(deps, callbackToken, idsIn(body))
