// Artifacts: small, real files that are made by extension, chosen by the request and the personality, and answered at their addresses. Test
// support has the bytes; none of its logic is used.

import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { crc32 } from 'node:zlib'
import { colored, fixture } from '../../../support/media/media-files.ts'
import type { Kind, MediaModel } from './models.ts'
import type { Personality } from './personality.ts'

interface File {
  readonly name: string
  readonly type: string
  readonly bytes: Buffer
}

const obj = 'mtllib model.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nusemtl red\nf 1 2 3\n'
const stl =
  'solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\nendsolid a\n'
const srt = '1\r\n00:00:00,000 --> 00:00:02,000\r\nПривет\r\n'

const picture = () => colored(320, 320, [200, 80, 40])
const written = (text: string) => async () => Buffer.from(text)

/** The type of a file, and its bytes, by its extension. */
const kinds: Readonly<Record<string, readonly [string, () => Promise<Buffer>]>> = {
  png: ['image/png', () => picture().png().toBuffer()],
  jpg: ['image/jpeg', () => picture().jpeg().toBuffer()],
  webp: ['image/webp', () => picture().webp().toBuffer()],
  mp3: ['audio/mpeg', () => fixture('speech-2.mp3')],
  wav: ['audio/wav', () => fixture('speech-2.wav')],
  mp4: ['video/mp4', () => fixture('video-0-square-5.mp4')],
  webm: ['video/webm', () => fixture('video-0-square-5.webm')],
  mov: ['video/quicktime', () => fixture('video-0-square-5.mov')],
  glb: ['model/gltf-binary', () => fixture('model.glb')],
  obj: ['model/obj', written(obj)],
  mtl: ['text/plain', written('newmtl red\nKd 1 0 0\n')],
  stl: ['model/stl', written(stl)],
  srt: ['application/x-subrip', written(srt)],
  txt: ['text/plain', written('Lyrics\nOne line\n')],
}

const made = new Map<string, Promise<Buffer>>()

/** A file named `stem.ext`. */
async function fileOf(stem: string, ext: string): Promise<File> {
  const [type, make] = kinds[ext] ?? []
  if (!type || !make) throw new Error(`no file is made for .${ext}`)
  const bytes = made.get(ext) ?? make()
  made.set(ext, bytes)
  return { name: `${stem}.${ext}`, type, bytes: await bytes }
}

/** A ZIP archive without compression. */
function zipOf(stem: string, files: readonly File[]): File {
  const locals: Buffer[] = []
  const central: Buffer[] = []
  let offset = 0
  for (const { name, bytes } of files) {
    const title = Buffer.from(name)
    const facts = Buffer.alloc(26)
    facts.writeUInt16LE(20, 0)
    facts.writeUInt32LE(crc32(bytes), 10)
    facts.writeUInt32LE(bytes.length, 14)
    facts.writeUInt32LE(bytes.length, 18)
    facts.writeUInt16LE(title.length, 22)
    const entry = Buffer.alloc(14)
    entry.writeUInt32LE(offset, 10)
    locals.push(Buffer.from('PK\x03\x04', 'latin1'), facts, title, bytes)
    central.push(Buffer.from('PK\x01\x02\x14\x00', 'latin1'), facts, entry, title)
    offset += 30 + title.length + bytes.length
  }
  const end = Buffer.alloc(18)
  end.writeUInt16LE(files.length, 4)
  end.writeUInt16LE(files.length, 6)
  end.writeUInt32LE(Buffer.concat(central).length, 8)
  end.writeUInt32LE(offset, 12)
  const bytes = Buffer.concat([...locals, ...central, Buffer.from('PK\x05\x06', 'latin1'), end])
  return { name: `${stem}.zip`, type: 'application/zip', bytes }
}

// Results: the files that a task returns.

interface Asked {
  readonly ext: string
  readonly count: number
}

type Body = Readonly<Record<string, unknown>>

const numberOf = (value: unknown, otherwise: number) => (typeof value === 'number' ? value : otherwise)

function speechFormat({ audio_setting: setting }: Body): string {
  const format =
    typeof setting === 'object' && setting !== null && 'format' in setting ? setting.format : undefined
  return format === 'wav' ? 'wav' : 'mp3'
}

/** The files that the document promises for a request. */
export function askedOf({ label }: MediaModel, body: Body): Asked {
  const video = typeof body.outputFormat === 'string' ? body.outputFormat.toLowerCase() : 'mp4'
  const asked: Readonly<Record<string, Asked>> = {
    'MODEL-3D-TEXT': { ext: 'glb', count: 1 },
    'MODEL-IMAGE-DESIGN': { ext: 'png', count: numberOf(body.n, 1) },
    'MODEL-IMAGE-PHOTO': { ext: 'png', count: numberOf(body.numberOfImages, 4) },
    'MODEL-SPEECH-TURBO': { ext: speechFormat(body), count: 1 },
    'MODEL-TTS-DIALOGUE': { ext: 'wav', count: 1 },
    'MODEL-MUSIC': { ext: 'mp3', count: 2 },
  }
  return asked[label] ?? { ext: video, count: numberOf(body.numberResults, 1) }
}

