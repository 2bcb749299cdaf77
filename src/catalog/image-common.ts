// What the document makes the same for MODEL-IMAGE-DESIGN and MODEL-IMAGE-PHOTO: how many pictures.

import { number } from './fields.ts'

/** How many pictures one request makes, each of them paid for. */
export const pictures = <P extends string>(path: P, max: number, usual: number) =>
  number(path, {
    label: { ru: 'Картинок', en: 'Pictures' },
    hint: {
      ru: `Сколько картинок сделать, от 1 до ${max}; каждая оплачивается.`,
      en: `How many pictures to make, from 1 to ${max}; each is paid for.`,
    },
    audience: 'card',
    min: 1,
    max,
    integer: true,
    default: usual,
    suggestions: Array.from({ length: max }, (_, i) => i + 1),
  })
