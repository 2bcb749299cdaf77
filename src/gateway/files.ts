// The files in an answer of the gateway, as links or as the content itself. gateway-api.md shows `{url}` and `{b64_json}` as items of
// `data`; other files may be beside them under any name: subtitles, covers, lyrics, an archive.

import { z } from 'zod'
import { mimeIn } from '../runtime/file-format.ts'
import { cutTo } from '../runtime/text.ts'

// Any JSON value is read field by field, so that a field of an unexpected type loses only itself.

export type Fields = Readonly<Record<string, unknown>>

export const hasFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The fields of an object; an empty object for any other value. */
export const fieldsOf = (value: unknown): Fields => (hasFields(value) ? value : {})

/** The first of the values that is a text with content. Some vendors send `"null"` in place of null. */
export const wordIn = (...values: readonly unknown[]): string | undefined =>
  values.find((one): one is string => typeof one === 'string' && one !== '' && one !== 'null')

export type GatewayFile = { readonly url: string } | { readonly bytes: Buffer; readonly mime: string }

export interface Files {
  /** The files of the results first, then the files beside them. */
  readonly files: readonly GatewayFile[]
  /** The number of results: each may have several files. */
  readonly results: number
  /** What the answer says about each result, if it says anything. */
  readonly facts?: readonly ResultFacts[]
  /** The label of the vendor. */
  readonly provider?: string
}

interface ResultFacts {
  readonly seed?: number
  /** The gateway's id of the result, by which a later request can name it. */
  readonly id?: string
}

/** Where the id of a result is. */
export const usualResultId = 'taskUUID'

/** The type of bytes of an unknown format. */
export const anyMime = 'application/octet-stream'

/** The address of a file; a file inside the answer gets a data URI. */
export const addressOf = (file: GatewayFile): string =>
  'url' in file ? file.url : `data:${file.mime};base64,${file.bytes.toString('base64')}`

/**
 * @param body any JSON value
 * @param isOurs whether a link leads to our own server: the gateway repeats a file of the user or a callback address
 * @param idField the field with the id of a result
 */
export function filesIn(
  body: unknown,
  isOurs: (url: string) => boolean = () => false,
  idField = usualResultId,
): Files {
  const isForeign = ({ file }: Found) => !('url' in file && isOurs(file.url))
  const found = resultsOf(body).map((one) => ({ ...one, files: one.files.filter(isForeign) }))
  const results = found.filter(isMade)
  const main = results.flatMap((one) => one.files.slice(0, 1))
  const beside = results.flatMap((one) => one.files.slice(1))
  const alone = found.filter((one) => !isMade(one)).flatMap((one) => one.files)
  const files = withoutRepeated(
    [...main, ...beside, ...alone].map(({ file }) => file),
    results.length,
  )
  // A seed beside several results need not be the seed of each.
  const common = results.length === 1 ? seedIn(body) : undefined
  const facts = results.map(({ item }) => factsOf(item, idField, common))
  const isKnown = facts.some((one) => Object.keys(one).length > 0)
  const provider = wordIn(fieldsOf(body).provider)
  return {
    files,
    results: results.length,
    ...(isKnown ? { facts } : {}),
    ...(provider === undefined ? {} : { provider: cutTo(provider, longestLabel) }),
  }
}

const longestLabel = 60
const resultId = z.union([z.string().min(1).max(200), z.int().nonnegative().transform(String)])

function factsOf(item: unknown, idField: string, common: number | undefined): ResultFacts {
  const seed = seedIn(item) ?? common
  const id = resultId.safeParse(fieldsOf(item)[idField]).data
  return { ...(seed === undefined ? {} : { seed }), ...(id === undefined ? {} : { id }) }
}

/** Drops links that are repeated: a link beside several results may be the same for all of them. */
function withoutRepeated(files: readonly GatewayFile[], results: number): readonly GatewayFile[] {
  const seen = new Set<string>()
  return files.filter((file, at) => {
    const isRepeated = 'url' in file && seen.has(file.url)
    if ('url' in file) seen.add(file.url)
    return at < results || !isRepeated
  })
}

interface Found {
  /** The name of the field. */
  readonly name: string
  readonly file: GatewayFile
}

