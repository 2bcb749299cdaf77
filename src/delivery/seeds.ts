// Seeds of results: with the same seed a model repeats a result.

import type { Model } from '../catalog/model.ts'
import type { Artifact, Generation } from '../generations/generation.ts'

/** The name of the field in all models that take a seed. */
export const seedField = 'seed'

/** The seed that repeats the only result of an order; undefined if the model does not take it, or the order named it already. */
export function repeatableSeed(
  model: Model | undefined,
  { request }: Generation,
  artifacts: readonly Artifact[],
): number | undefined {
  const schema = model?.fields.find(({ name }) => name === seedField)?.shape[seedField]
  if (!schema || request[seedField] !== undefined || model?.delivers(request).count !== 1) return undefined
  const seed = artifacts[0]?.seed ?? undefined
  return schema.safeParse(seed).success ? seed : undefined
}
