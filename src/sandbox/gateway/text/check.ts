// Strict validation of bodies. An unknown field is refused by its name, with the message that gateway-api.md quotes.

import { z } from 'zod'
import { GatewayRefusal } from '../answer.ts'

export const bad = (message: string): GatewayRefusal => new GatewayRefusal(400, 'invalid_body', message)

/** @throws GatewayRefusal */
export function check<S extends z.ZodType>(schema: S, body: unknown): z.output<S> {
  const parsed = schema.safeParse(body)
  if (parsed.success) return parsed.data
  const unknown = parsed.error.issues.find(({ code }) => code === 'unrecognized_keys')
  if (unknown?.code === 'unrecognized_keys') throw unknownName(unknown)
  throw bad(parsed.error.issues.map(({ path, message }) => [...path, message].join(': ')).join('; '))
}

function unknownName({ keys, path }: z.core.$ZodIssueUnrecognizedKeys): GatewayRefusal {
  const place = path.length > 0 ? ` at '${path.join('.')}'` : ''
  const message = `Invalid JSON payload received. Unknown name "${keys[0]}"${place}: Cannot find field.`
  return new GatewayRefusal(400, 'unknown_field', message)
}

const named = z.looseObject({ model: z.string() })

/** The model of a body, whose family decides which other fields are allowed. @throws GatewayRefusal */
export const modelIn = (body: unknown): string => check(named, body).model

export const toolName = z.string().regex(/^[a-zA-Z0-9_-]{1,64}$/)
export const jsonObject = z.record(z.string(), z.unknown())

/** A link to a file, or its content. */
export const fileUrl = z.string().regex(/^(https?:\/\/\S+|data:[\w.+-]+\/[\w.+-]+;base64,[A-Za-z0-9+/=]+)$/, {
  error: 'must be an http(s) URL or a base64 data URI',
})
export const base64 = z.string().regex(/^[A-Za-z0-9+/=]+$/, { error: 'must be base64' })
