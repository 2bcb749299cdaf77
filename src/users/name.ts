// The names that people and groups give themselves, as others see them.

import { visible } from '../catalog/visible.ts'

/** They change the order of the text around a name, such as an amount behind it. */
const directions = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g

/** On one line, and without a direction of its own; empty if nothing of it can be seen. */
export const shownName = (given: string): string =>
  visible(given.replaceAll(directions, '').replaceAll(/[\s\p{Cc}]+/gu, ' '))
