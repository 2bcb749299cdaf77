// Answers that say in other words what gateway-api.md specifies, and files that came beside a result, also subtitles as text.

import { afterAll, describe, expect, it } from 'vitest'
import { addressOf, createGateway } from '../../src/gateway/client.ts'
import { GatewayRefused } from '../../src/gateway/errors.ts'
import { filesIn, seedIn } from '../../src/gateway/files.ts'
import { failureOf, json, key, raw, startAnswering } from '../support/gateway/answering.ts'

const server = await startAnswering()
afterAll(() => server.close())

const create = () => server.gateway.create('/v1/audio/speech', { text: 'hello' })
const read = () => server.gateway.readTask('t')

const video = 'https://cdn.example/1.mp4'
const other = 'https://cdn.example/2'
const subtitles = 'https://cdn.example/1.srt'
const hex = (text: string) => Buffer.from(text).toString('hex')
const base64 = (bytes: string | Buffer) => Buffer.from(bytes).toString('base64')
const srt = '1\n00:00:00,000 --> 00:00:01,500\nGood morning!\n'
const vtt = 'WEBVTT\n\n00:00.000 --> 00:01.500\nGood morning!\n'
const lrc = '[ti:Song]\n[00:01.20]Good morning!\n'
const nested = { id: 't', status: 'SUCCEEDED', data: [{ url: video, subtitle_url: subtitles }] }
const seeded = (seed: unknown) => ({ url: `${video}?${seed}`, seed })
const mp4 = Buffer.concat([Buffer.from('00000018', 'hex'), Buffer.from('ftypmp42....mp42isom')])

/** The addresses of the files of a synchronous answer; the content of those that came within it. */
async function made(body: object): Promise<readonly string[]> {
  server.answer(json(200, body))
  const created = await create()
  if (created.kind !== 'done') throw new Error(`a task: ${created.id}`)
  return created.files.map((file) => ('url' in file ? file.url : file.bytes.toString('latin1')))
}

const sound = hex('ID3.')
it.each<[string, object, string[]]>([
  ['subtitles beside sound', { data: { audio: sound, subtitle_file: subtitles } }, ['ID3.', subtitles]],
  ['subtitles beside a list', { data: [{ url: other }], subtitles: { url: subtitles } }, [other, subtitles]],
  ['subtitles in an item', { data: [{ url: other, extra: { file: subtitles } }] }, [other, subtitles]],
  ['timed text', { data: { audio: sound, subtitles: srt } }, ['ID3.', srt]],
  ['timed text beside it', { data: { audio: sound }, subtitle: vtt }, ['ID3.', vtt]],
  ['timed text in an object', { data: { audio: sound, subtitle_file: { content: srt } } }, ['ID3.', srt]],
  ['lyrics with times', { data: [{ audio: sound, lyrics: lrc }] }, ['ID3.', lrc]],
  [
    'words without times are none',
    { data: [{ audio: sound, lyrics: '[Verse]\nHi' }], caption: 'A' },
    ['ID3.'],
  ],
  ['a video as base64', { data: [{ b64_json: base64(mp4) }] }, [mp4.toString('latin1')]],
  ['a model as base64', { data: [{ model_base64: base64('glTF and so on') }] }, ['glTF and so on']],
  ['a link under another name', { data: [{ video_url: video }] }, [video]],
  ['two links', { data: { video_url: video, cover_url: other } }, [video, other]],
  ['a link once, beside its content', { data: [{ url: video, b64_json: base64(mp4) }] }, [video]],
  ['those of a nested task that is complete at once', { code: 0, task: nested }, [video, subtitles]],
  ['those of a nested task in `data`', { code: 0, data: nested }, [video, subtitles]],
])('every file of a synchronous answer is kept: %s', async (_, body, files) => {
  expect(await made(body)).toEqual(files)
})

