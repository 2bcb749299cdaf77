// What a user sends in: pictures, videos and sounds, as fields. A request holds stand-ins for them until it is submitted;
// only then do bytes or links take their places, since both are large or short-lived.

import { z } from 'zod'
import type { Attachment } from './attachment.ts'
import type { Flat, MediaField, Shape } from './field.ts'
import { at } from './fields.ts'

/** The largest file that bots can fetch from Telegram. */
export const maxFileBytes = 20 * 1024 * 1024
/** The largest that is put into a request, where base64 makes it a third larger. Request limits of the gateway: not shown. */
export const maxInlineBytes = 10 * 1024 * 1024

// Stand-ins are addresses of a domain that can not exist (RFC 2606): they fit wherever a link fits, and lead nowhere.

const standInHost = 'media.invalid'

export interface StandIn {
  readonly file: string
  readonly mime: string
  readonly via: MediaField['via']
}

export function standIn({ file, mime }: Attachment, via: MediaField['via']): string {
  return `https://${standInHost}/${via}?${new URLSearchParams({ file, mime })}`
}

/** Undefined for anything that is not a stand-in. */
export function readStandIn(value: string): StandIn | undefined {
  if (!value.startsWith(`https://${standInHost}/`)) return undefined
  const { pathname, searchParams } = new URL(value)
  const via = z.enum(['data', 'link']).parse(pathname.slice(1))
  return { via, file: searchParams.get('file') ?? '', mime: searchParams.get('mime') ?? '' }
}

// What the document lets stand where a file is wanted.

const link = z.union([z.uuid(), z.url({ protocol: /^https?$/ })], { error: 'must be a UUID or a URL' })
const dataUri = z.string().regex(/^data:[\w.+-]+\/[\w.+-]+;base64,[A-Za-z0-9+/]+={0,2}$/)
const base64 = z.base64().min(16)

/** "UUID or URL". */
export const linkSchema: z.ZodType<string> = link
/** "UUID, URL, data URI or base64". */
export const imageSchema: z.ZodType<string> = z.union([link, dataUri, base64], {
  error: 'must be a UUID, a URL, a data URI or base64',
})

type MediaSpec = Omit<MediaField, 'kind' | 'name' | 'shape' | 'write' | 'max' | 'fits'> & {
  max?: number
  fits?: MediaField['fits']
}

/**
 * @param put the request values of what was sent (at least one file), each turned into its stand-in by `url`, which can be
 * told a way in that differs from the field's
 */
export function media<S extends Shape>(
  name: string,
  shape: S,
  spec: MediaSpec,
  put: (
    attachments: readonly Attachment[],
    url: (one: Attachment, via?: MediaField['via']) => string,
  ) => Flat,
): MediaField<S> {
  const { max = 1, fits = () => true, ...rest } = spec
  return {
    kind: 'media',
    name,
    ...rest,
    max,
    shape,
    fits,
    write: (answer) =>
      Array.isArray(answer) && answer.length > 0
        ? put(answer, (one, via = spec.via) => standIn(one, via))
        : {},
  }
}

/** One file at the path of the field's own name. */
export function oneFile<P extends string>(
  path: P,
  schema: z.ZodType<string>,
  spec: MediaSpec,
): MediaField<Readonly<Record<P, z.ZodType<string>>>> {
  return media(path, at(path, schema), spec, ([first], url): Flat => (first ? { [path]: url(first) } : {}))
}

type Change = (text: string) => Promise<string>

/** The same request with every string in it replaced by what `change` makes of it. */
export async function mapStrings(
  request: Record<string, unknown>,
  change: Change,
): Promise<Record<string, unknown>> {
  const entries = Object.entries(request).map(
    async ([key, item]) => [key, await mapped(item, change)] as const,
  )
  return Object.fromEntries(await Promise.all(entries))
}

async function mapped(value: unknown, change: Change): Promise<unknown> {
  if (typeof value === 'string') return change(value)
  if (Array.isArray(value)) return Promise.all(value.map((item) => mapped(item, change)))
  return typeof value === 'object' && value !== null ? mapStrings({ ...value }, change) : value
}

/** Whether a request can be sent only with links to our own server. */
export function needsLinks(value: unknown): boolean {
  if (typeof value === 'string') return readStandIn(value)?.via === 'link'
  return typeof value === 'object' && value !== null && Object.values(value).some(needsLinks)
}
