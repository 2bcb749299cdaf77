// The format of a downloaded file, or that it is not a file: by its bytes first, then by content type and name. The text of plain files.

import fc from 'fast-check'
import { expect, it } from 'vitest'
import { formatOf, plainTextOf } from '../../src/runtime/file-format.ts'
import { anyText } from '../support/any-text.ts'
import { threadTime } from '../support/runtime/cpu-time.ts'

const about = (content: string, type = '', ...urls: string[]) =>
  formatOf(Buffer.from(content, 'latin1'), { type, urls })

const recognised: readonly (readonly [content: string, kind: string, extension: string])[] = [
  ['\x89PNG\r\n\x1a\n', 'image', 'png'],
  ['\xff\xd8\xff\xe0', 'image', 'jpg'],
  ['RIFF....WEBPVP8 ', 'image', 'webp'],
  ['GIF89a', 'image', 'gif'],
  ['\0\0\0\x1cftypavif', 'image', 'avif'],
  ['<?xml version="1.0"?>\n<!-- drawn -->\n<svg xmlns="x"/>', 'image', 'svg'],
  ['\0\0\0\x18ftypisom', 'video', 'mp4'],
  ['\0\0\0\x14ftypqt  ', 'video', 'mov'],
  ['\x1aE\xdf\xa3\x9fB\x86\x81\x01B\x82\x84webm', 'video', 'webm'],
  ['RIFF....AVI LIST', 'video', 'avi'],
  ['ID3\x04\0', 'audio', 'mp3'],
  ['\xff\xfb\x90\x64', 'audio', 'mp3'],
  ['\xff\xf1\x50\x80', 'audio', 'aac'],
  ['\0\0\0\x20ftypM4A ', 'audio', 'm4a'],
  ['RIFF....WAVEfmt ', 'audio', 'wav'],
  ['OggS\0', 'audio', 'ogg'],
  ['fLaC\0', 'audio', 'flac'],
  ['glTF\x02\0\0\0', 'model3d', 'glb'],
  ['{"asset":{"version":"2.0"},"meshes":[]}', 'model3d', 'gltf'],
  ['\n{ "scenes": [], "asset": { "version": "2.0" } }', 'model3d', 'gltf'],
  ['Kaydara FBX Binary  \0', 'model3d', 'fbx'],
  ['# made by hand\n\nv 0 0 0\nv 1.5 -2e-3 0\n', 'model3d', 'obj'],
  ['ply\nformat ascii 1.0\n', 'model3d', 'ply'],
  ['solid chair\n  facet normal 0 0 1\n', 'model3d', 'stl'],
  [`${' '.repeat(80)}\x01\0\0\0${'\0'.repeat(50)}`, 'model3d', 'stl'],
  ['<?xml version="1.0"?><COLLADA version="1.4.1">', 'model3d', 'dae'],
  [`PK\x03\x04${'.'.repeat(26)}cube.usdc`, 'model3d', 'usdz'],
  ['PK\x03\x04\x14\0', 'other', 'zip'],
  ['%PDF-1.7', 'other', 'pdf'],
  ['WEBVTT\n\n', 'text', 'vtt'],
  ['\xef\xbb\xbf1\r\n00:00:00,000 --> 00:00:02,000\r\nHello', 'text', 'srt'],
  ['[ti:The sea]\n[00:01.20]The sea', 'text', 'lrc'],
  ['# wood\nnewmtl wood\n', 'text', 'mtl'],
  ['{"seed":7}', 'text', 'json'],
  ['[Verse 1]\nThe sea', 'text', 'txt'],
  ['<?xml version="1.0"?><scene/>', 'text', 'xml'],
  ['The sea, the sea', 'text', 'txt'],
  ['\0\x01\x02', 'other', 'bin'],
]

it('bytes are recognised whatever type the server calls them', () => {
  const types = ['', 'application/octet-stream', 'text/plain', 'application/json', 'video/mp4']
  const found = recognised.flatMap(([content]) => types.map((type) => [content, about(content, type)]))
  const expected = recognised.flatMap(([content, kind, extension]) =>
    types.map(() => [content, { kind, extension }]),
  )
  expect(found).toEqual(expected)
})

