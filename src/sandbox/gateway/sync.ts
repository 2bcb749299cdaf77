// Synchronous answers: "the synchronous image result" is JSON, speech is a binary body. Where gateway-api.md shows nothing, these were
// chosen here: speech with `output_format: url` is `{"data": [{"url"}]}`, a failed generation is a 422, and FLAC and PCM, which match none
// of the four documented content types, have their own.

import { type Answer, GatewayRefusal, json } from './answer.ts'
import { contentType } from './artifact-spec.ts'
import type { Artifacts } from './artifacts.ts'
import { artifactName, type Task } from './task.ts'

export async function syncAnswer(
  artifacts: Artifacts,
  task: Task,
  body: Record<string, unknown>,
  cdn: string,
): Promise<Answer> {
  const [first] = task.artifacts
  if (!first || task.ending !== 'completed') {
    throw new GatewayRefusal(422, 'generation_failed', task.error ?? 'The model made no result.')
  }
  const links = task.artifacts.map((spec, index) => ({ url: `${cdn}/${artifactName(task, index, spec)}` }))
  if (task.modality === 'image') {
    const data = await Promise.all(task.artifacts.map((spec, index) => item(spec, index)))
    return json(200, { created: Math.floor(task.createdAt / 1000), data, provider: 'sandbox' })
  }
  if (body.output_format === 'url') return json(200, { data: links })
  return { status: 200, headers: { 'content-type': contentType(first) }, body: await artifacts.read(first) }

  async function item(spec: Task['artifacts'][number], index: number) {
    const facts = { taskUUID: task.id, seed: spec.seed }
    if (body.response_format !== 'b64_json') return { ...links[index], ...facts }
    return { b64_json: (await artifacts.read(spec)).toString('base64'), ...facts }
  }
}
