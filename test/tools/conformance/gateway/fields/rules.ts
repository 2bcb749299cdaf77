// How tables of fields and the rules between fields are written.

import { z } from 'zod'

/** An object with the required fields, some of the optional ones, and no others. */
export const body = <R extends z.ZodRawShape, O extends z.ZodRawShape>(required: R, optional: O) =>
  z.strictObject({ ...required, ...z.object(optional).partial().shape })

/** Adds rules between fields to a schema. A body with a violation is refused. */
export const ruled = <T extends z.ZodType>(schema: T, rules: (body: z.output<T>) => readonly string[]) =>
  schema.superRefine((sent, context) => {
    for (const message of rules(sent)) context.addIssue({ code: 'custom', message })
  })

/** The descriptions of the violated rules. */
export const broken = (rules: Readonly<Record<string, boolean>>): string[] =>
  Object.keys(rules).filter((rule) => !rules[rule])
