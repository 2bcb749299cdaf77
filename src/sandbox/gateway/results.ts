// The results of completed tasks: the files behind links, `/cdn/<task>-<index>.<format>`, without authentication, with byte ranges; and
// synchronous answers: "the synchronous image result" is JSON, speech is a binary body. Where
// gateway-api.md shows nothing, the answer was chosen here: speech with `output_format: url` is `{"data": [{"url"}]}`, a failed generation is a
// 422, and FLAC and PCM, which match none of the four documented content types, have their own.

import { partOf } from '../http.ts'
import { type Answer, GatewayRefusal, json } from './answer.ts'
import { type Artifact, contentType, readArtifact } from './artifacts.ts'
import { uuidFrom } from './references.ts'
import type { Call } from './routes.ts'
import { namesOf, statusAt, type Task, type Tasks } from './tasks.ts'

/** A mark in a prompt: the first file of the task can never be read. */
const goneMark = '[gone]'

/** @throws GatewayRefusal */
export async function readFromCdn(
  find: Tasks['find'],
  now: Date,
  name: string,
  { headers: { range } }: Call,
): Promise<Answer> {
  const task = find(name.replace(/-\d+\.\w+$/, ''))
  const index = task && statusAt(task, now.getTime()) === 'completed' ? namesOf(task).indexOf(name) : -1
  const artifact = task?.artifacts[index]
  if (!artifact) throw new GatewayRefusal(404, 'unknown_file', `no file "${name}"`)
  if (index === 0 && task.prompt.includes(goneMark))
    throw new GatewayRefusal(410, 'file_gone', `the file "${name}" is no longer there`)
  const bytes = await readArtifact(artifact)
  const { status, start, end, headers: told } = partOf(range, bytes.length)
  return {
    status,
    headers: { ...told, 'content-type': contentType(artifact) },
    body: bytes.subarray(start, end + 1),
  }
}

const pieceBytes = 16 * 1024

/** Sound as events: pieces in hexadecimal, and an end without sound. gateway-api.md does not show them. */
function streamed(bytes: Buffer): Answer {
  const count = Math.ceil(bytes.length / pieceBytes)
  const pieces = Array.from({ length: count }, (_, at) =>
    bytes.subarray(at * pieceBytes, (at + 1) * pieceBytes).toString('hex'),
  )
  const events = [...pieces.map((audio) => ({ data: { audio, status: 1 } })), { data: { status: 2 } }]
  const body = Buffer.from(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(''))
  return { status: 200, headers: { 'content-type': 'text/event-stream' }, body }
}

export async function syncAnswer(task: Task, body: Record<string, unknown>, cdn: string): Promise<Answer> {
  const [first] = task.artifacts
  if (!first || task.ending !== 'completed') {
    throw new GatewayRefusal(422, 'generation_failed', task.error ?? 'The model made no result.')
  }
  const links = namesOf(task).map((name) => ({ url: `${cdn}/${name}` }))
  if (task.modality === 'image') {
    const data = await Promise.all(task.artifacts.map(item))
    return json(200, { created: Math.floor(task.createdAt / 1000), data, provider: 'sandbox' })
  }
  if (body.output_format === 'url') return json(200, { data: links })
  const bytes = await readArtifact(first)
  if (body.stream === true) return streamed(bytes)
  return { status: 200, headers: { 'content-type': contentType(first) }, body: bytes }

  async function item(artifact: Artifact, index: number) {
    const facts = { taskUUID: uuidFrom(`${task.id}-${index}`), seed: artifact.seed }
    if (body.response_format !== 'b64_json') return { ...links[index], ...facts }
    return { b64_json: (await readArtifact(artifact)).toString('base64'), ...facts }
  }
}
