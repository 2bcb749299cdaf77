// The trial of a video and its final version, for models that repeat a video by its seed: the same order but for the length and the
// quality, of which the trial has the least and the final version the most.

import { type Answers, type Flat, isUserField, same } from './field.ts'
import type { Model } from './model.ts'
import { nest } from './request.ts'

interface Version {
  /** The answers that make an order this version. */
  readonly answers: Answers
  readonly seconds: number
  readonly quality: string
}

/** The trial of an order and its final version; undefined for a model without them. @param flat the values of the order */
function versionsOf(model: Model, flat: Flat) {
  const fields = model.fields.filter(isUserField)
  const length = fields.filter((one) => one.kind === 'number').find(({ unit }) => unit === 'unit-seconds')
  const size = fields.filter((one) => one.kind === 'choice').find(({ axes }) => axes !== undefined)
  const repeats = fields.some(({ name }) => name === 'seed')
  if (!length || !size || !repeats) return undefined
  const own = Object.fromEntries(Object.entries(flat).filter(([path]) => size.shape[path]))
  const now =
    size.options.find(({ set }) => same(set, own)) ?? size.options.find(({ value }) => value === size.default)
  // The lowest quality comes first.
  const sizes = size.options.filter(({ at }) => at?.shape === now?.at?.shape)
  const version = (seconds = 0, chosen = now): Version => ({
    answers: { [length.name]: seconds, ...(chosen ? { [size.name]: chosen.value } : {}) },
    seconds,
    quality: chosen?.at?.quality ?? '',
  })
  const { suggestions } = length
  const seconds = flat[length.name] ?? length.default
  const trial = version(suggestions[0], sizes[0])
  const final = version(suggestions.at(-1), sizes.at(-1))
  const isTrial = seconds === trial.seconds && now === sizes[0]
  const written = (answers: Answers) => ({
    ...length.write(answers[length.name] ?? 0, {}),
    ...size.write(answers[size.name] ?? '', {}),
  })
  return { trial, final, isTrial, paths: Object.keys({ ...length.shape, ...size.shape }), written }
}

/** The trial of the order of these answers; undefined when it is one, and for a model without trials. */
export function trialOf(model: Model, answers: Answers): Version | undefined {
  const versions = versionsOf(model, model.write(answers))
  return versions?.isTrial ? undefined : versions?.trial
}

/** The final version of a trial, and its request; undefined for an order that is no trial. */
export function finalOf(
  model: Model,
  request: Record<string, unknown>,
): (Version & { readonly request: Record<string, unknown> }) | undefined {
  const versions = versionsOf(model, model.values(request))
  if (!versions?.isTrial) return undefined
  const { final, paths, written } = versions
  const others = Object.entries(request).filter(([path]) => !paths.includes(path))
  const body = { ...Object.fromEntries(others), ...nest(written(final.answers)) }
  return model.request.safeParse(body).success ? { ...final, request: body } : undefined
}
