// The names that people and groups give themselves, as others see them.

import { visible } from '../catalog/fields.ts'

/** Marks that change the direction of the text around a name, such as an amount behind it. */
const directions = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g

/** A name on one line, without direction marks; empty if no character of it is visible. */
export const shownName = (given: string): string =>
  visible(given.replaceAll(directions, '').replaceAll(/[\s\p{Cc}]+/gu, ' '))