describe('every file of a task is kept', () => {
  const dataUrl = `data:application/octet-stream;base64,${base64(mp4)}`
  const covered = [video, `${video}?2`].map((url) => ({ url, cover_url: other }))
  const twice = [video, video].map((url) => ({ url, cover_url: other }))
  const files = [{ url: other }, subtitles]
  it.each<[string, object, string[], number]>([
    ['a second file', { data: [{ url: video, lyrics: other }] }, [video, other], 1],
    ['files in a list', { data: [{ url: video, files }] }, [video, other, subtitles], 1],
    ['several results with one cover', { data: covered }, [video, `${video}?2`, other], 2],
    ['results with the same link', { data: twice }, [video, video, other], 2],
    ['a result that came as base64', { data: [{ b64_json: base64(mp4) }] }, [dataUrl], 1],
    ['an object in place of the list', { data: { url: video } }, [video], 1],
    ['a link in place of the list', { data: video }, [video], 1],
    ['a list under another name', { output: [video, other] }, [video, other], 2],
    ['a link at the top', { video_url: video }, [video], 1],
    ['a list within `data`', { data: { images: [{ url: video }, { url: other }] } }, [video, other], 2],
    ['none of other links', { data: [], urls: { get: other }, model: 'm' }, [], 0],
    ['a cover, no result', { data: [{ url: null, thumbnail_url: other }] }, [other], 0],
    ['a cover in an object, no result', { data: { poster: { url: other } } }, [other], 0],
    ['subtitles, no result', { data: [{ subtitle_url: subtitles }] }, [subtitles], 0],
  ])('%s', async (_, body, urls, results) => {
    server.answer(json(200, { id: 't', status: 'completed', ...body }))
    expect(await read()).toMatchObject({ status: 'completed', urls, results })
  })

  it.each<[string, object]>([
    ['the callback address', { callback_url: other }],
    ['the links of the request', { input: { image: other }, request: { url: other }, reference_url: other }],
    ['links to web pages', { status_url: other, share_url: other, web_url: other }],
    ['a link to an endless stream', { stream_audio_url: other }],
  ])('except %s', async (_, more) => {
    server.answer(json(200, { status: 'completed', data: [{ url: video, ...more }], ...more }))
    expect(await read()).toMatchObject({ urls: [video], results: 1 })
  })

  it('also after hundreds of words with their times', async () => {
    const words = Array.from({ length: 500 }, (_, at) => ({ word: `w${at}`, at }))
    server.answer(json(200, { status: 'completed', data: [{ words, audio_url: video }] }))
    expect(await read()).toMatchObject({ urls: [video], results: 1 })
  })

  it('a link to our own server is not a result: it repeats a picture or the callback address of the request', async () => {
    const gateway = createGateway({ baseUrl: server.url, key, ownUrl: 'https://bot.example/app' })
    const ours = 'https://bot.example/app/files/1'
    const repeated = { image: ours, notify_url: ours, task: { keyframes: { frame0: { url: ours } } } }
    server.answer(json(200, { status: 'completed', data: [], ...repeated }))
    expect(await gateway.readTask('t')).toMatchObject({ urls: [], results: 0 })
    server.answer(json(200, { status: 'completed', data: [{ url: video, image: ours }], ...repeated }))
    expect(await gateway.readTask('t')).toMatchObject({ urls: [video], results: 1 })
    server.answer(json(200, { data: [{ url: ours }, { url: 'https://bot.example/apple' }] }))
    expect(await gateway.create('/v1/images/generations', {})).toMatchObject({ results: 1 })
    await gateway.close()
  })

  it('a list of hundreds of thousands of other values is not read to its end', async () => {
    let read = 0
    const other = {
      get url() {
        read += 1
        return undefined
      },
    }
    const data = Array.from({ length: 400_000 }, () => other)
    expect(filesIn({ data: [{ url: video }, ...data] })).toMatchObject({ results: 1 })
    expect(read).toBeLessThan(1000)
  })

  it('a file that came as bytes is kept as a data URL', () => {
    expect(addressOf({ bytes: Buffer.from('abc'), mime: 'audio/mpeg' })).toBe('data:audio/mpeg;base64,YWJj')
  })
})

