// A tap: the callback data of a button. One declaration (wire format and schemas of the arguments) gives the builder, used to draw the
// button, and the parser, used to handle the tap. Any user can send any callback data, so the parser validates it.

import assert from 'node:assert/strict'
import { z } from 'zod'

/** Telegram's limit for callback data. */
const maxDataBytes = 64

export interface Tap<Args> {
  /** The wire format, like `c:{draftId}:s:{field}:{value}`. */
  readonly format: string
  /** @throws AssertionError when the data exceeds Telegram's limit, ZodError when an argument is not valid */
  data(...given: Given<Args>): string
  /** Reads callback data; undefined for the data of other taps and for invalid arguments. */
  parse(data: string): Args | undefined
}

/** The parameters of `data`; a tap without arguments needs none. */
type Given<Args> = Record<never, never> extends Args ? [args?: Args] : [args: Args]

type NamesIn<Format extends string> = Format extends `${string}{${infer Name}}${infer Rest}`
  ? Name | NamesIn<Rest>
  : never

/** A schema for each argument, whose input is its text on the wire. */
type Shape = Readonly<Record<string, z.ZodType<unknown, string>>>
type ArgsOf<S extends Shape> = z.output<z.ZodObject<S, z.core.$strict>>

const argument = /\{(\w+)\}/g

/** Arguments are separated by colons; only the last one may contain them. */
export function tap<const Format extends string, S extends Shape & Record<NamesIn<Format>, unknown>>(
  format: Format,
  shape: S & Record<Exclude<keyof S, NamesIn<Format>>, never>,
): Tap<ArgsOf<S>> {
  const schema: z.ZodObject<S, z.core.$strict> = z.strictObject(shape)
  const pattern = patternOf(format)
  return {
    format,
    data: (...[args]) => dataOf(format, schema, { ...args }),
    parse(data) {
      const match = pattern.exec(data)
      return match ? schema.safeParse({ ...match.groups }).data : undefined
    },
  }
}

function patternOf(format: string): RegExp {
  const source = format.replaceAll(argument, (whole, name: string, at: number) => {
    const isLast = at + whole.length === format.length
    return `(?<${name}>${isLast ? '.*' : '[^:]*'})`
  })
  return new RegExp(`^${source}$`, 's')
}

function dataOf(format: string, schema: z.ZodObject, args: Record<string, unknown>): string {
  const texts = z.encode(schema, args)
  const data = format.replaceAll(argument, (_, name: string) => String(texts[name]))
  const bytes = Buffer.byteLength(data)
  assert(bytes <= maxDataBytes, `callback data ${format} takes ${bytes} bytes of ${maxDataBytes}`)
  return data
}

/** Text that matches a pattern. */
export const text = (pattern: RegExp) => z.string().regex(pattern)

/** A whole number of at most `digits` digits. */
export const whole = (digits: number, min = 0, max = 10 ** digits - 1) =>
  z.codec(z.string().regex(new RegExp(`^\\d{1,${digits}}$`)), z.int().min(min).max(max), {
    decode: Number,
    encode: String,
  })

/** A whole number of at most `digits` digits, which may exceed the exact range of a JavaScript number. */
export const big = (digits: number, max = 10n ** BigInt(digits) - 1n, min = 0n) =>
  z.codec(z.string().regex(new RegExp(`^\\d{1,${digits}}$`)), z.bigint().min(min).max(max), {
    decode: BigInt,
    encode: String,
  })
