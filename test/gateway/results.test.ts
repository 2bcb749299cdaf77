// Answers to media requests, also in other words than gateway-api.md specifies; files that came beside a result; styles and concepts, also
// under the names of an operator.

import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { imageDesign } from '../../src/catalog/image-design.ts'
import { cardOf } from '../../src/form/card.ts'
import { addressOf, createGateway, openRequests } from '../../src/gateway/client.ts'
import { GatewayMalformed, GatewayRefused } from '../../src/gateway/errors.ts'
import { filesIn, seedIn } from '../../src/gateway/files.ts'
import { type Answer, failureOf, json, key, raw, startAnswering } from '../support/gateway/answering.ts'

const server = await startAnswering()
beforeEach(() => {
  server.seen.length = 0
})
afterAll(() => server.close())

const create = (more = {}) => server.gateway.create('/v1/images/generations', { prompt: 'a cat', ...more })

const png = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')
const jpeg = Buffer.from('ffd8ffe000104a464946', 'hex')
const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')
const base64 = (bytes: Buffer | string) => Buffer.from(bytes).toString('base64')
const hex = (bytes: Buffer | string) => Buffer.from(bytes).toString('hex')
const url = 'https://cdn.example/1.png?sign=a%2Fb'

describe('a synchronous result', () => {
  const bad = [{ url: 'ftp://cdn.example/1' }, { b64_json: '!' }]
  const many = [...bad, { url: null, b64_json: base64(png) }, null, 7, { url }]
  const pngUri = `data:image/png;base64,${base64(png)}`
  it.each<[string, object, object[]]>([
    ['a link', { created: 1, data: [{ url, taskUUID: 'u' }], provider: 'p' }, [{ url }]],
    ['a JPEG', { data: [{ b64_json: base64(jpeg) }] }, [{ bytes: jpeg, mime: 'image/jpeg' }]],
    ['an SVG', { data: [{ b64_json: base64(svg) }] }, [{ bytes: svg, mime: 'image/svg+xml' }]],
    ['a data URI', { data: [{ b64_json: pngUri }] }, [{ url: pngUri }]],
    ['the usable ones of several', { data: many }, [{ bytes: png, mime: 'image/png' }, { url }]],
    ['a link beside an id', { id: 't', status: 'completed', data: [{ url }] }, [{ url }]],
  ])('is read as an image: %s', async (_, body, files) => {
    server.answer(json(200, body))
    expect(await create()).toMatchObject({ kind: 'done', files, results: files.length })
  })

  it('keeps what the gateway tells about the results', async () => {
    server.answer(json(200, { data: [{ url, taskUUID: 'u', seed: 7 }, { url }], provider: 'p' }))
    expect(await create()).toMatchObject({ facts: [{ id: 'u', seed: 7 }, {}], provider: 'p' })
  })

  const id3 = Buffer.from('ID3\x04')
  it('is read as a sound in hexadecimal', async () => {
    for (const [bytes, mime] of [
      [id3, 'audio/mpeg'],
      [Buffer.from('fffb9064', 'hex'), 'audio/mpeg'],
      [Buffer.from('RIFF1234WAVE'), 'audio/wav'],
      [Buffer.from('00010002', 'hex'), 'application/octet-stream'],
      // This only resembles MP3.
      [Buffer.from('fff15080', 'hex'), 'audio/aac'],
    ] as const) {
      const upper = { data: { audio: hex(bytes).toUpperCase(), status: 2 }, trace_id: 't' }
      const audio = hex(bytes)
      for (const body of [{ data: { audio } }, upper, { audio }, { data: audio }]) {
        server.answer(json(200, body))
        expect(await create()).toEqual({ kind: 'done', files: [{ bytes, mime }], results: 1 })
      }
    }
  })

  it('is read as a sound in a stream of pieces, with the whole sound at its end or without it', async () => {
    const wav = Buffer.from('RIFF1234WAVEfmt one two')
    const [head, tail] = [wav.subarray(0, 12), wav.subarray(12)]
    const event = (value: object) => `data: ${JSON.stringify(value)}\n\n`
    const done = { kind: 'done', files: [{ bytes: wav, mime: 'audio/wav' }], results: 1 }
    for (const [first, second, last] of [
      [{ data: { audio: hex(head), status: 1 } }, { data: { audio: hex(tail) } }, { data: { status: 2 } }],
      [{ data: { audio: hex(head) } }, { data: { audio: hex(tail) } }, { data: { audio: hex(wav) } }],
      [{ audio: base64(head) }, { audio: base64(tail) }, { type: 'speech.audio.done' }],
    ] as const) {
      const events = event(first) + event(second) + event(last)
      server.answer((_, res) => res.writeHead(200, { 'content-type': 'text/event-stream' }).end(events))
      expect(await create({ stream: true })).toEqual(done)
    }
    server.answer((_, res) => res.writeHead(200).end(event({ error: { message: 'no such voice' } })))
    expect(await failureOf(create({ stream: true }))).toMatchObject({ said: 'no such voice' })
  })

  it('is read as a sound behind a link', async () => {
    const inData = [{ audio: url }, { url }, url, [url], [{ url }]].map((data) => ({ data }))
    for (const body of [...inData, { url }, { audio: url }]) {
      server.answer(json(200, body))
      expect(await create(), JSON.stringify(body)).toEqual({ kind: 'done', files: [{ url }], results: 1 })
    }
  })

  it('is read from a body of the type of a sound', async () => {
    const bytes = Buffer.from([0xff, 0xfb, 0x00, 0x80, 0x7b, 0xfe])
    for (const type of ['audio/mpeg', 'audio/opus', 'Audio/OGG; codecs=opus', 'audio/x-flac']) {
      server.answer(raw(200, bytes, type))
      const mime = type.toLowerCase().split(';')[0]
      expect(await create()).toEqual({ kind: 'done', files: [{ bytes, mime }], results: 1 })
    }
  })

  it('is known by its bytes, whatever its type says', async () => {
    for (const type of ['text/plain', 'application/json', '']) {
      server.answer(raw(200, id3, type))
      const files = [{ bytes: id3, mime: 'audio/mpeg' }]
      expect(await create(), type).toEqual({ kind: 'done', files, results: 1 })
    }
    for (const type of ['application/octet-stream', 'audio/mpeg']) {
      server.answer(raw(200, JSON.stringify({ data: [{ url }] }), type))
      expect(await create(), type).toEqual({ kind: 'done', files: [{ url }], results: 1 })
    }
  })
})

