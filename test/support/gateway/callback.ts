// Hands the app a callback of the gateway, without HTTP.

import type { Generation } from '../../../src/generations/generation.ts'
import { candidatesIn } from '../../../src/tracker/callback-body.ts'
import { receiveCallback } from '../../../src/tracker/callbacks.ts'
import type { World } from '../worlds/generations.ts'

export const callBack = ({ deps }: World, { callbackToken }: Generation, body?: unknown): Promise<boolean> =>
  receiveCallback(deps, callbackToken, candidatesIn(body))
