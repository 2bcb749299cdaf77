// Seeds of results: with the same seed a model repeats a result.

import type { Model } from '../catalog/model.ts'
import type { Artifact, Generation } from '../generations/generation.ts'

/** The name of the field in all models that take a seed. */
export const seedField = 'seed'

/**
 * The seed that repeats the first of these results; undefined if the model does not take it, or the order named it already.
 * @param among `only result`: undefined also when the order has several
 */
export function repeatableSeed(
  model: Model | undefined,
  { request }: Generation,
  artifacts: readonly Artifact[],
  among: 'only result' | 'any count' = 'only result',
): number | undefined {
  const schema = model?.fields.find(({ name }) => name === seedField)?.shape[seedField]
  if (!schema || request[seedField] !== undefined) return undefined
  if (among === 'only result' && model?.delivers(request).count !== 1) return undefined
  const seed = artifacts[0]?.seed ?? undefined
  return schema.safeParse(seed).success ? seed : undefined
}