it.each([
  [202, { id: 'task-1', object: 'image.task', status: 'processing', model: 'm', created: 1 }],
  [202, { id: 'task-1' }],
  [202, { id: 'task-1', status: 'completed', data: [{ url }] }],
  [201, { id: 'task-1', status: 'queued' }],
  [200, { id: 'task-1', status: 'failed', error: 'no' }],
  [200, { id: 'task-1', object: 'audio.task', status: 'processing', data: [] }],
  [200, { id: 'task-1', status: 'processing', data: [{ url }] }],
])('a task is recognised by %i and %j', async (status, body) => {
  server.answer(json(status, body))
  expect(await create()).toEqual({ kind: 'task', id: 'task-1' })
})

const malformed = (operation: string) => ({ constructor: GatewayMalformed, operation })

it.each<[string, Answer]>([
  ['no results', json(200, { created: 1, data: [] })],
  ['an id and a status of something else', json(200, { id: 'resp-1', status: 'exploded' })],
  ['an empty sound', raw(200, '', 'audio/mpeg')],
  ['half a byte', json(200, { data: { audio: 'fffb9' } })],
  ['a sound with the status of a task', raw(202, 'ID3', 'audio/mpeg')],
  ['text', raw(200, 'sound', 'text/plain')],
  ['null', json(200, null)],
])('an answer that is neither a result nor a task is rejected: %s', async (_, answer) => {
  server.answer(answer)
  expect(await failureOf(create())).toMatchObject(malformed('create task'))
})

