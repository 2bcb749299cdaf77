// Bodies of requests, tried against the schema of a model.

import type { Model } from '../../../src/catalog/model.ts'

/** Values of fields, by the paths of the fields. Each makes a body of its own. */
export type Values = Readonly<Record<string, readonly unknown[]>>

function withValue(body: object, path: string, value: unknown): object {
  const [name = '', ...rest] = path.split('.')
  const inner = rest.length === 0 ? value : withValue(Object(body)[name] ?? {}, rest.join('.'), value)
  return { ...body, [name]: inner }
}

const bodiesOf = (base: object, values: Values) =>
  Object.entries(values).flatMap(([path, all]) =>
    all.map((value) => [withValue(base, path, value), path] as const),
  )

const pathsOf = ({ request }: Model, body: object) =>
  request.safeParse(body).error?.issues.map(({ path }) => path.join('.')) ?? []

/** What the model refuses of these bodies, which it should accept. @param others several values together */
export const wronglyRefused = (model: Model, base: object, values: Values, others: readonly object[] = []) =>
  [
    base,
    ...bodiesOf(base, values).map(([body]) => body),
    ...others.map((one) => ({ ...base, ...one })),
  ].flatMap((body) => pathsOf(model, body).map((path) => `${path}: ${JSON.stringify(body)}`))

/** What the model does not refuse, at the path of the value, of these bodies. @param others several values, and the path */
export const wronglyAccepted = (
  model: Model,
  base: object,
  values: Values,
  others: readonly (readonly [object, string])[] = [],
) =>
  [...bodiesOf(base, values), ...others.map(([one, path]) => [{ ...base, ...one }, path] as const)]
    .filter(([body, path]) => !pathsOf(model, body).includes(path))
    .map(([body, path]) => `${path}: ${JSON.stringify(body)}`)