interface Result {
  /** The files of one result; the result itself comes first. */
  readonly files: readonly Found[]
  readonly item: unknown
}

/** Names of the fields that may contain the results; the names in `lists` count only if the value is a list. */
const wrappers = ['results', 'result', 'outputs', 'output', 'task', 'job', 'generation']
const lists = ['files', 'artifacts', 'images', 'videos', 'audios', 'urls']
const mostNesting = 3
/** The most items that are read of a list; more than an order has. */
const mostResults = 100

/** The items of `data` or of a similar list, else the fields of the body itself; only those that have files. */
function resultsOf(body: unknown, depth = mostNesting): readonly Result[] {
  if (Array.isArray(body)) return body.slice(0, mostResults).map(resultOf).filter(hasFiles)
  const fields = fieldsOf(body)
  for (const inner of depth > 0 ? innerOf(fields) : []) {
    const results = resultsOf(inner, depth - 1)
    if (results.length > 0) return withSubtitles(results, fields)
  }
  // The fields of the body itself are not searched deeper: the objects around results contain links to other things.
  return [{ files: filesOf(body, depth === mostNesting ? 1 : mostDepth), item: body }].filter(hasFiles)
}

const resultOf = (item: unknown): Result => ({ files: filesOf(item), item })

const hasFiles = ({ files }: Result): boolean => files.length > 0

/** Whether a result has more than subtitles or a cover, which alone are not what was ordered. */
const isMade = ({ files }: Result): boolean => files.some(({ name }) => !isAside(name))

/** The inner values that may contain the results. If `data` is a text, it is a link, or sound in hexadecimal. */
function innerOf({ data, ...fields }: Fields): readonly unknown[] {
  return [
    typeof data === 'string' ? { audio: data } : data,
    ...wrappers.map((name) => fields[name]),
    ...lists.map((name) => fields[name]).filter(Array.isArray),
  ]
}

/** Adds subtitles that are beside `data` instead of in it to the first result. */
function withSubtitles(results: readonly Result[], fields: Fields): readonly Result[] {
  const beside = Object.entries(fields).filter(([name]) => isSubtitles(name))
  const subtitles = filesOf(Object.fromEntries(beside))
  return results.map((one, at) => (at === 0 ? { ...one, files: [...one.files, ...subtitles] } : one))
}

const isSubtitles = (name: string): boolean => /subtitle|caption|lyrics|srt|vtt/i.test(name)

/** Whether a name means a file that accompanies a result: subtitles, or a picture of it. */
const isAside = (name: string): boolean => isSubtitles(name) || /cover|thumb|preview|poster/i.test(name)

interface Place {
  readonly name: string
  readonly value: string
}

function filesOf(item: unknown, depth = mostDepth): readonly Found[] {
  const places = filePlacesIn(item, depth)
  const linked = places.filter(({ value }) => isAddress(value)).toSorted((a, b) => rankOf(a) - rankOf(b))
  const inline = places.flatMap(({ name, value }) => {
    // The content of a file is skipped if the item also has a link to the same file.
    const isCopy = linked.some((one) => isMain(one.name)) && isMain(name)
    const file = isCopy || isAddress(value) ? undefined : contentAt(name, value)
    return file ? [{ name, file }] : []
  })
  const files = [
    ...inline.filter(({ name }) => isMain(name)),
    ...linked.map(({ name, value }) => ({ name, file: { url: value } })),
    ...inline.filter(({ name }) => !isMain(name)),
  ]
  return files.toSorted((a, b) => Number(isAside(a.name)) - Number(isAside(b.name)))
}

const mostDepth = 5
const mostPlaces = 100

/** Names of links that are not results: inputs, pages, endless streams. */
const others =
  /call_?back|webhook|upload|endpoint|request|input|(^|_)source|reference|prompt|docs|status_?url|poll|cancel|share|(web|page|site)_?url|website|avatar|logo|icon|stream/i

function* placesIn(value: unknown, name: string, depth: number): Generator<Place> {
  if (typeof value === 'string') yield { name, value }
  if (depth === 0 || typeof value !== 'object' || value === null) return
  for (const [inner, one] of childrenOf(value, name)) yield* placesIn(one, inner, depth - 1)
}

