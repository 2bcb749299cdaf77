// Media generation: the answer is a task, or the results themselves. Source: gateway-api.md, "Task", "Synchronous image
// result" and "Synchronous speech result". Speech with `output_format` set has no shown shape; the usual ones are read.

import { z } from 'zod'
import { type Answer, isWebUrl, malformed, understand } from './answer.ts'
import { audioMime, fromBase64, fromHex, imageMime } from './bytes.ts'
import type { Http } from './http.ts'
import { taskStatus } from './tasks.ts'

export type Result = { readonly url: string } | { readonly bytes: Buffer; readonly mime: string }
export type Created =
  | { readonly kind: 'task'; readonly id: string }
  /** At least one result. */
  | { readonly kind: 'done'; readonly results: readonly Result[] }

export interface Media {
  /** @throws GatewayError; GatewayUnknownOutcome means that a task or a charge may exist. */
  create(path: string, body: Readonly<Record<string, unknown>>): Promise<Created>
}

const task = z.object({ id: z.string().min(1) })
/** With HTTP 200 an `id` alone need not be that of a task. */
const begun = task.extend({ status: taskStatus })

const operation = 'create task'

export function createMedia(http: Http): Media {
  return {
    create: async (path, body) =>
      createdIn(await http.call({ operation, method: 'POST', path, body, making: true })),
  }
}

function createdIn(answer: Answer): Created {
  const { status, type, bytes } = answer
  if (status === 200 && type.startsWith('audio/') && bytes.length > 0) {
    return { kind: 'done', results: [{ bytes, mime: type }] }
  }
  const body = answer.json()
  if (status !== 200) return { kind: 'task', id: understand(operation, task, body).id }
  const results = itemsOf(body).flatMap((item) => resultOf(item) ?? [])
  if (results.length > 0) return { kind: 'done', results }
  const { data } = begun.safeParse(body)
  if (data) return { kind: 'task', id: data.id }
  throw malformed(operation, body)
}

const envelope = z.object({ data: z.unknown() })
const text = z.string().min(1).optional().catch(undefined)
const fields = z.object({ url: text, b64_json: text, audio: text })

/** Where a result can be: the items of `data`, `data` itself, or the whole body. */
function itemsOf(body: unknown): readonly unknown[] {
  const data = envelope.safeParse(body).data?.data
  return Array.isArray(data) ? data : [data, body]
}

function resultOf(item: unknown): Result | undefined {
  const { url, b64_json, audio } =
    fields.safeParse(typeof item === 'string' ? { audio: item } : item).data ?? {}
  const link = [url, audio].find((one) => one !== undefined && isWebUrl(one))
  if (link !== undefined) return { url: link }
  const image = b64_json === undefined ? undefined : fromBase64(b64_json)
  const imageType = image && imageMime(image)
  if (image && imageType) return { bytes: image, mime: imageType }
  const sound = audio === undefined ? undefined : fromHex(audio)
  return sound && { bytes: sound, mime: audioMime(sound) }
}
