// What the document makes the same for MODEL-IMAGE-DESIGN and MODEL-IMAGE-PHOTO: how many pictures.

import { number } from './fields.ts'

/** How many pictures one request makes, each of them paid for. */
export const pictures = <P extends string>(
  path: P,
  max: number,
  usual: number,
  hint: 'hint-design-pictures' | 'hint-photo-pictures',
) =>
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
