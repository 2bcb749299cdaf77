// Texts that say why an answer is refused, and what was changed to accept one.

import type { Field } from '../../catalog/field.ts'
import { codePoints } from '../../catalog/fields.ts'
import type { Refusal, ToggleChange } from '../../form/answer.ts'
import type { Say } from '../../texts.ts'
import { stateText } from './answer-text.ts'

/** @param field the answered field, whose hint says what fits; undefined when no single field was answered */
export function refusalText(say: Say, refusal: Refusal, field: Field | undefined): string {
  const { reason, ...facts } = refusal
  const hint = field?.hint ? say.label(field.hint) : ''
  return say.html(`refusal-${reason}`, { length: 0, max: 0, min: 0, value: 0, names: '', hint, ...facts })
}

/** @param max in code points @returns undefined when the name is acceptable */
export function nameRefusal(say: Say, name: string, max: number): string | undefined {
  const length = codePoints(name)
  if (length === 0) return refusalText(say, { reason: 'empty' }, undefined)
  return length > max ? refusalText(say, { reason: 'too-long', max, length }, undefined) : undefined
}

/** The text for a message that contains nothing that could answer the field. */
export function wantedText(say: Say, field: Field): string {
  switch (field.kind) {
    case 'media':
      return refusalText(say, { reason: `needs-${field.media[0] ?? 'image'}` }, field)
    case 'number':
      return refusalText(say, { reason: 'not-a-number' }, field)
    case 'text':
      return say.html('ask-text-please')
    case 'choice':
    case 'toggle':
      return say.html('guide-no-such-option')
  }
}

/** Says what was changed to make room for a long text. */
export function roomText(say: Say, { field, answer }: ToggleChange): string {
  const value = stateText(field, answer, say)
  return say.html('answer-made-room', { label: say.label(field.label), value })
}
