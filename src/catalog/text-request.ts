// The operator's parameters of a text model: checked at the start for each operation that a question can reach, and written under the
// names of the operation.

import type { Json } from './field.ts'
import { nest } from './request.ts'
import { isOfApp, type Operation, operations, pathIn, pathsIn, valueSchemas } from './text-fields.ts'
import {
  type Abilities,
  type ModeName,
  modesOf,
  noModes,
  operationFor,
  operationsOf,
  usualOperation,
} from './text-modes.ts'

interface Declared extends Abilities {
  readonly requestFor: Readonly<Partial<Record<Operation, Readonly<Record<string, Json>>>>>
}

/** The operator's fields of an operation, under its names. */
export function requestFields(
  { family, request, requestFor }: Pick<Declared, 'family' | 'request' | 'requestFor'>,
  operation: Operation,
): Record<string, unknown> {
  const given = [...flat(request), ...flat(requestFor[operation] ?? {})]
  const written = given.flatMap(([name, value]): [string, Json][] => {
    const path = pathIn(operation, family, name)
    return path === undefined ? [] : [[path, valueAt(path, value)]]
  })
  return nest(Object.fromEntries(written))
}

const valueAt = (path: string, value: Json): Json =>
  path === 'generationConfig.stopSequences' && typeof value === 'string' ? [value] : value

/** The fields of a request, by path. */
function flat(request: Readonly<Record<string, Json>>): [string, Json][] {
  const { generationConfig, ...others } = request
  const inner = typeof generationConfig === 'object' ? Object.entries(generationConfig) : []
  return [
    ...Object.entries(others),
    ...inner.map(([name, value]): [string, Json] => [`generationConfig.${name}`, value]),
  ]
}

interface Problem {
  readonly path: readonly string[]
  readonly message: string
}

export function requestProblems(model: Declared): Problem[] {
  const { request, requestFor } = model
  return [
    ...pathsIn(request).flatMap((name) => problemOf(model, name, ['request', name])),
    ...flat(request).flatMap(([name, value]) => wrongValue(name, value, ['request', name])),
    ...operations.flatMap((operation) => problemsFor(model, operation, requestFor[operation])),
  ]
}

/** Checks a field of `request`: every operation that a question can reach must accept it. */
function problemOf(model: Declared, name: string, path: readonly string[]): Problem[] {
  const { family } = model
  if (isOfApp(name, family)) return [{ path, message: `"${name}" is written by the app: remove it` }]
  const without = reached(model).filter(({ operation }) => pathIn(operation, family, name) === undefined)
  const [first] = without
  if (!first) return []
  const hint = without.length === reached(model).length ? elsewhere(model, name) : remedy(model, name, first)
  return [{ path, message: `"${name}" is not taken by ${shown(first)}; ${hint}` }]
}

/** An operation that a question can reach, and the modes that lead there; none for questions without modes. */
interface Reached {
  readonly operation: Operation
  readonly modes: readonly ModeName[]
}

function reached(model: Declared): Reached[] {
  const usual: Reached = { operation: usualOperation(model), modes: [] }
  const byMode = modesOf(model).map((mode) => ({
    mode,
    operation: operationFor(model, { ...noModes, [mode]: true }),
  }))
  const others = Map.groupBy(
    byMode.filter(({ operation }) => operation !== usual.operation),
    ({ operation }) => operation,
  )
  return [
    usual,
    ...[...others].map(([operation, all]) => ({ operation, modes: all.map(({ mode }) => mode) })),
  ]
}

const places: Readonly<Record<Operation, string>> = {
  chat: '/v1/chat/completions',
  messages: '/v1/messages',
  responses: '/v1/responses',
  native: 'the native pass-through',
}

const quoted = (names: readonly string[]) => names.map((name) => `"${name}"`).join(' and ')

const shown = ({ operation, modes }: Reached) =>
  modes.length === 0 ? places[operation] : `${places[operation]} (used for ${quoted(modes)})`

function remedy(model: Declared, name: string, at: Reached): string {
  const takes = reached(model).find(({ operation }) => pathIn(operation, model.family, name) !== undefined)
  const moved = `write it into "requestFor": {"${takes?.operation}": …}`
  return at.modes.length === 0 ? moved : `${moved}, or remove ${quoted(at.modes)} from "abilities"`
}

function elsewhere({ family }: Declared, name: string): string {
  const known = operationsOf(family).filter((operation) => pathIn(operation, family, name) !== undefined)
  if (known.length === 0) return `no operation of the family "${family}" takes it, so remove it`
  return `only ${known.map((operation) => places[operation]).join(' and ')} would, which no question of this model reaches, so remove it`
}

function problemsFor(
  model: Declared,
  operation: Operation,
  request: Readonly<Record<string, Json>> | undefined,
): Problem[] {
  if (!request) return []
  const path = ['requestFor', operation]
  if (!reached(model).some((one) => one.operation === operation))
    return [{ path, message: `no question of this model reaches ${places[operation]}, so remove it` }]
  const unknown = flat(request).filter(([name]) => pathIn(operation, model.family, name) === undefined)
  return [
    ...unknown.map(([name]) => ({
      path: [...path, name],
      message: isOfApp(name, model.family)
        ? `"${name}" is written by the app: remove it`
        : `"${name}" is not taken by ${places[operation]}`,
    })),
    ...flat(request).flatMap(([name, value]) => wrongValue(name, value, [...path, name])),
  ]
}

/** A path into an object that is not checked by paths, like `extra_body.google`, is checked as a part of that object. */
function wrongValue(name: string, value: Json, path: readonly string[]): Problem[] {
  const [head = name, ...inner] = valueSchemas[name] ? [name] : name.split('.')
  const checked = inner.length === 0 ? value : nest({ [inner.join('.')]: value })
  const issue = valueSchemas[head]?.safeParse(checked).error?.issues[0]
  if (!issue) return []
  return [{ path, message: `"${name}" cannot be ${JSON.stringify(value)}: ${issue.message}` }]
}
