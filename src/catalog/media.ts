// Fields for images, videos and audio files. A request contains stand-ins for the files until it is submitted, when they are replaced
// with bytes or links: bytes are large and links expire.

import { z } from 'zod'
import { type Attachment, type Flat, type MediaField, mediumOf, type Shape } from './field.ts'
import { at } from './fields.ts'

/** The largest file that a bot can download from Telegram. */
export const maxFileBytes = 20 * 1024 * 1024
/** The largest file that is put into a request, where base64 adds a third. gateway-api.md gives no limit for requests. */
export const maxInlineBytes = 10 * 1024 * 1024
/** The largest sum of the files inside one request, before base64. A choice of ours, like `maxInlineBytes`. */
const maxInlineTotal = 20 * 1024 * 1024

/** How the files of users go into requests; the operator's choice. */
export interface Passing {
  /** Pictures are links to our server also where the request could contain them. */
  readonly picturesAsLinks: boolean
  readonly maxInlineBytes: number
  readonly maxInlineTotal: number
}
export const usualPassing: Passing = { picturesAsLinks: false, maxInlineBytes, maxInlineTotal }

/** Whether the file of a stand-in is passed as a link. */
export const isLinked = ({ via, mime }: StandIn, { picturesAsLinks }: Passing): boolean =>
  via === 'link' || (picturesAsLinks && mediumOf(mime) === 'image')

// Stand-ins are addresses in a domain that cannot exist (RFC 2606): valid wherever a link is valid, and never fetched.

const standInHost = 'media.invalid'

export interface StandIn {
  readonly file: string
  readonly mime: string
  /** `speech`: the file is the sound of another order, and then passed as a link. */
  readonly via: MediaField['via'] | 'speech'
  /** The size, if Telegram gave it. */
  readonly bytes?: number
  /** What the speech says. */
  readonly words?: string
}

export function standIn({ file, mime, bytes, words }: Attachment, via: StandIn['via']): string {
  const size = bytes === undefined ? {} : { bytes: String(bytes) }
  const said = words === undefined ? {} : { words }
  return `https://${standInHost}/${via}?${new URLSearchParams({ file, mime, ...size, ...said })}`
}

/** Stands for the callback address of an order in a request that requires one. It is replaced when the order is submitted. */
export const callbackStandIn = 'https://callback.invalid/'

/** Reads a stand-in; undefined for any other text. */
export function readStandIn(value: string): StandIn | undefined {
  if (!value.startsWith(`https://${standInHost}/`)) return undefined
  const { pathname, searchParams } = new URL(value)
  const via = z.enum(['data', 'link', 'speech']).parse(pathname.slice(1))
  const size = searchParams.get('bytes')
  const bytes = size === null ? {} : { bytes: Number(size) }
  const words = searchParams.get('words')
  const said = words === null ? {} : { words }
  return {
    via,
    file: searchParams.get('file') ?? '',
    mime: searchParams.get('mime') ?? '',
    ...bytes,
    ...said,
  }
}

// The schemas of the values that gateway-api.md allows in place of a file.

const link = z.union([z.uuid(), z.url({ protocol: /^https?$/ })], { error: 'must be a UUID or a URL' })
const dataUri = z.string().regex(/^data:[\w.+-]+\/[\w.+-]+;base64,[A-Za-z0-9+/]+={0,2}$/)
const base64 = z.base64().min(16)

/** "UUID or URL". */
export const linkSchema: z.ZodType<string> = link
/** "UUID, URL, data URI or base64". */
export const imageSchema: z.ZodType<string> = z.union([link, dataUri, base64], {
  error: 'must be a UUID, a URL, a data URI or base64',
})

type MediaSpec = Omit<MediaField, 'kind' | 'name' | 'shape' | 'write' | 'max' | 'maxBytes' | 'fits'> & {
  max?: number
  fits?: MediaField['fits']
}

/**
 * @param put returns the request values for the files (at least one). `url` gives the stand-in of a file, or the address or the id that
 * the user gave; its second argument overrides `via` of the field
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
  const passed = (one: Attachment, via: MediaField['via']) => {
    if (one.given) return one.file
    if (one.words !== undefined) return standIn(one, 'speech')
    return one.id === undefined || spec.addressesOnly ? standIn(one, via) : one.id
  }
  return {
    kind: 'media',
    name,
    ...rest,
    max,
    maxBytes: spec.via === 'data' ? maxInlineBytes : maxFileBytes,
    shape,
    fits,
    write: (answer) =>
      Array.isArray(answer) && answer.length > 0
        ? put(answer, (one, via = spec.via) => passed(one, via))
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

/** A copy of the request with `change` applied to every string. */
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

/** The stand-ins in a request. */
function standInsIn(value: unknown): readonly StandIn[] {
  if (typeof value === 'string') return [readStandIn(value)].flatMap((one) => one ?? [])
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(standInsIn) : []
}

/** Whether the request needs links to our own server. */
export const needsLinks = (value: unknown): boolean => standInsIn(value).some(({ via }) => via !== 'data')

/** The words of a talking picture, which a speech model says before the video is ordered; undefined for other requests. */
export const wordsSaidIn = (value: unknown): string | undefined =>
  standInsIn(value).find(({ words }) => words !== undefined)?.words

/** The drafts of the orders whose sound the request waits for. */
export const speechesIn = (value: unknown): readonly string[] =>
  standInsIn(value).flatMap(({ via, file }) => (via === 'speech' ? [file] : []))

/** The total size of the files that will be put into the request, as far as Telegram gave their sizes. */
export const inlineBytes = (value: unknown, passing = usualPassing): number =>
  standInsIn(value).reduce((sum, one) => sum + (isLinked(one, passing) ? 0 : (one.bytes ?? 0)), 0)