it('the id of a style is found where gateways put it, and nowhere else', async () => {
  const id = '6f1d1f5e-1111-4222-8333-944445555666'
  const body = { name: 'Mine', style: 'icon', images: ['data:image/png;base64,AAAA'] }
  const named = [{ id }, { style_id: id }, { uuid: id }, { data: { id } }, { id, style_id: 'other' }]
  for (const answer of named) {
    server.answer(json(200, answer))
    expect(await server.gateway.createStyle(body)).toEqual({ id })
  }
  expect(server.seen[0]).toMatchObject({ method: 'POST', url: '/v1/styles' })
  expect(JSON.parse(server.seen[0]?.body ?? '')).toEqual(body)
  for (const answer of [{}, { id: '' }, { id: 1.5 }, { id: 'a/b' }, { data: id }, [], null]) {
    server.answer(json(200, answer))
    expect(await failureOf(server.gateway.createStyle(body))).toMatchObject(malformed('create style'))
  }
})

it('a style is created with the names that the operator sets, and its id is read at the place that the operator sets', async () => {
  const styles = { name: 'title', images: 'files', id: 'result.style.code' }
  const own = server.client({ requests: openRequests.parse({ styles }) })
  server.answer(json(200, { id: 'request-1', result: { style: { code: 'abc' } } }))
  expect(await own.createStyle({ name: 'Mine', images: ['data:,'] })).toEqual({ id: 'abc' })
  expect(JSON.parse(server.seen[0]?.body ?? '')).toEqual({ title: 'Mine', files: ['data:,'] })
})

it('a card offers to make a style only if the gateway creates styles', () => {
  const buttons = (makesStyles: boolean) =>
    cardOf(imageDesign, {}, { at: 'field', name: 'style_id' }, { makesStyles }).buttons.flat()
  expect(openRequests.parse({ styles: false })).toMatchObject({ styles: false })
  expect([true, false].map((makes) => buttons(makes).some(({ to }) => to === 'make'))).toEqual([true, false])
})

it('the concepts are read in many shapes, under the names that the operator writes, and not from other answers', async () => {
  const [named, pan, tilt] = [{ key: 'pan', name: 'Pan' }, { key: 'pan' }, { key: 'tilt' }]
  for (const [answer, concepts] of [
    [['pan'], [pan]],
    [
      [named, tilt],
      [named, tilt],
    ],
    [{ data: [{ key: 'pan', label: 'Pan' }] }, [named]],
    [{ concepts: [{ key: 'pan', description: 'Pans' }] }, [{ key: 'pan', name: 'Pans' }]],
    [{ items: ['pan', 7, null, '', {}, { key: 7 }, { key: 'tilt', name: 7 }] }, [pan, tilt]],
    [{ data: { concepts: ['pan'] } }, [pan]],
    [{ concepts: { pan: 'Pan', in: { name: 'In', key: 7 } } }, [named, { key: 'in', name: 'In' }]],
    [{ data: { pan: { name: 'Pan' } } }, [named]],
    [[], []],
  ]) {
    server.answer(json(200, answer))
    expect(await server.gateway.concepts(), JSON.stringify(answer)).toEqual(concepts)
  }
  expect(server.seen[0]).toMatchObject({ method: 'GET', url: '/v1/generations/concepts/list', body: '' })
  const requests = openRequests.parse({ concepts: { key: 'slug', name: 'title' } })
  server.answer(json(200, { data: [{ slug: 'pan', title: 'Pan', name: 'x' }] }))
  expect(await server.client({ requests }).concepts()).toEqual([named])
  for (const answer of [{}, null, 'pan', { data: 'pan' }]) {
    server.answer(json(200, answer))
    expect(await failureOf(server.gateway.concepts())).toMatchObject({ constructor: GatewayMalformed })
  }
})

// Other words than the specified ones.

const read = () => server.gateway.readTask('t')

const video = 'https://cdn.example/1.mp4'
const other = 'https://cdn.example/2'
const subtitles = 'https://cdn.example/1.srt'
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
  const dataUrl = `data:video/mp4;base64,${base64(mp4)}`
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
