// Fields that mean the same wherever a model has them.

import { number, toggle } from './fields.ts'

/** @param max the largest that the document allows, or that a number can hold */
export const seed = (max: number) =>
  number('seed', {
    label: { ru: 'Зерно', en: 'Seed' },
    hint: {
      ru: 'Целое число; одинаковое зерно даёт похожий результат. Пусто — случайное.',
      en: 'A whole number; the same seed gives a similar result. Empty means random.',
    },
    audience: 'advanced',
    min: 0,
    max,
    integer: true,
  })

/** "`async: true` in the body forces the asynchronous mode." */
export const asTask = toggle('async', {
  label: { ru: 'Ответить задачей', en: 'Answer with a task' },
  audience: 'system',
  default: false,
})
