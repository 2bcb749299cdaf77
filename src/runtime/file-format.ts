// Detects the format of a file and its MIME type, by its bytes first, then by the content type, then by the name in its address. Also recognises a body that
// a gateway or a CDN returns instead of a file: an empty one, an error page, an error as JSON or XML.

import { z } from 'zod'

export const fileKinds = ['image', 'video', 'audio', 'model3d', 'text', 'other'] as const
export type FileKind = (typeof fileKinds)[number]

export interface Format {
  readonly kind: FileKind
  /** The extension, without a dot. */
  readonly extension: string
}

/** What the response says about the file; each of these facts can be wrong. */
interface Hints {
  readonly type: string
  /** The addresses of the file, the most reliable first. */
  readonly urls: readonly string[]
}

const extensions: Readonly<Record<FileKind, string>> = {
  image: 'png jpg jpeg gif webp svg tiff bmp avif heic psd jp2 jxl cr2 cr3 raf exr hdr tga',
  video: 'mp4 m4v mov webm mkv avi flv mpg ts',
  audio: 'mp3 wav ogg oga opus flac m4a aac amr aiff mid pcm',
  model3d: 'glb gltf obj fbx usdz usda usdc usd stl ply dae 3mf blend abc x3d wrl step stp',
  text: 'txt md csv json xml srt vtt ass lrc mtl',
  other: 'zip rar 7z gz tar pdf bin',
}
const kinds = new Map(
  Object.entries(extensions).flatMap(([kind, all]) =>
    all.split(' ').map((extension) => [extension, kind as FileKind] as const),
  ),
)

/** Content types that name a format which the bytes may leave open. */
const types: Readonly<Record<string, string>> = {
  'model/obj': 'obj',
  'model/mtl': 'mtl',
  'model/stl': 'stl',
  'model/vnd.usdz+zip': 'usdz',
  'model/3mf': '3mf',
  'text/vtt': 'vtt',
  'text/srt': 'srt',
  'application/x-subrip': 'srt',
  'audio/l16': 'pcm',
}

/** Text formats and ZIP-based formats; all others are binary. */
const written = new Set('obj gltf usda usd stl ply dae fbx x3d wrl step stp'.split(' '))
const zipped = new Set(['usdz', '3mf', 'zip'])

/** The format of a file; undefined when the bytes are empty or an error instead of a file. */
export function formatOf(bytes: Buffer, { type, urls }: Hints): Format | undefined {
  if (bytes.length === 0) return undefined
  const head = bytes.toString('latin1', 0, 4096).replace(/^\xef\xbb\xbf/, '')
  const isWritten = isText(head)
  if (isWritten && isRefusal(bytes, head)) return undefined
  const known = signatureOf(head, isWritten) ?? longSignature(bytes, isWritten)
  if (known && known !== 'zip') return formatNamed(known)
  if (isWritten && /^(text\/html|application\/xhtml\+xml)$/i.test(type)) return undefined
  const usual = known ?? (isWritten ? usualText(head) : 'bin')
  const hinted = [types[type.toLowerCase()], ...urls.map(extensionIn)]
  return formatNamed(hinted.find((extension) => mayBe(extension, usual)) ?? usual)
}

/** @param extension without a dot */
const formatNamed = (extension: string): Format => ({
  kind: kinds.get(extension) ?? 'other',
  extension,
})

/** Whether the bytes are text, which has no control characters except white space. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this pattern looks for
const isText = (head: string): boolean => !/[\0-\x08\x0e-\x1f]/.test(head)

const refusingRoots =
  /^(html|head|body|title|h\d|p|div|center|pre|errors?|errorresponse|fault|problem|\w+:envelope)$/

function isRefusal(bytes: Buffer, head: string): boolean {
  if (/^\s*[{[]/.test(head)) return refusesInJson(bytes)
  return /^[^<]{0,10}<!doctype html/i.test(withoutComments(head)) || refusingRoots.test(rootOf(head))
}

const withoutComments = (head: string): string => head.replaceAll(/<!--[\s\S]*?(-->|$)/g, '').trimStart()

/** The name of the root element of XML or HTML, in lower case. */
function rootOf(head: string): string {
  const content = withoutComments(head).replaceAll(/<[?!][^>]*(>|$)/g, '')
  return /^[\s\]>]*<([\w:-]+)/.exec(content)?.[1]?.toLowerCase() ?? ''
}

