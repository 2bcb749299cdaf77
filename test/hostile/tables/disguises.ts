// Files whose declared type, name or kind differs from their bytes.

import { gzipSync } from 'node:zlib'
import type { FileToSend } from '../../support/users/user.ts'

const picture = /What should I do with this picture\?/
const unseen = /Models can’t see this picture/
const clip = /What should I make from it\?/
const unreadable = /I can read pictures, text files and PDF/
const card = /can’t use such a file.*\[🎬 A video from the words alone\]/s

const bytes = (text: string) => Buffer.from(text, 'latin1')
/** A truncated file: its head and eight zero bytes. */
const cut = (head: string) => Buffer.concat([bytes(head), Buffer.alloc(8)])
const wide = (head: string) => Buffer.concat([bytes(head), Buffer.alloc(40, 0xff)])

/** Contents by name, with a pattern of the bot's answer. */
export const contents: Readonly<Record<string, readonly [content: Buffer, reads: RegExp]>> = {
  'a truncated PNG': [cut('\x89PNG\r\n\x1a\n'), unseen],
  'a PNG of absurd size': [wide('\x89PNG\r\n\x1a\n\0\0\0\rIHDR'), unseen],
  'a truncated JPEG': [cut('\xff\xd8\xff\xe0\0\x10JFIF'), unseen],
  'a JPEG of absurd size': [wide('\xff\xd8\xff\xc0\0\x11\x08'), unseen],
  'a truncated WebP': [cut('RIFF\xff\xff\xff\xffWEBPVP8 '), unseen],
  'a GIF': [Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64'), picture],
  'a GIF of absurd size': [wide('GIF89a'), unseen],
  'a drawing with a script': [
    bytes('<svg xmlns="http://www.w3.org/2000/svg"><script>x</script></svg>'),
    unseen,
  ],
  'a drawing of laughs': [
    bytes('<!DOCTYPE svg [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]><svg>&b;</svg>'),
    unseen,
  ],
  'a truncated MP3': [cut('ID3\x04\0\0\0\0\0\x7f'), clip],
  'an MP3 with an endless tag': [wide('ID3\x04\0\0'), clip],
  'a truncated WAV': [cut('RIFF\xff\xff\xff\xffWAVEfmt '), clip],
  'a FLAC of absurd length': [wide('fLaC\0\0\0\x22'), clip],
  'a truncated OGG': [cut('OggS\0\x02'), clip],
  'a truncated MP4': [cut('\0\0\0\x18ftypisom'), clip],
  'an MP4 with a box of absurd length': [wide('\0\0\0\x18ftypisom\0\0\0\0isommp42'), clip],
  'a truncated WebM': [cut('\x1aE\xdf\xa3\x9fB\x86\x81\x01webm'), clip],
  'an AVI': [cut('RIFF\0\0\0\0AVI LIST'), clip],
  'a 3D model of absurd length': [wide('glTF\x02\0\0\0'), unreadable],
  'a truncated 3D model': [cut('glTF\x02\0\0\0\xff\0\0\0'), unreadable],
  'a truncated PDF': [cut('%PDF-1.7\n1 0 obj<<'), unreadable],
  'a PDF of absurd tables': [
    bytes('%PDF-1.7\nxref\n0 99999999999\ntrailer<</Size 99999999999>>'),
    unreadable,
  ],
  'a gzip bomb': [gzipSync(Buffer.alloc(1_000_000)), unreadable],
  'a zip in a zip': [cut('PK\x03\x04\x14\0\0\0\x08\0'.repeat(20)), unreadable],
  'a tar': [Buffer.concat([Buffer.alloc(257), bytes('ustar\x0000')]), unreadable],
  'a program': [cut('MZ\x90\0\x03\0\0\0'), /./],
}

/** The MIME types under which each content is sent. */
export const said: readonly string[] = ['image/png', 'video/mp4', 'audio/mpeg', 'application/x-unknown']

const text = bytes('hello')
const page = bytes('<!doctype html><html><body>hello</body></html>')
const refusal = bytes('{"error":{"message":"no"}}')
/** Eight by eight pixels. */
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAIAAABLbSncAAAACXBIWXMAAAPoAAAD6AG1e1JrAAAAEklEQVQImWP4z8CAFWEXHbQSACj/P8FTKqelAAAAAElFTkSuQmCC',
  'base64',
)
const mp3 = cut('ID3\x04\0\0\0\0\0\x7f')
const frames = /Prompt: a fox.*\[Frames: 🖼\]/s
const question = 'what is this?'

