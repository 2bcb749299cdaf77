// The seed with which the gateway made a result. gateway-api.md shows it in the items of synchronous images, and says of one video model
// that "a random seed is returned in the response".

import { z } from 'zod'

const digits = z
  .string()
  .regex(/^\d{1,16}$/)
  .transform(Number)
const seed = z.union([z.number(), digits]).pipe(z.int().nonnegative())

/** The seed of an object, or of the task in it. */
export function seedIn(value: unknown): number | undefined {
  for (const one of [value, fieldOf(value, 'task'), fieldOf(value, 'data')]) {
    const told = fieldOf(one, 'seed')
    // Most answers have no seed, and a parse that fails is slow.
    const read = told === undefined ? undefined : seed.safeParse(told).data
    if (read !== undefined) return read
  }
  return undefined
}

const fieldOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