/** Formats that are not recognisable by the first bytes alone. */
function longSignature(bytes: Buffer, isWritten: boolean): string | undefined {
  if (isWritten) return isGltf(bytes) ? 'gltf' : undefined
  const isStl = bytes.length >= 84 && 84 + 50 * bytes.readUInt32LE(80) === bytes.length
  return isStl ? 'stl' : undefined
}

function usualText(head: string): 'txt' | 'json' | 'xml' {
  if (/^\s*(\{\s*["}]|\[\s*[{["\]])/.test(head)) return 'json'
  return head.trimStart().startsWith('<?xml') ? 'xml' : 'txt'
}

/** Whether a ZIP, a text or a binary file of unknown format can have this extension. */
function mayBe(extension: string | undefined, usual: string): boolean {
  const kind = kinds.get(extension ?? '')
  if (extension === undefined || kind === undefined) return false
  if (usual === 'zip') return zipped.has(extension)
  if (usual === 'bin') return kind !== 'text'
  return kind === 'text' || written.has(extension)
}

function extensionIn(url: string): string | undefined {
  if (!URL.canParse(url)) return undefined
  const extension = /\.(\w{1,5})$/.exec(new URL(url).pathname)?.[1]?.toLowerCase()
  return extension === 'jpeg' ? 'jpg' : extension
}

/** Errors are short; larger JSON is not parsed. */
const longestRefusal = 64 * 1024

const jsonObject = z.record(z.string(), z.unknown())
/** The usual keys of error messages; the gateway client reads them too. */
const wordKeys = ['error', 'errors', 'message', 'msg', 'detail']

function refusesInJson(bytes: Buffer): boolean {
  if (bytes.length > longestRefusal) return false
  const { data } = jsonObject.safeParse(parsed(bytes))
  return data !== undefined && !data.asset && wordKeys.some((key) => Boolean(data[key]))
}

function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString().replace(/^\ufeff/, ''))
  } catch {
    return undefined
  }
}

