// What the gateway says is kept without addresses, keys and tokens, wherever in an answer the words are.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createSecret, GatewayError, plainWords, wordsOf } from '../../src/gateway/errors.ts'
import {
  type Answering,
  collected,
  events,
  failureOf,
  json,
  startAnswering,
} from '../support/gateway/answering.ts'

describe('words of the gateway are kept without', () => {
  it.each([
    ['a signed link', 'cannot read https://cdn.example/a.png?X-Amz-Signature=0af3&e=1', 'cannot read ***'],
    ['an address without its scheme', 'bot.example.com/callbacks/k3j2: HTTP 500', '***: HTTP 500'],
    ['an IPv6 address', 'http://[::1]:3000/files/1 and [2001:db8::1]:80/x', '*** and ***'],
    ['a bare name of a host', 'Top up at pay.example.com now', 'Top up at *** now'],
    ['an e-mail address', 'quota of shop-owner@corp.example.', 'quota of ***.'],
    ['a data URI', 'bad image data:image/png;base64,iVBORw0KGgo= here', 'bad image *** here'],
    ['a key', 'Incorrect API key provided: sk-proj-ab12****xyz', 'Incorrect API key provided: ***'],
    ['a bearer token', 'got Bearer abcdef.ghijkl', 'got ***'],
    ['the token of a callback', 'call 0123456789abcdefghjkmnpqrstvwxyz refused', 'call *** refused'],
    ['a token of a bot', 'bot123456:AAF-abcdefgh_ij failed', 'bot*** failed'],
    ['a key with a colon', 'bad {"api_key": "abcd1234efgh"}', 'bad {"***"}'],
    ['a header', 'and X-Amz-Signature: 0af3bc12', 'and ***'],
  ])('%s', (_, said, kept) => {
    expect(plainWords(said)).toBe(kept)
    expect(wordsOf({ error: { message: said } })).toBe(kept)
    expect(wordsOf({ errors: [{ detail: said }] })).toBe(kept)
  })

  it('the part of a long address that a cut leaves', () => {
    const kept = plainWords(`${'no '.repeat(1300)}https://cdn.example/${'a/'.repeat(3000)}`)
    expect(kept).not.toContain('cdn.example')
  })
})

it('words without an address stay as they are', () => {
  for (const said of [
    'input.to, params.top and settings.info are no fields; token=5, policy=strict, version 1.2',
    'Kling2MasterTextToVideo and StableDiffusionXL1024v1 cannot do that',
    'Неверное значение.Да? См.пример',
    'settings.audio must be a boolean, inputs.frameImages: at most 8',
    'Unknown name "n": Cannot find field. (HTTP 400, v1.5/2.0)',
    'Model claude-3-5-sonnet-20241022 is busy, 3/4 done at 12:30',
    'Тег @hero не найден: 1920x1088 and/or 16:9',
    'task 5f2c1b7e-8a34-4c1d-9b1e-0a1b2c3d4e5f failed',
  ])
    expect(plainWords(said)).toBe(said)
})

describe('an error of the client has no address of the gateway’s words', () => {
  let server: Answering
  beforeAll(async () => {
    server = await startAnswering()
  })
  afterAll(() => server.close())

  const said = 'upload to https://bucket.example/a?sig=123 failed for owner@corp.example'
  const kept = 'upload to *** failed for ***'
  const chat = { model: 'm', messages: [] }
  const stream = () => collected(server.gateway.chatStream(chat))
  const read = () => server.gateway.readTask('t')

  it.each<[string, Parameters<Answering['answer']>[0], () => Promise<unknown>]>([
    ['a refusal', json(400, { error: { message: said } }), read],
    ['a refused answer of a text model', json(403, { error: said }), stream],
    ['an error within a stream', events([{ error: { message: said } }]), stream],
  ])('%s', async (_, answer, call) => {
    server.answer(answer)
    const error = await failureOf(call())
    expect(error).toBeInstanceOf(GatewayError)
    expect(String(error)).toContain(kept)
  })

  it('and the words about a failed task have none either, nor an unknown word for its state', async () => {
    server.answer(json(200, { status: 'failed', error: said }))
    expect(await read()).toMatchObject({ error: kept })
    server.answer(json(200, { status: 'see https://cdn.example/1', error: '' }))
    expect(await read()).toMatchObject({ unknownStatus: 'see ***' })
  })
})

it('a number stays exact', () => {
  for (const [json, value] of [
    ['9007199254740991', 9007199254740991],
    ['9007199254740993', '9007199254740993'],
    ['-1', -1],
    ['1e30', 1e30],
    ['0.12500000000000000000', 0.125],
  ] as const)
    expect(createSecret('sk-Key').parse(`{"id": ${json}}`)).toEqual({ id: value })
})

it('the key and NUL are removed from texts and names, however they are written', () => {
  for (const key of ['sk-Key/1', 'k"e\\y', 'ключ']) {
    const unit = (char: string) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`
    for (const written of [JSON.stringify(key).slice(1, -1), key.split('').map(unit).join('')])
      expect(createSecret(key).parse(`{"a ${written}": ["\\u0000${written}b", 1.5, true, null]}`)).toEqual({
        'a ***': ['***b', 1.5, true, null],
      })
  }
})

it.each([
  ['many ids', `[${'1234567890123456789,'.repeat(30_000)}1]`],
  ['many objects', `["\\u0041",${'{"a":1},'.repeat(50_000)}1]`],
  ['many quotes before an id', `["${'\\"'.repeat(100_000)}",1234567890123456789]`],
  ['depth', `["\\u0041",${'['.repeat(100_000)}`],
])('a hostile text with %s is read in seconds', (_, json) => {
  const before = process.cpuUsage()
  createSecret('sk-Key').parse(json)
  const { user } = process.cpuUsage(before)
  expect(user / 1_000_000).toBeLessThan(2)
})
