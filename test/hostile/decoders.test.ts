// Decompression bombs and absurd numbers for every decoder: facts of media, pictures, documents, 3D models and compressed answers.
// test/media/bombs.long.test.ts and test/media/garbage.fuzz.test.ts contain more cases.

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { brotliCompressSync, constants, crc32, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { beforeAll, describe, expect, it } from 'vitest'
import { fitPhoto, imageThumbnail, isGlb, probeAudio, probeVideo, readPdf } from '../../src/media/convert.ts'
import { drawGlb } from '../../src/media/glb/picture.ts'
import { probeImage } from '../../src/media/pictures.ts'
import { createDownloads } from '../../src/orders/deliver/download.ts'
import { clip, colored, glbOfJson, makeMp3 } from '../support/media/media-files.ts'

/** A replacement of bytes of an intact file, `at` bytes after the first byte of the keyword `after`. */
interface Patch {
  readonly after: string
  readonly at: number
  readonly hex: string
}

type Found = 'facts' | 'nothing'
const patch = (after: string, at: number, hex: string): Patch => ({ after, at, hex })

/** Changes of an intact MP4, and whether its facts can be read. */
const mp4s: Readonly<Record<string, readonly [Patch, Found]>> = {
  'a film of an absurd duration': [patch('mvhd', 20, 'ffffffff'), 'facts'],
  'a track in no units of time': [patch('mdhd', 16, '00000000'), 'nothing'],
  'a track of an absurd size': [patch('tkhd', 80, 'ffffffffffffffff'), 'facts'],
  'pictures of no size': [patch('avc1', 28, '00000000'), 'facts'],
  'an absurd number of times': [patch('stts', 8, 'ffffffff'), 'nothing'],
  'an absurd number of absurd times': [patch('stts', 12, 'ffffffffffffffff'), 'facts'],
  'an absurd number of sizes': [patch('stsz', 12, 'ffffffff'), 'nothing'],
  'an absurd number of equal sizes': [patch('stsz', 8, '00000001ffffffff'), 'facts'],
  'a box without an end': [patch('moov', -4, '00000000'), 'nothing'],
  'a box of absurd length': [patch('moov', -4, 'ffffffff'), 'nothing'],
  'an empty box': [patch('trak', -4, '00000008'), 'nothing'],
}

const hex = (digits: string) => Buffer.from(digits, 'hex')

/** An MP4 box inside a box, this many levels deep. */
function nested(count: number): Buffer {
  const boxes = Array.from({ length: count }, (_, at) => {
    const box = Buffer.alloc(8, 'moovmoov')
    box.writeUInt32BE(8 * (count - at))
    return box
  })
  return Buffer.concat([hex('000000106674797069736f6d00000000'), ...boxes])
}

/** Files of other containers, made from an intact MP3 or alone, and whether their facts can be read. */
const sounds: Readonly<Record<string, readonly [(mp3: Buffer) => Buffer, Found]>> = {
  'an MP3 after an endless tag': [(mp3) => Buffer.concat([hex('494433040000007f7f7f'), mp3]), 'nothing'],
  'an MP3 after five thousand tags': [
    (mp3) => Buffer.concat([Buffer.alloc(50_000, hex('49443304000000000000')), mp3]),
    'facts',
  ],
  'an MP3 of headers alone': [() => Buffer.alloc(500_000, hex('fffb9064')), 'facts'],
  'an OGG of headers alone': [() => Buffer.alloc(500_000, Buffer.from(`OggS${'\0'.repeat(24)}`)), 'nothing'],
  'boxes in boxes': [() => nested(20_000), 'nothing'],
  zeros: [() => Buffer.alloc(2_000_000), 'nothing'],
}

/** Files that keep their parser busy for ever. */
const endless: Readonly<Record<string, Buffer>> = {
  'a FLAC of absurd length': Buffer.concat([
    hex('664c6143800000221000100000000000000000bb80f0ffffffff'),
    Buffer.alloc(30, 0xff),
  ]),
  'a Matroska of headers alone': Buffer.alloc(500_000, hex('1a45dfa3')),
}

/** One chunk of a PNG. */
function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data])
  const whole = Buffer.alloc(body.length + 8)
  whole.writeUInt32BE(data.length)
  body.copy(whole, 4)
  whole.writeUInt32BE(crc32(body), whole.length - 4)
  return whole
}