const inData = { task_id: 't', status: 'DONE', url: video }
const completed = { status: 'completed', urls: [video] }
const unknown = { status: 'processing', unknownStatus: 'Diffusing' }
it.each<[string, object, object?]>([
  ['under another name', { state: 'done', data: [{ url: video }] }],
  ['inside `task`', { task: { id: 7, status: 'done', data: [{ url: video }] } }],
  ['inside `data`, beside a state of the envelope', { status: 'ok', data: inData }],
  ['from its files alone', { id: 't', data: [{ url: video }] }],
  ['as running when its word is unknown, which is kept', { id: 't', status: 'Diffusing' }, unknown],
  ['with its reason', { status: 'ERROR', message: 'no voice' }, { status: 'failed', error: 'no voice' }],
])('the state of a task is understood %s', async (_, body, state = completed) => {
  server.answer(json(200, body))
  expect(await read()).toMatchObject(state)
})

const task = { id: 't', status: 'queued' }
it.each<[string, number, string | object, string]>([
  ['as a number', 202, { id: 42 }, '42'],
  ['as a number that JavaScript would round', 202, '{"id": 12345678901234567890}', '12345678901234567890'],
  ['inside `task`', 202, { task }, 't'],
  ['inside `data`', 200, { code: 0, data: { task_id: 't', status: 'PENDING' } }, 't'],
  ['inside `task`, beside the id of the request', 202, { id: 'request', task }, 't'],
  ['as the value of `task`', 202, { task: 't' }, 't'],
  ['under another name', 202, { taskId: 't', status: 'QUEUED' }, 't'],
])('the id of a new task is found %s', async (_, status, body, id) => {
  server.answer(typeof body === 'string' ? raw(status, body) : json(status, body))
  expect(await create()).toEqual({ kind: 'task', id })
})

const detail = [{ loc: ['body', 'n'], msg: 'too large' }, { msg: 'no voice' }]
const problem = { type: 'about:blank', title: 'Bad Request', detail: 'no such voice' }
it.each<[string, string | object, string?]>([
  ['in plain text', 'no such voice\n', 'no such voice'],
  ['in a list of details', { detail }, 'too large; no voice'],
  ['in a list under `errors`', { errors: [{ message: 'no such voice' }] }, 'no such voice'],
  ['in a problem document', problem, 'no such voice'],
  ['in the answer of a vendor', { base_resp: { status_msg: 'no such voice' } }, 'no such voice'],
  ['without our key', `key ${key} is wrong`, 'key *** is wrong'],
  ['but not in a page', '<html><body>nginx</body></html>'],
  ['but not in a page that came as JSON', { error: '<!DOCTYPE html><html></html>' }],
  ['but not in binary data', '\x00\x01\x02'],
])('the words of an error are found %s', async (_, body, said) => {
  server.answer(typeof body === 'string' ? raw(400, body, 'text/plain') : json(400, body))
  expect(await failureOf(create())).toMatchObject({ constructor: GatewayRefused, said })
})

it.each<[object, (number | undefined)[] | undefined]>([
  [{ data: [seeded(7), seeded(8)] }, [7, 8]],
  [{ data: [{ url: video }, seeded(8)] }, [undefined, 8]],
  [{ seed: 7, data: [{ url: video }] }, [7]],
  // Beside several results it means none of them.
  [{ seed: 7, data: [{ url: video }, { url: other }] }, undefined],
  [{ data: [seeded('4294967296')] }, [4294967296]],
  [{ data: [seeded(-7)] }, [-7]],
  [{ data: [seeded(-1)] }, undefined],
  [{ data: [seeded('random')] }, undefined],
])('the seeds of the results are read from %j', (body, seeds) => {
  expect(filesIn(body).facts?.map(({ seed }) => seed)).toEqual(seeds)
})

it('the seed of a created task is read', () => {
  const answers = [{ id: 't', seed: 5 }, { task: { id: 't', seed: 5 } }, { id: 't' }]
  expect(answers.map(seedIn)).toEqual([5, 5, undefined])
})
