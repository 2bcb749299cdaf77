// The seed with which the gateway made a result. gateway-api.md shows it in the items of synchronous images, and says of one video model
// that "a random seed is returned in the response".

import { z } from 'zod'

const digits = z
  .string()
  .regex(/^\d{1,16}$/)
  .transform(Number)
const seed = z.union([z.number(), digits]).pipe(z.int().nonnegative())
const named = z.object({ seed })
const places = [named, inside('task'), inside('data')]

/** The seed of an object, or of the task in it. */
export function seedIn(value: unknown): number | undefined {
  for (const place of places) {
    const { data } = place.safeParse(value)
    if (data) return data.seed
  }
  return undefined
}

function inside(name: 'task' | 'data') {
  return z.object({ [name]: named }).transform((object) => object[name])
}
