// Answers to media requests, and styles and concepts, also under the names of an operator.

import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { imageDesign } from '../../src/catalog/image-design.ts'
import { cardOf } from '../../src/form/card.ts'
import { openRequests } from '../../src/gateway/client.ts'
import { GatewayMalformed } from '../../src/gateway/errors.ts'
import { type Answer, failureOf, json, raw, startAnswering } from '../support/gateway/answering.ts'

const server = await startAnswering()
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
      // These only resemble MP3.
      [Buffer.from('fff15080', 'hex'), 'application/octet-stream'],
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
