// The words that a video says: a speech model says them first, in an order of its own. The order of the video names the draft of the speech
// in its request, waits for the speech to be delivered, and takes its sound.

import { mapStrings, readStandIn, speechesIn, standIn } from '../catalog/media.ts'
import { artifactsOf, isSpoken, orderOf } from './deliver/job.ts'
import { attachmentFrom } from './deliver/result.ts'
import { type Generation, type GenerationDeps, hasResults } from './generation.ts'

type Deps = Pick<GenerationDeps, 'db' | 'catalog'>

/** @returns the request with the sound in place of the words; `awaited` while the speech is on its way, `missing` when it has no order yet */
export async function withSpeech(
  deps: Deps,
  request: Generation['request'],
): Promise<Generation['request'] | 'awaited' | 'missing' | 'failed'> {
  const [draftId] = speechesIn(request)
  if (draftId === undefined) return request
  const speech = await orderOf(deps, draftId)
  if (!speech) return 'missing'
  if (!isSpoken(speech)) return 'failed'
  if (!hasResults(speech) || speech.delivery === 'pending') return 'awaited'
  const [artifact] = await artifactsOf(deps, speech.id)
  const kind = deps.catalog.find(speech.modelId)?.delivers(speech.request).kind
  const sound = artifact && attachmentFrom(kind, artifact)
  if (sound?.medium !== 'audio') return 'failed'
  return mapStrings(request, async (text) =>
    readStandIn(text)?.via === 'speech' ? standIn(sound, 'link') : text,
  )
}