it('content type and name complete what the bytes show, and do not override it', () => {
  const cdn = 'https://cdn.example'
  const rows: readonly (readonly [content: string, type: string, urls: string[], extension: string])[] = [
    ['\0\x01\x02', 'model/obj', [], 'obj'],
    ['\0\x01\x02', '', [`${cdn}/a/chair.FBX?signed=1`], 'fbx'],
    ['\0\x01\x02', '', [`${cdn}/1`, 'https://gateway.example/chair.blend'], 'blend'],
    ['PK\x03\x04', 'model/vnd.usdz+zip', [], 'usdz'],
    ['PK\x03\x04', '', [`${cdn}/chair.3mf`], '3mf'],
    ['words', '', [`${cdn}/song.LRC`], 'lrc'],
    ['# empty', 'text/plain', [`${cdn}/chair.obj`], 'obj'],
    ['words', 'text/vtt', [], 'vtt'],
    ['\x89PNG\r\n', 'video/mp4', [`${cdn}/a.mp4`], 'png'],
    ['words', 'image/png', [`${cdn}/a.png`], 'txt'],
    ['\0\x01\x02', 'text/vtt', [`${cdn}/a.srt`], 'bin'],
    ['PK\x03\x04', 'image/png', [`${cdn}/a.exe`], 'zip'],
    ['\0\x01\x02', '', [`${cdn}/a.exe`], 'bin'],
    ['\0\x01\x02', '', ['not an address.fbx'], 'bin'],
    ['\0\x01\x02', 'text/html', [], 'bin'],
    ['v 0 0 0', 'text/html', [], 'obj'],
    // Answers that only mention an error.
    ['{"error":null,"seed":7}', '', [], 'json'],
    ['{"asset":{},"meshes":[],"error":"none"}', '', [], 'gltf'],
    [`{"error":"${'x'.repeat(70_000)}"}`, '', [], 'json'],
  ]
  const found = rows.map(([content, type, urls]) => [
    content,
    type,
    urls,
    about(content, type, ...urls)?.extension,
  ])
  expect(found).toEqual(rows)
})

it('pages and errors are no files, whatever their type', () => {
  const xml = '<?xml version="1.0"?>'
  const pages = [
    '',
    '<html><body>Bad gateway</body></html>',
    '<!-- served by x --><HTML>',
    `${xml}<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN"><html/>`,
    '<h1>502 Bad Gateway</h1>',
    `${xml}\n<Error><Code>AccessDenied</Code></Error>`,
    '{"error":"expired"}',
    '{"message":"Not found"}',
    '\xef\xbb\xbf{"msg":"busy","code":1}',
  ]
  for (const type of ['', 'video/mp4', 'application/json'])
    expect(pages.filter((page) => about(page, type) !== undefined)).toEqual([])
  expect(about('Bad gateway', 'text/html')).toBeUndefined()
})

const digits = '1'.repeat(1365)

it('the format of any bytes is recognised quickly', () => {
  const content = fc.oneof(
    fc.uint8Array({ maxLength: 600 }),
    anyText({ maxLength: 600 }).map((text) => Buffer.from(text)),
    fc
      .array(
        fc.constantFrom('<!--', '-->', '<!', '>', '<?', '[', ']', '{"', ' ', '\n', 'v 1', digits, 'PK', '\0'),
        { maxLength: 200 },
      )
      .map((parts) => Buffer.from(parts.join(''))),
  )
  fc.assert(
    fc.property(content, anyText({ maxLength: 20 }), anyText({ maxLength: 60 }), (bytes, type, url) => {
      const began = threadTime()
      const format = formatOf(Buffer.from(bytes), { type, urls: [url] })
      expect(format === undefined || /^\w{1,5}$/.test(format.extension)).toBe(true)
      expect(threadTime() - began).toBeLessThan(1000)
    }),
    { numRuns: 20 },
  )
})

/** Encodes a text in a single-byte encoding, which Buffer does not support. */
function encoded(text: string, encoding: string): Buffer {
  const characters = [...new TextDecoder(encoding).decode(Uint8Array.from({ length: 256 }, (_, at) => at))]
  return Buffer.from([...text].map((one) => characters.indexOf(one)))
}
const words = 'Привет, мир! Ёлка — 5 шт.\r\n'

it('a text is read in UTF-8, UTF-16 and Windows-1251, and from nothing else', () => {
  for (const bytes of [
    Buffer.from(words),
    Buffer.from(`\ufeff${words}`),
    Buffer.from(`\ufeff${words}`, 'utf16le'),
    encoded(words, 'windows-1251'),
  ])
    expect(plainTextOf(bytes)).toBe(words)
  const unread = {
    'UTF-16 that is cut': Buffer.from([0xff, 0xfe, 0x61]),
    'UTF-16 with half of a pair': Buffer.from([0xff, 0xfe, 0x3d, 0xd8]),
    'French in Latin-1': Buffer.from('Élève très pressé, à côté', 'latin1'),
    'the DOS encoding': encoded('Привет, это старый текст', 'ibm866'),
    'a picture': Buffer.from('89504e470d0a1a0a0000000d49484452000000', 'hex'),
    'random bytes': Buffer.from(Array.from({ length: 500 }, (_, at) => ((at * 167) % 255) + 1)),
  }
  for (const [name, bytes] of Object.entries(unread))
    expect([name, plainTextOf(bytes)]).toEqual([name, undefined])
})
