// One event of a form: what was typed or tapped, for one field, becomes an answer or a refusal that says why.

import { type Answer, codePoints, type Field } from '../catalog/field.ts'

export type Refusal =
  | { readonly reason: 'too-long'; readonly max: number; readonly length: number }
  | { readonly reason: 'empty' }
  | { readonly reason: 'not-a-number' }
  | { readonly reason: 'not-whole' }
  | { readonly reason: 'out-of-range'; readonly min: number; readonly max: number }
  | { readonly reason: 'not-an-option' }

export type Read =
  | { readonly ok: true; readonly answer: Answer }
  | { readonly ok: false; readonly refusal: Refusal }

const refuse = (refusal: Refusal): Read => ({ ok: false, refusal })

export function readAnswer(field: Field, input: string): Read {
  switch (field.kind) {
    case 'text': {
      const answer = input.trim()
      const length = codePoints(answer)
      if (length < field.min) return refuse({ reason: 'empty' })
      if (length > field.max) return refuse({ reason: 'too-long', max: field.max, length })
      return { ok: true, answer }
    }
    case 'number':
      return readNumber(field, input)
    case 'choice': {
      const known = field.options.some((option) => option.value === input)
      return known ? { ok: true, answer: input } : refuse({ reason: 'not-an-option' })
    }
    case 'toggle':
      if (input !== 'on' && input !== 'off') return refuse({ reason: 'not-an-option' })
      return { ok: true, answer: input === 'on' }
  }
}

/** `5`, `5,5`, `5 s`, `5 секунд`: a number with at most one word after it. */
const numberPattern = /^([+-]?\d{1,16}(?:[.,]\d{1,6})?)\s*\p{L}{0,12}\.?$/u

function readNumber(field: Extract<Field, { kind: 'number' }>, input: string): Read {
  const digits = numberPattern.exec(input.trim())?.[1]
  if (digits === undefined) return refuse({ reason: 'not-a-number' })
  const answer = Number(digits.replace(',', '.'))
  if (field.integer && !Number.isSafeInteger(answer)) return refuse({ reason: 'not-whole' })
  if (answer < field.min || answer > field.max) {
    return refuse({ reason: 'out-of-range', min: field.min, max: field.max })
  }
  return { ok: true, answer }
}