/** `asset` is the only property that every glTF has. The file is not parsed, because of its size. */
const isGltf = (bytes: Buffer): boolean =>
  /^\s*\{/.test(bytes.toString('latin1', 0, 100)) &&
  bytes.includes('"asset"') &&
  ['"scenes"', '"meshes"', '"nodes"', '"buffers"'].some((key) => bytes.includes(key))

/** The first bytes of formats. */
const fixed: readonly (readonly [extension: string, ...parts: (readonly [at: number, bytes: string])[]])[] = [
  ['png', [0, '\x89PNG']],
  ['jpg', [0, '\xff\xd8\xff']],
  ['gif', [0, 'GIF8']],
  ['webp', [0, 'RIFF'], [8, 'WEBP']],
  ['cr2', [0, 'II*\0'], [8, 'CR']],
  ['tiff', [0, 'II*\0']],
  ['tiff', [0, 'MM\0*']],
  ['avif', [4, 'ftypavif']],
  ['heic', [4, 'ftyphe']],
  ['heic', [4, 'ftypmif1']],
  ['heic', [4, 'ftypmsf1']],
  ['cr3', [4, 'ftypcrx']],
  ['jp2', [4, 'jP  ']],
  ['jxl', [4, 'JXL ']],
  ['bmp', [0, 'BM'], [6, '\0\0\0\0']],
  ['raf', [0, 'FUJIFILM']],
  ['psd', [0, '8BPS']],
  ['m4a', [4, 'ftypM4A']],
  ['m4a', [4, 'ftypM4B']],
  ['mov', [4, 'ftypqt  ']],
  ['mov', [4, 'moov']],
  ['mov', [4, 'wide']],
  ['mp4', [4, 'ftyp']],
  ['mkv', [0, '\x1aE\xdf\xa3']],
  ['avi', [0, 'RIFF'], [8, 'AVI ']],
  ['flv', [0, 'FLV\x01']],
  ['mpg', [0, '\0\0\x01\xba']],
  ['ts', [0, 'G'], [188, 'G'], [376, 'G']],
  ['mp3', [0, 'ID3']],
  ['wav', [0, 'RIFF'], [8, 'WAVE']],
  ['wav', [0, 'RF64'], [8, 'WAVE']],
  ['ogg', [0, 'OggS']],
  ['flac', [0, 'fLaC']],
  ['amr', [0, '#!AMR']],
  ['aiff', [0, 'FORM'], [8, 'AIF']],
  ['mid', [0, 'MThd']],
  ['glb', [0, 'glTF']],
  ['fbx', [0, 'Kaydara FBX Binary']],
  ['usdc', [0, 'PXR-USDC']],
  ['ply', [0, 'ply\nformat ']],
  ['ply', [0, 'ply\r\nformat ']],
  ['blend', [0, 'BLENDER']],
  ['zip', [0, 'PK\x03\x04']],
  ['zip', [0, 'PK\x05\x06']],
  ['gz', [0, '\x1f\x8b']],
  ['rar', [0, 'Rar!\x1a']],
  ['7z', [0, '7z\xbc\xaf']],
  ['tar', [257, 'ustar']],
  ['pdf', [0, '%PDF-']],
]

/** Patterns that are tried before the fixed bytes, because they are more specific. */
const patterns: readonly (readonly [extension: string, pattern: RegExp])[] = [
  ['avif', /^.{4}ftypm[is]f1.{4}(.{4}){0,8}avi[fs]/s],
  ['webm', /^.E\xdf\xa3.{0,60}webm/s],
  ['usdz', /^PK.{28}[ -~]{1,200}\.usd[acz]/s],
  ['3mf', /^PK.{28}3D\//s],
  ['mp3', /^\xff[\xe2\xe3\xf2\xf3\xfa\xfb][^\xf0-\xff]/],
  ['aac', /^\xff[\xf0\xf1\xf8\xf9]/],
]

/**
 * Patterns for text files only: an uncompressed archive can contain the same characters. Neighbouring repetitions of a pattern have no
 * character in common, so that the time is proportional to the length of the text.
 */
const textPatterns: typeof patterns = [
  ['svg', /^\s*(<svg\b|<(\?xml|!--|!DOCTYPE svg)[\s\S]*<svg\b)/],
  ['dae', /^\s*(<COLLADA\b|<(\?xml|!--)[\s\S]*<COLLADA\b)/],
  ['usda', /^#usda /],
  ['fbx', /^; FBX /],
  ['stl', /^solid\b[^\n]*\n\s*facet/],
  ['mtl', /^[ \t]*newmtl /m],
  ['obj', /^(mtllib \S|v[ \t]+-?[\d.]\S*[ \t]+-?[\d.]\S*[ \t]+-?[\d.])/m],
  ['vtt', /^WEBVTT/],
  ['srt', /^\s*\d+\s*\r?\n\d\d:\d\d:\d\d[,.]\d{3} --> /],
  ['ass', /^\[Script Info\]/],
  ['lrc', /^(\[\w+:[^\]\n]*\]\s*)*\[\d\d:\d\d[.:]\d\d/],
]

/**
 * The extension of the recognised format.
 * @param head the beginning of the file as latin1, without a byte order mark
 */
function signatureOf(head: string, isWritten: boolean): string | undefined {
  const matches = ([, pattern]: readonly [string, RegExp]) => pattern.test(head)
  const [extension] =
    patterns.find(matches) ??
    (isWritten ? textPatterns.find(matches) : undefined) ??
    fixed.find(([, ...parts]) => parts.every(([at, bytes]) => head.startsWith(bytes, at))) ??
    []
  return extension
}

/** The extension of a picture in a format that Telegram and all models take; undefined for other bytes. */
export function photographExtension(bytes: Buffer): 'png' | 'jpg' | 'webp' | undefined {
  const extension = signatureOf(bytes.toString('latin1', 0, 16), false)
  return extension === 'png' || extension === 'jpg' || extension === 'webp' ? extension : undefined
}

// MIME types of pictures, videos and sounds.

/** In bytes; enough to recognise a format. */
export const headBytes = 4096

/** Containers of sound, of video or of both. */
const containers = new Set(['mp4', 'mov', 'm4a', 'webm', 'mkv', 'ogg'])
const mimes: Readonly<Record<string, string>> = {
  jpg: 'image/jpeg',
  svg: 'image/svg+xml',
  mov: 'video/quicktime',
  mkv: 'video/x-matroska',
  mp3: 'audio/mpeg',
  m4a: 'audio/mp4',
}

/** @returns undefined for files that are neither picture nor video nor sound, and for raw sound, which no program recognises */
function mimeOf({ kind, extension }: Format): string | undefined {
  const isMedium = kind === 'image' || kind === 'video' || kind === 'audio'
  return isMedium && extension !== 'pcm' ? (mimes[extension] ?? `${kind}/${extension}`) : undefined
}

/** The usual extension of files of this type. */
export const extensionOf = (mime: string): string =>
  Object.keys(mimes).find((extension) => mimes[extension] === mime) ??
  (/^\w+\/(?:x-)?([a-z0-9]{2,5})$/.exec(mime)?.[1] || 'bin')

/** The type of a file with this extension. */
export const mimeNamed = (extension: string): string =>
  mimeOf(formatNamed(extension)) ?? 'application/octet-stream'

/**
 * The type of a file by its first bytes, or the declared one where they leave it open.
 * @returns undefined for files that are neither picture nor video nor sound
 */
export function mimeIn(bytes: Buffer, said = ''): string | undefined {
  const format = formatOf(bytes.subarray(0, headBytes), { type: '', urls: [] })
  const isOpen = format?.extension === 'bin' || containers.has(format?.extension ?? '')
  return isOpen && /^(audio|video)\//i.test(said) ? said : format && mimeOf(format)
}

// Plain text files: UTF-8, UTF-16 with a byte order mark, and Windows-1251, which the Russian Notepad calls ANSI.

/** Decodes a text file; undefined if the bytes are not text. The text can contain control characters. */
export function plainTextOf(bytes: Buffer): string | undefined {
  const marked = markedAs(bytes)
  return marked ? decoded(bytes, marked) : (decoded(bytes, 'utf-8') ?? russianText(bytes))
}

function markedAs(bytes: Buffer): 'utf-16le' | 'utf-16be' | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be'
  return undefined
}

function decoded(bytes: Buffer, encoding: string): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}

/** The number of characters that are examined. */
const sampleLength = 10_000
const russianWord = /(?<!\p{L})[а-яё]+(?!\p{L})/giu

/**
 * Almost any bytes can be decoded as Windows-1251, so the result must look like Russian: 90 % of the letters outside of a–z are in words
 * that consist of Russian letters, more letters are lower case than upper case, and no control characters occur. Text in other
 * single-byte encodings (Latin-1, KOI8-R, CP866) fails these conditions.
 */
function russianText(bytes: Buffer): string | undefined {
  const text = decoded(bytes, 'windows-1251')
  const sample = text?.slice(0, sampleLength) ?? ''
  const count = (pattern: RegExp) => (sample.match(pattern) ?? []).reduce((sum, one) => sum + one.length, 0)
  const inWords = count(russianWord) >= 0.9 * count(/[^\P{L}a-z]/giu)
  const isMostlySmall = count(/[а-яё]/g) > count(/[А-ЯЁ]/g)
  return inWords && isMostlySmall && count(/[^\P{Cc}\t\n\f\r]/gu) === 0 ? text : undefined
}