const packed = deflateSync(Buffer.alloc(20_000_000), { level: 1 })
const into = (png: Buffer, ...chunks: readonly Buffer[]) =>
  Buffer.concat([png.subarray(0, 33), ...chunks, png.subarray(33)])
const at = (bytes: Buffer, place: number, digits: string) => {
  const copy = Buffer.from(bytes)
  copy.write(digits, place, 'hex')
  return copy
}

interface Intact {
  readonly png: Buffer
  readonly jpeg: Buffer
  readonly webp: Buffer
}
type Shown = 'shown' | 'shown without a preview' | 'not a picture'

/** Pictures, and whether they are shown as pictures. */
const pictures: Readonly<Record<string, readonly [(intact: Intact) => Buffer, Shown]>> = {
  'a PNG with a bomb for a text': [
    ({ png }) => into(png, chunk('zTXt', Buffer.concat([Buffer.from('a\0\0'), packed]))),
    'shown',
  ],
  'a PNG with a bomb for a colour profile': [
    ({ png }) => into(png, chunk('iCCP', Buffer.concat([Buffer.from('a\0\0'), packed]))),
    'shown',
  ],
  'a PNG with a bomb for its pixels': [
    ({ png }) => Buffer.concat([png.subarray(0, 33), chunk('IDAT', packed), chunk('IEND', Buffer.alloc(0))]),
    'shown',
  ],
  'a PNG of no width': [({ png }) => at(png, 16, '00000000'), 'not a picture'],
  'a PNG that is cut': [({ png }) => png.subarray(0, png.length - 20), 'shown without a preview'],
  'a JPEG that is cut': [({ jpeg }) => jpeg.subarray(0, jpeg.length - 12), 'shown without a preview'],
  'a JPEG of no size': [({ jpeg }) => at(jpeg, jpeg.indexOf(hex('ffc0')) + 5, '00000000'), 'not a picture'],
  'a WebP of absurd size': [
    ({ webp }) => at(webp, webp.indexOf(hex('9d012a')) + 3, 'ff3fff3f'),
    'not a picture',
  ],
  'a JPEG of a hundred thousand empty segments': [
    ({ jpeg }) =>
      Buffer.concat([jpeg.subarray(0, 2), Buffer.alloc(400_000, hex('ffe10002')), jpeg.subarray(2)]),
    'shown',
  ],
}

const pdf = (...objects: readonly string[]) =>
  Buffer.from(
    `%PDF-1.4\n${objects.map((one, index) => `${index + 1} 0 obj ${one} endobj\n`).join('')}trailer<</Root 1 0 R/Size ${objects.length + 1}>>\nstartxref\n0\n%%EOF`,
    'latin1',
  )
const stream = (text: string, facts = '') => `<<${facts}/Length ${text.length}>>stream\n${text}\nendstream`
const catalog = '<</Type/Catalog/Pages 2 0 R>>'
const tree = '<</Type/Pages/Kids[3 0 R]/Count 1>>'
const page = (contents: string, more = '') =>
  `<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Contents ${contents}/Resources<</Font<</F1 5 0 R>>${more}>>>>`
const font = '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>'
const say = 'BT /F1 9 Tf (hi) Tj ET'
const form = (text: string, objects: string) =>
  stream(text, `/Type/XObject/Subtype/Form/BBox[0 0 9 9]/Resources<<${objects}/Font<</F1 5 0 R>>>>`)

/** A PDF of one page. @param objects after the page, its contents and its font */
const onePage = (contents: string, more = '', ...objects: readonly string[]) =>
  pdf(catalog, tree, page('4 0 R', more), contents, font, ...objects)
const doubling = Array.from({ length: 25 }, (_, at) => form('/N Do /N Do', `/XObject<</N ${at + 7} 0 R>>`))
const many = `<</Type/Pages/Kids[${'3 0 R '.repeat(30_000)}]/Count 30000>>`
const script = '<</Type/Catalog/Pages 2 0 R/OpenAction<</S/JavaScript/JS(while\\(1\\);)>>>>'
const itself = '/XObject<</X 6 0 R>>'

