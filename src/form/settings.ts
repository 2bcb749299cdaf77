// The settings that cards show: each field, and each axis of a choice that has axes as a field of its own.

import {
  type Answers,
  type Axis,
  type ChoiceField,
  type Field,
  isUserField,
  sameInAll,
} from '../catalog/field.ts'
import type { Model } from '../catalog/model.ts'

export interface Setting {
  /** The name of its page: that of the field, or of the field and the axis. */
  readonly page: string
  /** The field; for an axis, the choice reduced to the options that differ in this axis only. */
  readonly field: Field
}

/** @param answers with defaults */
export const settingsOf = ({ fields }: Pick<Model, 'fields'>, answers: Answers): Setting[] =>
  fields.filter(isUserField).flatMap((field) => {
    if (field.kind !== 'choice' || !field.axes) return [{ page: field.name, field: asCalled(field, answers) }]
    return field.axes.map((axis) => ({
      page: `${field.name}.${axis.name}`,
      field: alongAxis(field, axis, answers),
    }))
  })

/** The setting with this page. Old buttons still name a choice with axes; for such a name the setting is the whole choice. */
export function settingAt(model: Model, answers: Answers, page: string): Setting | undefined {
  const found = settingsOf(model, answers).find((setting) => setting.page === page)
  if (found) return found
  const field = model.fields.find((one) => one.name === page && isUserField(one))
  return field && { page, field }
}

/** @param answers with defaults */
export function asCalled(field: Field, answers: Answers): Field {
  const called = field.called?.(answers)
  return called ? { ...field, ...called } : field
}

function alongAxis(field: ChoiceField, axis: Axis, answers: Answers): ChoiceField {
  const { hint: _, axes: __, default: usual, ...rest } = field
  const { name, label, hint, audience, labels = {} } = axis
  const optionOf = (value: unknown) => field.options.find((one) => one.value === value)
  const current = optionOf(answers[field.name]) ?? optionOf(usual)
  const isAlong = ({ at = {} }: (typeof field.options)[number]) =>
    Object.entries(at).every(([other, value]) => other === name || value === current?.at?.[other])
  const options = field.options
    .filter(isAlong)
    .map((one) => ({ ...one, label: labels[one.at?.[name] ?? ''] ?? sameInAll(one.at?.[name] ?? one.value) }))
  const usualValue = options.find(({ at }) => at?.[name] === optionOf(usual)?.at?.[name])?.value
  return {
    ...rest,
    label,
    audience,
    options,
    ...(hint ? { hint } : {}),
    ...(usualValue === undefined ? {} : { default: usualValue }),
  }
}
