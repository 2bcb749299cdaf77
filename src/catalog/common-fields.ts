// Fields that mean the same wherever a model has them.

import { number, toggle } from './fields.ts'

/** @param max the largest that the document allows, or that a number can hold */
export const seed = (max: number) =>
  number('seed', {
    label: 'field-seed',
    hint: 'hint-seed',
    audience: 'advanced',
    min: 0,
    max,
    integer: true,
  })

/** "`async: true` in the body forces the asynchronous mode." */
export const asTask = toggle('async', {
  label: 'field-answer-with-a-task',
  audience: 'system',
  default: false,
})
