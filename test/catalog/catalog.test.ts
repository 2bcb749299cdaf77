// The labels on the cards of every model, and the settings of operators: rates, ids, callback addresses, variants, limits.

import assert from 'node:assert/strict'
import { describe, expect, it } from 'vitest'
import { viewCard } from '../../src/bot/cards/card-view.ts'
import { createCatalog } from '../../src/catalog/catalog.ts'
import { type Answers, type Field, isUserField } from '../../src/catalog/field.ts'
import { models } from '../../src/catalog/index.ts'
import { callbackStandIn } from '../../src/catalog/media.ts'
import type { Model } from '../../src/catalog/model.ts'
import { videoReel } from '../../src/catalog/video-reel.ts'
import { readAnswer } from '../../src/form/answer.ts'
import { buttonAnswer, cardOf } from '../../src/form/card.ts'
import type { Quote, Quoted } from '../../src/orders/confirm.ts'
import { withGatewayIds } from '../../src/sandbox/gateway-ids.ts'
import { loadTexts } from '../../src/texts.ts'
import { catalogSettings } from '../support/catalog-settings.ts'
import { variety } from '../support/gateway/contract.ts'
import { sampleAnswers } from '../support/gateway/samples.ts'

const texts = loadTexts()
const catalog = createCatalog(models, withGatewayIds())

const eachModel = models.map((model) => [model.id, model] as const)

it.each(eachModel)('%s has labels on its cards that a phone shows whole with every setting', (_, model) => {
  const quoted: Quoted = { ok: true, quote: quoteOf(model) }
  const funds = { at: 'private', available: 0n } as const
  const siblings = [model, videoReel].map((one) => ({ model: one, amount: 99_999n }))
  const rowsOf = (answers: Answers) =>
    [
      { at: 'main' } as const,
      ...Object.keys(answers).map((name) => ({ at: 'field', name }) as const),
    ].flatMap((page) => {
      const card = cardOf(model, { ...sampleAnswers(model), ...answers }, page, { siblings })
      return viewCard(card, { draftId: '0123456789', quoted, funds }, texts('ru')).keyboard.inline_keyboard
    })
  const written = model.fields.filter(isUserField).flatMap(shortTexts)
  const rows = [...variety(model), ...written].flatMap(rowsOf)
  const most = (count: number) => (count > 1 ? 40 / count : 38)
  const cut = rows.flatMap((row) => row.filter(({ text }) => [...text].length > most(row.length)))
  expect(new Set(cut.map(({ text }) => text))).toEqual(new Set())
})

/** A text as long as a button shows it, for each field that users write. */
const shortTexts = ({ name, kind }: Field): Answers[] =>
  kind === 'text' ? [{ [name]: 'x'.repeat(buttonAnswer) }] : []

function quoteOf(model: Model): Quote {
  const request = catalog.request(model, sampleAnswers(model))
  const price = request && catalog.price(model, request)
  assert(price)
  const { amount, gatewayCost, ...parts } = price
  const ids = { id: '0123456789', draftId: '0123456789', revision: 1, userId: 1n, modelId: model.id }
  return { ...ids, request, amount, gatewayCost, parts, createdAt: new Date(0), expiresAt: new Date(0) }
}