const otherFormat: Readonly<Record<string, string>> = {
  glb: 'stl',
  png: 'webp',
  mp3: 'wav',
  wav: 'mp3',
  mp4: 'webm',
  webm: 'mp4',
  mov: 'mp4',
}

const moreFiles: Readonly<Record<Kind, readonly string[]>> = {
  object3d: ['obj', 'mtl', 'png'],
  image: ['png'],
  audio: ['mp3'],
  video: ['mp4'],
}

export async function filesOf(
  way: Personality['files'],
  kind: Kind,
  { ext, count }: Asked,
): Promise<readonly File[]> {
  const format = way === 'other' ? (otherFormat[ext] ?? ext) : ext
  const files = await Promise.all(
    Array.from({ length: count }, (_, index) => fileOf(`result-${index + 1}`, format)),
  )
  if (way === 'cover') return [...files, await fileOf('cover', 'jpg')]
  if (way === 'subtitles') {
    return [...files, await fileOf('result-1', kind === 'audio' || kind === 'video' ? 'srt' : 'txt')]
  }
  if (way === 'archive') return [zipOf('result', [...files, await fileOf('readme', 'txt')])]
  if (way !== 'several') return files
  return [...files, ...(await Promise.all(moreFiles[kind].map((one) => fileOf('extra', one))))]
}

// Addresses.

const signature =
  '?X-Sig=a%2Bb%2Fc%3D%3D&Expires=1999999999&response-content-disposition=attachment%3B%20filename%3D%22%D1%84.bin%22'

interface Stored {
  readonly file: File
  readonly address: Personality['address']
  readonly headers: Personality['headers']
}

export type Artifacts = ReturnType<typeof createArtifacts>

export function createArtifacts() {
  const stored = new Map<string, Stored>()

  return {
    /** Stores a file. @returns the path and query of its address */
    store(file: File, { address, headers }: Pick<Personality, 'address' | 'headers'>): string {
      const key = randomUUID()
      stored.set(key, { file, address, headers })
      const ending = /\.\w+$/.exec(file.name)?.[0] ?? ''
      if (address === 'plain') return `/cdn/${key}${ending}`
      if (address === 'redirect') return `/moved/${key}`
      return `/cdn/${key}${address === 'signed' ? signature : ''}`
    },

    /** Answers a request. @returns false if its path is not one of an artifact */
    answer({ url = '', headers }: IncomingMessage, response: ServerResponse): boolean {
      const [, room, key = ''] = /^\/(cdn|moved|again)\/([\w-]{36})/.exec(url) ?? []
      const one = stored.get(key)
      if (!room || !one) return false
      if (room === 'moved') return redirect(response, 302, `http://${headers.host}/again/${key}`)
      if (room === 'again') return redirect(response, 307, `../cdn/${key}`)
      const isSigned = one.address === 'signed'
      // Like object storage, this refuses a changed query and a second way of authentication.
      if (isSigned && (!url.endsWith(signature) || headers.authorization)) return forbid(response)
      send(response, one)
      return true
    },
  }
}

function redirect(response: ServerResponse, status: number, location: string): true {
  response.writeHead(status, { location }).end()
  return true
}

function forbid(response: ServerResponse): true {
  response
    .writeHead(403, { 'content-type': 'application/xml' })
    .end('<Error><Code>SignatureDoesNotMatch</Code></Error>')
  return true
}

function headersOf({ file, headers }: Stored): Record<string, string | number> {
  const { type, name, bytes } = file
  const length = { 'content-length': bytes.length }
  if (headers === 'exact') return { 'content-type': type, ...length }
  if (headers === 'chunked') return { 'content-type': type, 'transfer-encoding': 'chunked' }
  if (headers === 'general') return { 'content-type': 'application/octet-stream', ...length }
  if (headers === 'untyped') {
    return { 'content-disposition': `attachment; filename="x"; filename*=UTF-8''${name}`, ...length }
  }
  return { 'content-type': `${type.toUpperCase()}; Charset=UTF-8`, ...length }
}

function send(response: ServerResponse, one: Stored) {
  response.writeHead(200, headersOf(one))
  const half = Math.floor(one.file.bytes.length / 2)
  response.write(one.file.bytes.subarray(0, half))
  response.end(one.file.bytes.subarray(half))
}
