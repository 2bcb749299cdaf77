// The prompt of a request: the user's own words.

/** The request paths of the prompt in all models. */
const promptPaths = ['positivePrompt', 'prompt', 'text'] as const

/** @param limit code points; a longer text is cut */
export function promptOf(request: Record<string, unknown>, limit = 300): string | undefined {
  const texts = [...promptPaths.map((path) => request[path]), ...spoken(request.turns), request.title]
  const prompt = texts.find((value) => typeof value === 'string' && value !== '')
  if (typeof prompt !== 'string') return undefined
  const points = [...prompt]
  return points.length > limit ? `${points.slice(0, limit).join('')}…` : prompt
}

/** The text of the first turn of a dialogue. */
function spoken(turns: unknown): unknown[] {
  const [first]: unknown[] = Array.isArray(turns) ? turns : []
  return typeof first === 'object' && first !== null && 'text' in first ? [first.text] : []
}
