// Subtitles as text inside an answer become a file.

import { expect, it } from 'vitest'
import { filesIn } from '../../src/gateway/files.ts'

const srt = '1\n00:00:00,000 --> 00:00:01,500\nGood morning!\n'
const vtt = 'WEBVTT\n\n00:00.000 --> 00:01.500\nGood morning!\n'
const lrc = '[ti:Song]\n[00:01.20]Good morning!\n'
const sound = Buffer.from('ID3.').toString('hex')

it('timed text in any place for subtitles is a file beside the sound', () => {
  const bodies = [
    { data: { audio: sound, subtitles: srt } },
    { data: { audio: sound }, subtitle: vtt },
    { data: { audio: sound, subtitle_file: { content: srt } } },
    { data: [{ audio: sound, lyrics: lrc }] },
  ]
  const texts = bodies.map((body) => {
    const [main, subtitles] = filesIn(body).files
    return [
      main && 'bytes' in main && main.mime,
      subtitles && 'bytes' in subtitles && String(subtitles.bytes),
    ]
  })
  expect(texts).toEqual([srt, vtt, srt, lrc].map((text) => ['audio/mpeg', text]))
})

it('words without times are no file', () => {
  const lyrics = '[Verse]\nGood morning!\n[Chorus]'
  expect(filesIn({ data: [{ audio: sound, lyrics }], caption: 'A song' }).files).toHaveLength(1)
})