/** PDFs, each with the text that the decoder must return; undefined when it must return none. */
const pdfs: Readonly<Record<string, readonly [Buffer, string | undefined]>> = {
  'a form inside itself': [onePage(stream(`/X Do ${say}`), itself, form('/X Do', itself)), 'hi'],
  'forms that double': [
    onePage(stream('/N Do'), '/XObject<</N 6 0 R>>', ...doubling, form(say, '')),
    undefined,
  ],
  'a deep list': [onePage(stream('['.repeat(200_000) + say)), undefined],
  'a page thirty thousand times': [pdf(catalog, many, page('4 0 R'), stream(say), font), undefined],
  'a script': [pdf(script, tree, page('4 0 R'), stream(say), font), 'hi'],
  'contents elsewhere': [onePage('<</Length 0/F(http://169.254.169.254/)>>stream\n\nendstream'), undefined],
}

const triangle = Buffer.from(new Float32Array([0, 0, 0, 1, 0, 0, 0, 1, 0]).buffer)
const scene = (accessor: object = {}, view: object = {}, more: object = {}) => ({
  scene: 0,
  scenes: [{ nodes: [0] }],
  nodes: [{ mesh: 0 }],
  meshes: [{ primitives: [{ attributes: { POSITION: 0 }, material: 0 }] }],
  materials: [{ pbrMetallicRoughness: { baseColorTexture: { index: 0 } } }],
  textures: [{ source: 0 }],
  accessors: [{ bufferView: 0, componentType: 5126, count: 3, type: 'VEC3', ...accessor }],
  bufferViews: [
    { buffer: 0, byteOffset: 0, byteLength: 36, ...view },
    { buffer: 0, byteOffset: 36, byteLength: 4 },
  ],
  buffers: [{ byteLength: 40 }],
  images: [{ bufferView: 1, mimeType: 'image/png' }],
  ...more,
})
const binary = Buffer.concat([triangle, hex('89504e47')])
const model = (...changes: Parameters<typeof scene>) => glbOfJson(scene(...changes), binary)
const withLength = (place: number, length: number) => {
  const bytes = model()
  bytes.writeUInt32LE(length, place)
  return bytes
}

/** 3D models, and whether a preview is drawn. */
const models: Readonly<Record<string, readonly [Buffer, 'drawn' | 'refused']>> = {
  'with a picture of no pixels': [model(), 'drawn'],
  'with JSON of absurd length': [withLength(12, 0xffff_ffff), 'refused'],
  'with numbers at an absurd place': [model({}, { byteOffset: 4_000_000_000 }), 'refused'],
  'with numbers of no format': [model({ componentType: 1 }), 'refused'],
  'with a picture in our network': [
    model({}, {}, { images: [{ uri: 'http://169.254.169.254/latest' }] }),
    'refused',
  ],
  'with a picture in our files': [model({}, {}, { images: [{ uri: 'file:///etc/passwd' }] }), 'refused'],
  'with numbers in our files': [
    model({}, {}, { buffers: [{ byteLength: 36, uri: '../../../etc/passwd' }] }),
    'refused',
  ],
  'of names of prototypes': [
    glbOfJson({ scene: '__proto__', scenes: [{ nodes: ['constructor'] }], nodes: { length: 5 } }, binary),
    'refused',
  ],
  'of absurd scale': [model({}, {}, { nodes: [{ mesh: 0, scale: [1e308, 1e308, 1e308] }] }), 'refused'],
}

const textOf = async (...given: Parameters<typeof readPdf>) => (await readPdf(...given))?.text || undefined

/** A short time limit in milliseconds; the limits in production are tens of times longer. */
const briefly = 150

