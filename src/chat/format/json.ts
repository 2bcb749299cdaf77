// Recognises answers in JSON, which an operator can demand (`response_format`): they are shown as they are, not as Markdown.

/** The first key of an object, perhaps in lists: no Markdown begins like that, and the rest may not have arrived. */
const beginning = /^\s*(?:\[\s*)*\{\s*"(?:[^"\\\n]|\\.)*"\s*:/

export const isJson = (text: string): boolean => beginning.test(text) || isWhole(text.trim())

function isWhole(text: string): boolean {
  if (!/^(?:\{[\s\S]*\}|\[[\s\S]*\])$/.test(text)) return false
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
