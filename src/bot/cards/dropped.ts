// Names what was dropped from a card because it no longer fits.

import type { Label } from '../../catalog/field.ts'
import type { Say } from '../../texts.ts'

type Named = readonly { readonly label: Label }[]

const labelsOf = (say: Say, dropped: Named): string => dropped.map(({ label }) => say.label(label)).join(', ')

/** Empty when nothing was dropped. */
export function droppedHtml(say: Say, dropped: Named): string {
  const labels = labelsOf(say, dropped)
  return labels ? say.html('answers-dropped', { labels }) : ''
}

/** The answer to the tap by which something was dropped; undefined when nothing was. */
export function droppedPlain(say: Say, dropped: Named): string | undefined {
  const labels = labelsOf(say, dropped)
  return labels ? say.plain('answers-dropped', { labels: labels.slice(0, 100) }) : undefined
}