describe('reading size and duration', () => {
  const all = async (bytes: Buffer, timeoutMs?: number) => ({
    ...(await probeVideo(bytes, timeoutMs)),
    ...(await probeAudio(bytes, timeoutMs)),
  })
  let mp4: Buffer
  let mp3: Buffer
  beforeAll(async () => {
    mp4 = await clip('640x640.mp4')
    mp3 = await makeMp3(1)
  })

  it('of an MP4 with absurd numbers succeeds or ends as listed', async () => {
    for (const [name, [{ after, at, hex }, found]] of Object.entries(mp4s)) {
      const bytes = Buffer.from(mp4)
      bytes.write(hex, bytes.indexOf(after) + at, 'hex')
      const { duration = 0, ...facts } = await all(bytes)
      const expected = found === 'nothing' ? {} : { width: 640, height: 640, container: 'mp4' }
      expect([name, facts]).toMatchObject([name, expected])
      expect([name, Object.keys(facts).length > 0]).toEqual([name, found === 'facts'])
      expect(duration).toBeLessThanOrEqual(86_400)
    }
  })

  it('of other containers succeeds or ends as listed', async () => {
    for (const [name, [made, found]] of Object.entries(sounds)) {
      const { seconds = 0 } = await all(made(mp3))
      expect([name, seconds > 0 ? 'facts' : 'nothing']).toEqual([name, found])
    }
  })

  it('that never ends is given up at the time limit', async () => {
    for (const bytes of Object.values(endless)) expect(await probeAudio(bytes, briefly)).toBeUndefined()
  })
})

it('pictures are shown or refused as listed', async () => {
  const base = colored(60, 40, [1, 2, 3])
  const [png, jpeg, webp] = await Promise.all([
    base.clone().png().toBuffer(),
    base.clone().jpeg().toBuffer(),
    base.clone().webp().toBuffer(),
  ])
  for (const [name, [made, shown]] of Object.entries(pictures)) {
    const bytes = made({ png, jpeg, webp })
    const [facts, photo, preview] = [
      await probeImage(bytes),
      await fitPhoto(bytes),
      await imageThumbnail(bytes),
    ]
    const isShown = facts !== undefined && photo !== undefined
    const expected = [name, shown !== 'not a picture', shown === 'shown']
    expect([name, isShown, preview !== undefined]).toEqual(expected)
  }
})

it('PDFs give the listed text or none', async () => {
  for (const [name, [bytes, text]] of Object.entries(pdfs))
    expect([name, await textOf(bytes, text === undefined ? briefly : undefined)]).toEqual([name, text])
})

it('3D models are drawn or refused as listed', async () => {
  for (const [name, [bytes, outcome]] of Object.entries(models)) {
    const drawn = isGlb(bytes) ? await drawGlb(bytes, 32).catch(() => undefined) : undefined
    expect([name, drawn ? 'drawn' : 'refused']).toEqual([name, outcome])
  }
})

describe('a compressed answer', () => {
  const bomb = Buffer.alloc(1_000_000)
  const small = Buffer.from('glTF....')

  /** @returns the downloaded file; undefined when it is too large */
  async function unpack(body: Buffer, encoding: string): Promise<Buffer | undefined> {
    const server = createServer((_, res) => res.writeHead(200, { 'content-encoding': encoding }).end(body))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const gatewayUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const downloads = createDownloads({ gatewayUrl, maxBytes: 100_000 })
    const downloaded = await downloads.get(`${gatewayUrl}/a.bin`)
    await downloads.close()
    server.close()
    return downloaded.ok ? downloaded.bytes : undefined
  }

  it('is unpacked up to the size limit', async () => {
    const quick = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }
    const packers = {
      gzip: gzipSync,
      'x-gzip': gzipSync,
      deflate: deflateSync,
      br: (bytes: Buffer) => brotliCompressSync(bytes, quick),
      zstd: zstdCompressSync,
    }
    for (const [encoding, pack] of Object.entries(packers)) {
      const cut = pack(small).subarray(0, 6)
      const unpacked = [pack(bomb), pack(small), cut].map((body) => unpack(body, encoding))
      expect([encoding, ...(await Promise.all(unpacked))]).toEqual([encoding, undefined, small, cut])
    }
  })

  it('stays unchanged in an encoding that is not supported', async () => {
    for (const encoding of ['', ' ', 'identity', 'gzip, gzip', 'compress', '__proto__', 'x'.repeat(8000)])
      expect([encoding, await unpack(small, encoding)]).toEqual([encoding, small])
  })
})
