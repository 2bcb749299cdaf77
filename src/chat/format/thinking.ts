// Some models write their thinking into the answer, between think tags at its beginning.

interface Thought {
  readonly thinking: string
  readonly answer: string
  /** The answer itself has not started yet. */
  readonly isThinking: boolean
}

const opening = /^\s*<(think|thinking)>/i

/** Removes an incomplete tag at the end of an unfinished text. */
function withoutHalf(text: string, tag: string): string {
  const at = text.lastIndexOf('<')
  return at !== -1 && tag.startsWith(text.slice(at).toLowerCase()) ? text.slice(0, at) : text
}

/** @param isUnfinished the text is still streaming, so an incomplete tag is hidden */
export function splitThinking(content: string, isUnfinished = false): Thought {
  const thoughts: string[] = []
  let rest = content
  for (let tag = opening.exec(rest); tag; tag = opening.exec(rest)) {
    const closing = `</${tag[1]?.toLowerCase()}>`
    const inside = rest.slice(tag[0].length)
    const end = new RegExp(closing, 'i').exec(inside)?.index
    if (end === undefined) {
      thoughts.push(isUnfinished ? withoutHalf(inside, closing) : inside)
      return { thinking: joinedThoughts(thoughts), answer: '', isThinking: true }
    }
    thoughts.push(inside.slice(0, end))
    rest = inside.slice(end + closing.length)
  }
  const answer = thoughts.length > 0 ? rest.trimStart() : rest
  const isHalf = isUnfinished && /^<t?h?i?n?k?i?n?g?$/i.test(answer.trim())
  return { thinking: joinedThoughts(thoughts), answer: isHalf ? '' : answer, isThinking: isHalf }
}

const joinedThoughts = (thoughts: readonly string[]): string =>
  thoughts
    .map((thought) => thought.trim())
    .filter(Boolean)
    .join('\n\n')
