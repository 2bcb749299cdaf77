// The address to which the gateway uploads a finished video. It belongs to the operator and differs for each order: a template in the
// catalog file, or the output of the operator's command, because a presigned address is made for one upload.

import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { z } from 'zod'
import { fillUploadAddress, uploadPath } from '../catalog/video-common.ts'
import type { Log } from '../runtime/log.ts'

const run = promisify(execFile)
const timeoutMs = 10_000
const address = z.url({ protocol: /^https?$/ })

interface Order {
  readonly id: string
  readonly request: Record<string, unknown>
}

/**
 * The part of the request body with the address; empty without one. A command that fails costs the upload, not the order.
 * @param command the operator's program with its arguments; the first line of its output is the address
 */
export async function uploadAddress(
  log: Log,
  { id, request }: Order,
  command: readonly string[] | undefined,
): Promise<Record<string, string>> {
  if (!command) {
    const template = request[uploadPath]
    return typeof template === 'string' ? { [uploadPath]: fillUploadAddress(template, id) } : {}
  }
  try {
    return { [uploadPath]: await ask(command, id) }
  } catch (error) {
    log.error({ generation: id, error }, 'the upload command gave no address; the video is not uploaded')
    return {}
  }
}

async function ask([program = '', ...args]: readonly string[], id: string): Promise<string> {
  const filled = args.map((arg) => fillUploadAddress(arg, id))
  const { stdout } = await run(program, filled, { timeout: timeoutMs, killSignal: 'SIGKILL' }).catch(refuse)
  const parsed = address.safeParse(stdout.split('\n', 1)[0]?.trim())
  if (parsed.success) return parsed.data
  // The output is not part of the message: a presigned address is a secret.
  throw new Error('the first line of the output is not an http(s) address')
}

/** @throws always: the message of Node contains the arguments and what the command printed, which may be secrets. */
function refuse(error: unknown): never {
  const { code, signal } = failure.parse(error)
  throw new Error(`the command ended with ${signal ?? code ?? 'an error'}`)
}

const failure = z.object({
  code: z.union([z.number(), z.string()]).nullish(),
  signal: z.string().nullish(),
})
