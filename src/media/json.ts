// JSON that comes where a file should: a 3D model in glTF, facts about a result, or an error.

import { z } from 'zod'

/** An error is short; a file of megabytes is not parsed to find out that it is none. */
const longestRefusal = 64 * 1024

const object = z.record(z.string(), z.unknown())
/** Where errors have their words; the gateway client reads the same and the usual others. */
const wordKeys = ['error', 'errors', 'message', 'msg', 'detail']

export function refusesInJson(bytes: Buffer): boolean {
  if (bytes.length > longestRefusal) return false
  const { data } = object.safeParse(parsed(bytes))
  return data !== undefined && !data.asset && wordKeys.some((key) => Boolean(data[key]))
}

function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString().replace(/^\ufeff/, ''))
  } catch {
    return undefined
  }
}

/** `asset` is the one property that every glTF has; not parsed, as it may be as large as any file. */
export const isGltf = (bytes: Buffer): boolean =>
  /^\s*\{/.test(bytes.toString('latin1', 0, 100)) &&
  bytes.includes('"asset"') &&
  ['"scenes"', '"meshes"', '"nodes"', '"buffers"'].some((key) => bytes.includes(key))