/** More disguised files, with their captions. */
export const disguised: readonly (readonly [
  name: string,
  file: Omit<FileToSend, 'name'>,
  caption: string,
  reads: RegExp,
])[] = [
  ['a text as a picture', { bytes: text, mime: 'image/png' }, '', unreadable],
  ['a text as a video', { bytes: text, mime: 'video/mp4' }, '', unreadable],
  ['a text as a sound', { bytes: text, mime: 'audio/ogg' }, '', unreadable],
  ['a text as a PDF', { bytes: text, mime: 'application/pdf' }, '', unreadable],
  ['a text of no type', { bytes: text, mime: 'x' }, '', /What should I do with this file\?/],
  ['a page as a picture', { bytes: page, mime: 'image/jpeg' }, '', unreadable],
  ['a page as a PDF', { bytes: page, mime: 'application/pdf' }, '', unreadable],
  ['a refusal as a picture', { bytes: refusal, mime: 'image/jpeg' }, '', unreadable],
  ['a picture as a text', { bytes: png, mime: 'text/plain' }, '', picture],
  ['a picture as a PDF', { bytes: png, mime: 'application/pdf' }, '', picture],
  ['nothing but zeros as a text', { bytes: Buffer.alloc(9), mime: 'text/plain' }, '', unreadable],
  ['one byte as a video', { bytes: bytes('\0'), mime: 'video/mp4' }, '', clip],
  ['a picture of a type in capitals', { bytes: png, mime: 'IMAGE/PNG' }, '', picture],
  ['a picture of a type with a header', { bytes: png, mime: 'image/png\r\nx-a: b' }, '', picture],
  ['a picture of a type with a null byte', { bytes: png, mime: 'image/\0png' }, '', picture],
  ['a picture of a type with half a pair', { bytes: png, mime: 'image/\ud83d' }, '', picture],
  ['a picture of an endless type', { bytes: png, mime: `image/${'x'.repeat(4000)}` }, '', picture],
  ['a picture of a type that is a path', { bytes: png, mime: '../../etc/passwd' }, '', picture],
  ['a picture of a type that is a prototype', { bytes: png, mime: '__proto__' }, '', picture],
  ['a text as a picture with a question', { bytes: text, mime: 'image/png' }, question, unreadable],
  ['a page as a picture with a question', { bytes: page, mime: 'image/png' }, question, unreadable],
  ['a text as a video with a question', { kind: 'video', bytes: text, mime: 'video/mp4' }, question, clip],
  ['a sound with a question', { kind: 'audio', bytes: mp3, mime: 'audio/mpeg' }, question, clip],
  ['a sound as a picture with a question', { bytes: mp3, mime: 'image/png' }, question, clip],
  [
    'a program with a question',
    { bytes: cut('MZ\x90\0'), mime: 'application/x-msdownload' },
    question,
    unreadable,
  ],
  ['a text as a frame', { bytes: text, mime: 'image/png' }, '/video a fox', card],
  ['a page as a frame', { bytes: page, mime: 'image/png' }, '/video a fox', card],
  ['a PDF as a frame', { bytes: cut('%PDF-1.7'), mime: 'image/png' }, '/video a fox', card],
  ['a 3D model as a frame', { bytes: cut('glTF\x02\0\0\0'), mime: 'image/png' }, '/video a fox', card],
  ['an archive as a frame', { bytes: cut('PK\x03\x04'), mime: 'image/png' }, '/video a fox', card],
  ['a picture as a video as a frame', { bytes: png, mime: 'video/mp4' }, '/video a fox', frames],
  ['a picture of no type as a frame', { bytes: png, mime: 'x' }, '/video a fox', frames],
  ['a sound as a picture as a voice', { bytes: mp3, mime: 'image/png' }, '/video a fox', /Voice: 🎵/],
  [
    'a PDF as a prompt',
    { bytes: cut('%PDF-1.7'), mime: 'application/pdf' },
    '/image',
    /can’t use such a file/,
  ],
  [
    'no UTF-8 as a prompt',
    { bytes: bytes('\xff\xfe'), mime: 'text/plain' },
    '/image',
    /can’t use such a file/,
  ],
]
