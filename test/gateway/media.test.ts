// Answers to media requests, styles and concepts.

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openRequests } from '../../src/gateway/client.ts'
import { GatewayMalformed } from '../../src/gateway/errors.ts'
import {
  type Answer,
  type Answering,
  failureOf,
  json,
  raw,
  startAnswering,
} from '../support/gateway/answering.ts'

let server: Answering
beforeAll(async () => {
  server = await startAnswering()
})
beforeEach(() => {
  server.seen.length = 0
})
afterAll(() => server.close())

const create = (more = {}) => server.gateway.create('/v1/images/generations', { prompt: 'a cat', ...more })

const png = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')
const jpeg = Buffer.from('ffd8ffe000104a464946', 'hex')
const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')
const base64 = (bytes: Buffer) => bytes.toString('base64')
const hex = (bytes: Buffer | string) => Buffer.from(bytes).toString('hex')
const url = 'https://cdn.example/1.png?sign=a%2Fb'

describe('a synchronous result', () => {
  const many = [
    { url: 'ftp://cdn.example/1' },
    { b64_json: '!' },
    { url: null, b64_json: base64(png) },
    null,
    7,
    { url },
  ]
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
  const sounds: [string, Buffer, string][] = [
    ['MP3 with a tag', id3, 'audio/mpeg'],
    ['MP3', Buffer.from('fffb9064', 'hex'), 'audio/mpeg'],
    ['WAV', Buffer.from('RIFF1234WAVE'), 'audio/wav'],
    ['PCM', Buffer.from('00010002', 'hex'), 'application/octet-stream'],
    ['bytes that only resemble MP3', Buffer.from('fff15080', 'hex'), 'application/octet-stream'],
  ]
  it.each(sounds)('is read as a sound in hexadecimal: %s', async (_, bytes, mime) => {
    for (const body of [
      { data: { audio: hex(bytes) } },
      { data: { audio: hex(bytes).toUpperCase(), status: 2 }, trace_id: 't' },
      { audio: hex(bytes) },
      { data: hex(bytes) },
    ]) {
      server.answer(json(200, body))
      expect(await create()).toEqual({ kind: 'done', files: [{ bytes, mime }], results: 1 })
    }
  })

  it('is read as a sound in a stream of pieces, with the whole sound at its end or without it', async () => {
    const wav = Buffer.from('RIFF1234WAVEfmt one two')
    const [head, tail] = [wav.subarray(0, 12), wav.subarray(12)]
    const event = (value: object) => `data: ${JSON.stringify(value)}\n\n`
    const done = { kind: 'done', files: [{ bytes: wav, mime: 'audio/wav' }], results: 1 }
    for (const [first, second, last] of [
      [{ data: { audio: hex(head), status: 1 } }, { data: { audio: hex(tail) } }, { data: { status: 2 } }],
      [
        { data: { audio: hex(head) } },
        { data: { audio: hex(tail) } },
        { data: { audio: hex(wav), status: 2 } },
      ],
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

  it.each([
    ['audio/mpeg', 'audio/mpeg'],
    ['audio/opus', 'audio/opus'],
    ['Audio/OGG; codecs=opus', 'audio/ogg'],
    ['audio/x-flac', 'audio/x-flac'],
  ])('is read from a body of the type %s', async (type, mime) => {
    const bytes = Buffer.from([0xff, 0xfb, 0x00, 0x80, 0x7b, 0xfe])
    server.answer(raw(200, bytes, type))
    expect(await create()).toEqual({ kind: 'done', files: [{ bytes, mime }], results: 1 })
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
  for (const answer of [
    { id },
    { style_id: id },
    { uuid: id },
    { data: { id } },
    { id, style_id: 'other' },
  ]) {
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

describe('the concepts', () => {
  const named = { key: 'pan', name: 'Pan' }
  it.each<[unknown, object[]]>([
    [['pan'], [{ key: 'pan' }]],
    [
      [named, { key: 'tilt' }],
      [named, { key: 'tilt' }],
    ],
    [{ data: [{ key: 'pan', label: 'Pan' }] }, [named]],
    [{ concepts: [{ key: 'pan', description: 'Pans' }] }, [{ key: 'pan', name: 'Pans' }]],
    [
      { items: ['pan', 7, null, '', {}, { key: 7 }, { key: 'tilt', name: 7 }] },
      [{ key: 'pan' }, { key: 'tilt' }],
    ],
    [{ data: { concepts: ['pan'] } }, [{ key: 'pan' }]],
    [{ concepts: { pan: 'Pan', in: { name: 'In', key: 7 } } }, [named, { key: 'in', name: 'In' }]],
    [{ data: { pan: { name: 'Pan' } } }, [named]],
    [[], []],
  ])('are read from %j', async (answer, concepts) => {
    server.answer(json(200, answer))
    expect(await server.gateway.concepts()).toEqual(concepts)
    expect(server.seen).toMatchObject([{ method: 'GET', url: '/v1/generations/concepts/list', body: '' }])
  })

  it('have the names of fields that the operator writes', async () => {
    server.answer(json(200, { data: [{ slug: 'pan', title: 'Pan', name: 'x' }] }))
    const requests = openRequests.parse({ concepts: { key: 'slug', name: 'title' } })
    expect(await server.client({ requests }).concepts()).toEqual([named])
  })

  it('are not in other answers', async () => {
    for (const answer of [{}, null, 'pan', { data: 'pan' }]) {
      server.answer(json(200, answer))
      expect(await failureOf(server.gateway.concepts())).toMatchObject({ constructor: GatewayMalformed })
    }
  })
})
