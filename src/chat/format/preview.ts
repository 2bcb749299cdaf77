// An unfinished answer as one message: open markup is shown as if it were closed, and only the end of a long text is shown.

import { messageLimit } from '../../texts.ts'
import { graphemeStart, isBlank, trimmedEnd, trimmedStart } from './characters.ts'
import { type Entity, entityLimit, type Formatted, linksLimit } from './flow.ts'
import { renderMarkdownEnd } from './markdown.ts'
import { canonical, cutOut } from './split.ts'

const omission = '…\n'
/** How many characters may be dropped so that the shown text starts at a line or word. */
const slack = 500

function tailStart(text: string): number {
  if (text.length <= messageLimit) return 0
  const earliest = text.length - messageLimit + omission.length
  for (const char of ['\n', ' ']) {
    const found = text.indexOf(char, earliest - 1)
    if (found !== -1 && found < earliest + slack) return found + 1
  }
  return graphemeStart(text, earliest)
}

/** The last entities within Telegram's limits. */
function kept(entities: readonly Entity[]): Entity[] {
  let links = 0
  const last = entities.slice(-entityLimit)
  const refused = last.findLastIndex((entity) => {
    links += entity.type === 'text_link' ? entity.url.length : 0
    return links > linksLimit
  })
  return last.slice(refused + 1)
}

/** The message for an unfinished answer; its text is empty while the answer has no visible content. */
export function previewOf(markdown: string): Formatted {
  const flow = renderMarkdownEnd(markdown, messageLimit + slack)
  if (isBlank(flow.text)) return { text: '', entities: [] }
  const whole = flow.text.slice(0, trimmedEnd(flow.text, 0, flow.text.length))
  const marks = canonical(flow.text, flow.marks)
  const start =
    tailStart(whole) || Math.min(trimmedStart(whole, 0, whole.length), marks[0]?.start ?? whole.length)
  const { text, entities } = cutOut(flow, marks, start, whole.length)
  if (whole.length <= messageLimit) return { text, entities: kept(entities) }
  const moved = entities.map((entity) => ({ ...entity, offset: entity.offset + omission.length }))
  return { text: omission + text, entities: kept(moved) }
}
