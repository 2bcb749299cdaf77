// Makes small, real artifacts by extension. Test support makes the bytes; none of its logic is used.

import { crc32 } from 'node:zlib'
import {
  addShape,
  clip,
  colored,
  cube,
  glbOf,
  makeMp3,
  makeWav,
  newModel,
  sine,
} from '../../../support/media/media-files.ts'

export interface File {
  readonly name: string
  readonly type: string
  readonly bytes: Buffer
}

const types: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  webp: 'image/webp',
  mp3: 'audio/mpeg',
  wav: 'audio/wav',
  mp4: 'video/mp4',
  webm: 'video/webm',
  mov: 'video/quicktime',
  glb: 'model/gltf-binary',
  obj: 'model/obj',
  mtl: 'text/plain',
  stl: 'model/stl',
  srt: 'application/x-subrip',
  txt: 'text/plain',
  zip: 'application/zip',
}

const obj = 'mtllib model.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nusemtl red\nf 1 2 3\n'
const stl =
  'solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\nendsolid a\n'

async function glb(): Promise<Buffer> {
  const document = newModel()
  addShape(document, cube())
  return glbOf(document)
}

async function mov(): Promise<Buffer> {
  const bytes = Buffer.from(await clip('640x640.mp4'))
  bytes.write('qt  ', 8, 'latin1')
  return bytes
}

const picture = () => colored(320, 320, [200, 80, 40])

const makers: Readonly<Record<string, () => Promise<Buffer>>> = {
  png: () => picture().png().toBuffer(),
  jpg: () => picture().jpeg().toBuffer(),
  webp: () => picture().webp().toBuffer(),
  mp3: () => makeMp3(2),
  wav: async () => makeWav(1, sine(330)),
  mp4: () => clip('640x640.mp4'),
  webm: () => clip('640x640.webm'),
  mov,
  glb,
  obj: async () => Buffer.from(obj),
  mtl: async () => Buffer.from('newmtl red\nKd 1 0 0\n'),
  stl: async () => Buffer.from(stl),
  srt: async () => Buffer.from('1\r\n00:00:00,000 --> 00:00:02,000\r\nПривет\r\n'),
  txt: async () => Buffer.from('Lyrics\nOne line\n'),
}

const made = new Map<string, Promise<Buffer>>()

/** A file named `stem.ext`. */
export async function fileOf(stem: string, ext: string): Promise<File> {
  const make = makers[ext]
  if (!make) throw new Error(`no file is made for .${ext}`)
  const bytes = made.get(ext) ?? make()
  made.set(ext, bytes)
  return { name: `${stem}.${ext}`, type: types[ext] ?? '', bytes: await bytes }
}

/** A ZIP archive without compression. */
export function zipOf(stem: string, files: readonly File[]): File {
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