/** The fields inside a value with their names. Elements of a list have the name of the list, and files inside a cover count as covers. */
function childrenOf(value: object, name: string): readonly (readonly [string, unknown])[] {
  if (Array.isArray(value)) return value.map((one: unknown) => [name, one])
  const fields = Object.entries(value).filter(([key]) => !others.test(key))
  return fields.map(([key, one]) => [isAside(name) ? `${name}.${key}` : key, one])
}

/** The places that may contain a file. Only these are counted: the link may follow many other texts, such as words with their times. */
function filePlacesIn(item: unknown, depth: number): readonly Place[] {
  const places: Place[] = []
  for (const place of placesIn(item, '', depth)) {
    if (mayBeFile(place)) places.push(place)
    if (places.length === mostPlaces) break
  }
  return places
}

const isMain = (name: string): boolean => ['', 'url', 'b64_json', 'audio'].includes(name)

/** The order of links: the documented name first, subtitles and pictures of other results last. */
function rankOf({ name }: Place): number {
  if (isMain(name)) return 0
  return isAside(name) || /image/i.test(name) ? 2 : 1
}

const mayBeFile = ({ name, value }: Place): boolean =>
  isAddress(value) || /^audio$|hex|b64|base64/i.test(name) || isTimedText(name, value)

/** Subtitles as text inside the answer (SRT, WebVTT, LRC): lines with times. The text of a song without times is no file. */
const isTimedText = (name: string, value: string): boolean =>
  isSubtitles(name) && /^(?:.*\d\d:\d\d[.,]\d+ --> |\[\d\d:\d\d[.:]\d+\])/m.test(value.slice(0, 2000))

/** Base64 of fewer bytes is probably a word. */
const leastBytes = 12

function contentAt(name: string, value: string): GatewayFile | undefined {
  if (isTimedText(name, value)) return { bytes: Buffer.from(value), mime: 'text/plain' }
  if (name === 'audio' || /hex/i.test(name)) {
    const sound = fromHex(value)
    return sound && { bytes: sound, mime: mimeIn(sound) ?? anyMime }
  }
  const bytes = /b64|base64/i.test(name) ? fromBase64(value) : undefined
  const mime = bytes && mimeIn(bytes)
  if (!bytes || (!mime?.startsWith('image/') && bytes.length < leastBytes)) return undefined
  return { bytes, mime: mime ?? anyMime }
}

const longestLink = 16 * 1024

/** Whether a text is a link, or a data URI, which contains the file itself. */
const isAddress = (value: string): boolean =>
  /^data:[^,]{0,200},./s.test(value) ||
  (value.length <= longestLink && /^https?:/i.test(value) && isWebUrl(value))

// The seed with which the gateway made a result. gateway-api.md shows it in the items of synchronous images, and says of one video model
// that "a random seed is returned in the response".

const digits = z
  .string()
  .regex(/^-?\d{1,16}$/)
  .transform(Number)
/** Many services write -1 for a random seed. */
const seed = z.union([z.number(), digits]).pipe(z.int().refine((one) => one !== -1))

/** The seed of an object, or of the task in it. */
export function seedIn(value: unknown): number | undefined {
  const { task, data } = fieldsOf(value)
  const told = [value, task, data].map((one) => seed.safeParse(fieldsOf(one).seed).data)
  return told.find((one) => one !== undefined)
}

// Bytes that came inside JSON.

/** Decodes hexadecimal text; undefined when the text is not hexadecimal. */
export function fromHex(text: string): Buffer | undefined {
  const isHex = text.length > 0 && text.length % 2 === 0 && !/[^0-9a-f]/i.test(text)
  return isHex ? Buffer.from(text, 'hex') : undefined
}

/** Decodes base64, also in a data URI; undefined when the text is not base64. */
export function fromBase64(text: string): Buffer | undefined {
  const body = text.replace(/^data:[^,]{0,200};base64,/, '')
  if (/[^\w+/=\s-]/.test(body)) return undefined
  const bytes = Buffer.from(body, 'base64')
  return bytes.length > 0 ? bytes : undefined
}

export const isWebUrl = (text: string): boolean => z.url({ protocol: /^https?$/ }).safeParse(text).success