describe("the operator's settings", () => {
  const settings = (json: unknown) => createCatalog(models, withGatewayIds(catalogSettings.parse(json)))
  const model = videoReel
  const body = catalog.request(model, sampleAnswers(model)) ?? {}
  const { id } = model

  it('can remove a price, which is then unknown, not zero', () => {
    expect(settings({ [id]: { rates: { second: null } } }).price(model, body)).toBeUndefined()
  })

  it('replace a rate, the factor of the price, and the id that is sent', () => {
    const own = settings({ [id]: { rates: { second: '20' }, multiplier: '1.1', gatewayId: 'vendor/reel-2' } })
    expect(own.price(model, body)).toMatchObject({ amount: 110_00n, gatewayCost: 100_00n })
    expect(own.request(model, sampleAnswers(model))?.model).toBe('vendor/reel-2')
  })

  it('offer a model that requires a callback address only if the app or the operator has one', () => {
    const offered = (values: object, canCallBack: boolean) => {
      const own = createCatalog(models, withGatewayIds(catalogSettings.parse(values)), { canCallBack })
      return own.offered('music').map((one) => own.request(one, { prompt: 'la' })?.callBackUrl)
    }
    expect(offered({}, true)).toEqual([callbackStandIn])
    expect(offered({}, false)).toEqual([])
    const callBackUrl = 'https://shop.example/music'
    expect(offered({ 'MODEL-MUSIC': { request: { callBackUrl } } }, false)).toEqual([callBackUrl])
    expect(createCatalog(models, withGatewayIds(), { canCallBack: false }).offered()).toHaveLength(
      models.length - 1,
    )
  })

  it.each([
    [{ 'NO-SUCH': {} }, /no such model/],
    [{ [id]: { rates: { minute: '1' } } }, /no rate "minute"/],
    [{ [id]: { request: { 'no.field': 1 } } }, /no field "no.field"/],
  ])('are refused when they name a model, rate or field that does not exist: %j', (json, message) => {
    expect(() => settings(json)).toThrow(message)
  })

  describe('of a variant', () => {
    const key = 'MODEL-MUSIC.v4'
    const v4 = { label: 'V4', gatewayId: 'v4', limits: { prompt: 3000, style: 200, title: 80 } }
    const read = (json: unknown) => createCatalog(models, catalogSettings.parse({ [key]: json }))
    const custom = { customMode: true, style: 'x', title: 'x', prompt: 'x' }

    it('make a model after its base, which the operator can switch off', () => {
      const both = createCatalog(
        models,
        catalogSettings.parse({
          [key]: { ...v4, rates: { request: '3' } },
          'MODEL-MUSIC': { enabled: false },
        }),
      )
      const [sold, ...others] = both.offered('music')
      assert(sold)
      expect([sold.id, sold.label, others]).toEqual([key, { '*': 'V4' }, []])
      const body = both.request(sold, { prompt: 'la' }) ?? {}
      expect(body.model).toBe('v4')
      expect(both.price(sold, body)?.amount).toBe(300n)
    })

    it.each([
      ['prompt', 3000],
      ['style', 200],
      ['title', 80],
    ])('limit %s to %i characters in answers and in requests', (name, max) => {
      const model = read(v4).find(key)
      const field = model?.fields.find((one) => one.name === name)
      assert(model && field)
      const take = (length: number) => readAnswer(model, field, custom, 'x'.repeat(length))
      expect([take(max).ok, take(max + 1)]).toEqual([
        true,
        { ok: false, refusal: { reason: 'too-long', max, length: max + 1 } },
      ])
      const body = { model: 'v4', instrumental: false, callBackUrl: 'https://a.co/', ...custom }
      expect(model.request.safeParse({ ...body, [name]: 'x'.repeat(max) }).success).toBe(true)
      expect(model.request.safeParse({ ...body, [name]: 'x'.repeat(max + 1) }).success).toBe(false)
    })

    it.each([
      [{}, /MODEL-MUSIC\.v4: write its "label"/],
      [{ ...v4, limits: { verse: 5 } }, /"limits" cannot name "verse": write prompt or style/],
      [{ ...v4, without: ['prompt'] }, /"without" cannot name "prompt": write style or title/],
      [{ ...v4, names: { 'verse.text': 'x' } }, /"names" cannot name "verse"/],
      [{ ...v4, gatewayId: 'v5_5' }, /"gatewayId" v5_5 is also that of MODEL-MUSIC/],
    ])('are refused with what to write: %j', (json, message) => {
      expect(() => read(json)).toThrow(message)
    })
  })

  it.each([4096, 10_000])('replace our own limit of a prompt: %i', (prompt) => {
    const id = 'MODEL-VIDEO-DREAM'
    const json = prompt === 4096 ? {} : { [id]: { limits: { prompt } } }
    const dream = settings(json).find(id)
    const field = dream?.fields[0]
    assert(dream && field)
    const take = (length: number) => readAnswer(dream, field, {}, 'x'.repeat(length)).ok
    expect([take(prompt), take(prompt + 1)]).toEqual([true, false])
  })
})

it('a deprecated model stands behind the others; the status of the operator goes before that of the document', () => {
  const order = (json: object) =>
    createCatalog(models, withGatewayIds(catalogSettings.parse(json)))
      .offered()
      .flatMap(({ id, modality }) =>
        modality === 'image' || modality === 'video' ? [id.split('-').at(-1)] : [],
      )
  expect(order({})).toEqual(['DESIGN', 'REEL', 'WAN', 'DREAM', 'PHOTO'])
  const changed = { 'MODEL-VIDEO-REEL': { status: 'deprecated' }, 'MODEL-IMAGE-PHOTO': { status: 'active' } }
  expect(order(changed)).toEqual(['DESIGN', 'PHOTO', 'WAN', 'DREAM', 'REEL'])
})

it('the model that the operator puts first opens for its command, also when it is deprecated', () => {
  const opened = (command: 'video' | 'image', id?: string) =>
    createCatalog(models, withGatewayIds(catalogSettings.parse(id ? { [id]: { first: true } } : {}))).offered(
      command,
    )[0]?.id
  expect([opened('video'), opened('image')]).toEqual(['MODEL-VIDEO-REEL', 'MODEL-IMAGE-DESIGN'])
  expect(opened('video', 'MODEL-VIDEO-WAN')).toBe('MODEL-VIDEO-WAN')
  expect(opened('image', 'MODEL-IMAGE-PHOTO')).toBe('MODEL-IMAGE-PHOTO')
})
