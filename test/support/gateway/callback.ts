// Passes a callback of the gateway to the app without HTTP.

import type { Generation } from '../../../src/generations/generation.ts'
import { candidatesIn } from '../../../src/tracker/callback-body.ts'
import { receiveCallback } from '../../../src/tracker/callbacks.ts'
import type { GenerationWorld } from '../worlds/generations.ts'

/** @returns whether the token is known */
export const callBack = (
  { deps }: GenerationWorld,
  { callbackToken }: Generation,
  body?: unknown,
): Promise<boolean> => receiveCallback(deps, callbackToken, candidatesIn(body))
