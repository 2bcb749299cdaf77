// Seeds of results: with the same seed a model repeats a result.

import type { Model } from '../catalog/model.ts'
import type { Artifact, Generation } from '../generations/generation.ts'

/** The name of the field in all models that take a seed. */
export const seedField = 'seed'

/** The seed that repeats the only result of an order; undefined if the model takes no seed, or the order named it already. */
export function repeatableSeed(
  model: Model | undefined,
  { request }: Generation,
  artifacts: readonly Artifact[],
): number | undefined {
  const takesSeed = model?.fields.some(({ name }) => name === seedField)
  if (!takesSeed || request[seedField] !== undefined || model?.delivers(request).count !== 1) return undefined
  return artifacts[0]?.seed ?? undefined
}
