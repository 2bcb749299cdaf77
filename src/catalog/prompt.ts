// The prompt of a request: the user's own words.

import { z } from 'zod'

/** The request paths of the prompt in all models. */
const promptPaths = ['positivePrompt', 'prompt', 'text'] as const

/** @param limit code points; a longer text is cut */
export function promptInRequest(request: Record<string, unknown>, limit = 300): string | undefined {
  const texts = [...promptPaths.map((path) => request[path]), scriptOf(request.turns), request.title]
  const prompt = texts.find((value) => typeof value === 'string' && value !== '')
  if (typeof prompt !== 'string') return undefined
  const points = [...prompt]
  return points.length > limit ? `${points.slice(0, limit).join('')}…` : prompt
}

const turns = z.array(z.object({ speaker_id: z.string(), text: z.string() }))

/**
 * The lines of a dialogue with their speakers, as they were written. All lines are used, since many dialogues begin with the same
 * greeting.
 */
function scriptOf(given: unknown): string | undefined {
  const read = turns.safeParse(given)
  return read.data?.map((turn) => `${turn.speaker_id}: ${turn.text}`).join('\n')
}
