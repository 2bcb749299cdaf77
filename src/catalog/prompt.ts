// What a request asked for, in the user's words.

/** The names the main text goes by in the requests of all models. */
const promptPaths = ['positivePrompt', 'prompt', 'text'] as const

/** @param limit code points; what is longer is cut */
export function promptOf(request: Record<string, unknown>, limit = 300): string | undefined {
  const texts = [...promptPaths.map((path) => request[path]), ...spoken(request.turns), request.title]
  const prompt = texts.find((value) => typeof value === 'string' && value !== '')
  if (typeof prompt !== 'string') return undefined
  const points = [...prompt]
  return points.length > limit ? `${points.slice(0, limit).join('')}…` : prompt
}

/** The first words of a dialogue. */
function spoken(turns: unknown): unknown[] {
  const [first]: unknown[] = Array.isArray(turns) ? turns : []
  return typeof first === 'object' && first !== null && 'text' in first ? [first.text] : []
}
