// Schemas of values that several tables of gateway-api.md use.

import { z } from 'zod'

export const url = z.string().regex(/^https?:\/\/\S+$/, 'must be a URL')
const uuid = z.uuid()
const dataUri = z.string().regex(/^data:[\w.+-]+\/[\w.+-]+(;[\w=-]+)*;base64,[A-Za-z0-9+/]+=*$/)
const base64 = z.base64().min(100)

/** "UUID, URL, data URI or base64" */
export const anyImage = z.union([url, uuid, dataUri, base64])
/** "UUID or URL" */
export const uuidOrUrl = z.union([uuid, url])

/** A list of allowed numbers. The value must have the JSON type of the listed values, so a string is refused. */
export const oneOf = (...values: readonly [number, ...number[]]) => z.literal([...values])

export type Pairs = readonly string[]

/** Violations of the rules of `width`, `height` and `resolution` that the Reel and Wan tables share. */
export function sizeProblems(
  body: { width?: number | undefined; height?: number | undefined; resolution?: string | undefined },
  pairs: Pairs,
): string[] {
  const { width, height, resolution } = body
  const problems: string[] = []
  if (width === undefined && height === undefined) return problems
  if (resolution !== undefined) problems.push('width and height are incompatible with resolution')
  if (width === undefined || height === undefined) problems.push('width and height are a pair')
  else if (!pairs.includes(`${width}x${height}`)) problems.push(`${width}x${height} is no valid pair`)
  return problems
}

/** Fields that the document describes once, for MODEL-VIDEO-REEL, and that apply to MODEL-VIDEO-WAN too. */
export const vendorVideo = {
  numberResults: z.int().min(1).max(4).optional(),
  outputFormat: z.enum(['MP4', 'WEBM', 'MOV']).optional(),
  outputQuality: z.int().min(20).max(99).optional(),
  safety: z
    .strictObject({ checkContent: z.boolean().optional(), mode: z.enum(['none', 'fast', 'full']).optional() })
    .optional(),
  webhookURL: url.optional(),
  uploadEndpoint: url.optional(),
}

/** Adds rules between fields to a schema. A body with a violation is refused. */
export const ruled = <T extends z.ZodType>(schema: T, rules: (body: z.output<T>) => readonly string[]) =>
  schema.superRefine((body, context) => {
    for (const message of rules(body)) context.addIssue({ code: 'custom', message })
  })

/** The descriptions of the violated rules. */
export const broken = (rules: Readonly<Record<string, boolean>>): string[] =>
  Object.keys(rules).filter((rule) => !rules[rule])
