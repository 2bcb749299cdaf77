// A callback as the gateway sends it, without HTTP.

import { candidatesIn } from '../../src/generations/callback-body.ts'
import { receiveCallback } from '../../src/generations/callbacks.ts'
import type { Generation } from '../../src/generations/generation.ts'
import type { World } from './world.ts'

export const callBack = ({ deps }: World, { callbackToken }: Generation, body?: unknown): Promise<boolean> =>
  receiveCallback(deps, callbackToken, candidatesIn(body))
