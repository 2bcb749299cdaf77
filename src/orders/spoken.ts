// The words that a video says: a speech model says them first, in an order of its own. The order of the video names the draft of the speech
// in its request, waits for the speech to be delivered, and takes its sound.

import type { Attachment } from '../catalog/field.ts'
import { mapStrings, readStandIn, speechesIn, standIn } from '../catalog/media.ts'
import { artifactsOf, isSpoken, orderOf } from './deliver/job.ts'
import { attachmentFrom } from './deliver/result.ts'
import { type Generation, type GenerationDeps, hasResults } from './generation.ts'

type Deps = Pick<GenerationDeps, 'db' | 'catalog'>

/** Why there is no sound: `awaited` while the speech is on its way, `missing` when it has no order yet. */
type Unspoken = 'awaited' | 'missing' | 'failed'

/** @returns the request with the sound in place of the words */
export async function withSpeech(
  deps: Deps,
  request: Generation['request'],
): Promise<Generation['request'] | Unspoken> {
  const [draftId] = speechesIn(request)
  const sound = draftId === undefined ? undefined : await soundOf(deps, draftId)
  if (!sound) return request
  if (typeof sound === 'string') return sound
  return mapStrings(request, async (text) =>
    readStandIn(text)?.via === 'speech' ? standIn(sound, 'link') : text,
  )
}

async function soundOf(deps: Deps, draftId: string): Promise<Attachment | Unspoken> {
  const speech = await orderOf(deps, draftId)
  if (!speech) return 'missing'
  if (!isSpoken(speech)) return 'failed'
  if (!hasResults(speech) || speech.delivery === 'pending') return 'awaited'
  const [artifact] = await artifactsOf(deps, speech.id)
  const kind = deps.catalog.find(speech.modelId)?.delivers(speech.request).kind
  const sound = artifact && attachmentFrom(kind, artifact)
  return sound?.medium === 'audio' ? sound : 'failed'
}
