// Fields that several models share.

import type { BareKey } from '../text-keys.ts'
import { number, toggle } from './fields.ts'

/** @param max the documented maximum, or the largest safe integer */
export const seed = (max: number) =>
  number('seed', {
    label: 'field-seed',
    hint: 'hint-seed',
    audience: 'advanced',
    min: 0,
    max,
    integer: true,
    isCopied: true,
  })

/** "`async: true` in the body forces the asynchronous mode." */
export const asTask = toggle('async', {
  label: 'field-answer-with-a-task',
  audience: 'system',
  default: false,
})

/** How many pictures one request makes; each is charged. */
export const pictures = <P extends string, H extends BareKey>(path: P, max: number, usual: number, hint: H) =>
  number(path, {
    label: 'field-pictures',
    hint,
    audience: 'card',
    min: 1,
    max,
    integer: true,
    default: usual,
    suggestions: Array.from({ length: max }, (_, i) => i + 1),
  })
