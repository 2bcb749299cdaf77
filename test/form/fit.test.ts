// Consistency of the answers on a card: the newest answer stays, answers that contradict it are dropped, and only those options and
// fields are hidden that can never be valid beside the others.

import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { type Answer, type Answers, type Attachment, isUserField } from '../../src/catalog/field.ts'
import { choice, number, parsedText, text, toggle } from '../../src/catalog/fields.ts'
import { defineModel, type Model } from '../../src/catalog/model.ts'
import { model3d } from '../../src/catalog/model-3d.ts'
import { music } from '../../src/catalog/music.ts'
import { videoDream } from '../../src/catalog/video-dream.ts'
import { videoReel } from '../../src/catalog/video-reel.ts'
import { videoWan } from '../../src/catalog/video-wan.ts'
import { cardOf } from '../../src/form/card.ts'
import type { Page } from '../../src/form/card-data.ts'
import { fitAnswers, isPossible, missingField, possibleOptions } from '../../src/form/fit.ts'
import { fieldOf } from '../support/gateway/samples.ts'

const picture: Attachment = { file: 'p', medium: 'image', mime: 'image/jpeg' }
const film: Attachment = { file: 'v', medium: 'video', mime: 'video/mp4' }
const prompt = { positivePrompt: 'a cat' }
const label = { ru: 'Поле', en: 'Field' }
const card = { label, audience: 'card' } as const

/** A toy model with a price, since a card shows one. */
const toy = defineModel({
  id: 'MODEL-TOY',
  label,
  modality: 'image',
  commands: ['image'],
  capabilities: [],
  status: 'active',
  endpoint: '/v1/toys',
  mode: 'async',
  callbackPath: undefined,
  fields: [
    text('prompt', { label, audience: 'asked', required: true, max: 50 }),
    toggle('fast', { ...card, default: false }),
    choice('grade', { ...card, values: ['plain', 'fine', 'royal'], default: 'plain' }),
    number('count', { ...card, min: 1, max: 9, default: 6, suggestions: [1, 3, 6, 9] }),
    text('motto', { ...card, max: 40 }),
    parsedText(
      'shout',
      { motto: z.string() },
      { ...card, max: 40, fits: () => true, put: (motto) => ({ motto }) },
    ),
    text('whisper', { ...card, max: 40, when: ({ fast }) => fast === true }),
  ],
  rules: [
    { kind: 'excludes', left: ['fast'], right: ['motto'] },
    { kind: 'limit', when: { grade: ['royal'] }, path: 'count', max: 3 },
    { kind: 'values', when: { count: [9] }, path: 'grade', values: ['plain', 'royal'] },
  ],
  rates: { toy: { roubles: '1', per: 1 } },
  cost: ({ count }) => ({ unit: 'image', quantity: 1, rate: 'toy', count }),
  delivers: ({ count }) => ({ kind: 'image', count }),
})

const named = ({ fields }: Model, name: string) => fields.filter((field) => field.name === name)
/** A valid answer for a media or text field. */
const sampleOf = (model: Model, name: string): Answer => {
  const [field] = named(model, name)
  if (field?.kind !== 'media') return 'task-1'
  return [field.media[0] === 'video' ? film : picture]
}
const possible = (model: Model, name: string, answers: Answers) =>
  named(model, name).map((field) => isPossible(model, field, answers))
const hidden = (model: Model, answers: Answers) =>
  model.fields
    .filter(isUserField)
    .filter((field) => !isPossible(model, field, answers))
    .map(({ name }) => name)
const buttonsOn = (model: Model, answers: Answers, page: Page) => cardOf(model, answers, page).buttons.flat()

describe('contradicting answers', () => {
  it('keep the newest, or else the earlier field of the model; of two fields that write the same value one', () => {
    const both = { prompt: 'a', fast: true, motto: 'go' }
    expect(fitAnswers(toy, both, 'motto')).toEqual({ prompt: 'a', motto: 'go' })
    expect(fitAnswers(toy, both, 'fast')).toEqual({ prompt: 'a', fast: true })
    expect(fitAnswers(toy, { motto: 'go', fast: true })).toEqual({ fast: true })
    expect(fitAnswers(toy, { motto: 'go', shout: 'GO' }, 'shout')).toEqual({ shout: 'GO' })
    expect(hidden(toy, { motto: 'go' })).toContain('shout')
    expect(hidden(toy, { shout: 'GO' })).toContain('motto')
  })

  it.each<[string, Model, string, string]>([
    ['frames and reference pictures', videoWan, 'frames', 'referenceImages'],
    ['reference pictures and videos', videoWan, 'referenceImages', 'referenceVideos'],
    ['characters and a video to continue', videoReel, 'references', 'continueVideo'],
    ['characters and a collage', videoReel, 'references', 'collage'],
    ['a picture and an own video as the same frame', videoDream, 'firstPicture', 'continueMyVideo'],
  ])('replace and hide each other: %s', (_, model, one, other) => {
    for (const [before, after] of [
      [one, other],
      [other, one],
    ] as const) {
      const answers = { [before]: sampleOf(model, before) }
      expect(hidden(model, answers)).toContain(after)
      const both = { ...answers, [after]: sampleOf(model, after) }
      expect(Object.keys(fitAnswers(model, both, after))).toEqual([after])
    }
  })

  it.each<[string, Model, string, string]>([
    ['frames and characters', videoReel, 'frames', 'references'],
    ['the two ends of a video', videoDream, 'firstPicture', 'leadToMyVideo'],
  ])('do not include %s, which are valid together', (_, model, one, other) => {
    const both = { [one]: sampleOf(model, one), [other]: sampleOf(model, other) }
    expect(fitAnswers(model, both, other)).toEqual(both)
    expect(hidden(model, { [one]: sampleOf(model, one) })).not.toContain(other)
  })
})

describe('an answer above a limit', () => {
  it('is lowered to the limit when it is a number', () => {
    expect(fitAnswers(toy, { count: 6, grade: 'royal' }, 'grade')).toEqual({ count: 3, grade: 'royal' })
    expect(fitAnswers(toy, { count: 2, grade: 'royal' }, 'grade')).toEqual({ count: 2, grade: 'royal' })
    const long = { ...prompt, duration: 15, referenceImages: [picture] }
    expect(fitAnswers(videoWan, long, 'referenceImages')).toMatchObject({ duration: 10 })
    expect(fitAnswers(videoWan, { ...prompt, duration: 15, frames: [picture] }, 'frames')).toMatchObject({
      duration: 15,
    })
  })

  it('is dropped when it is a text', () => {
    const lyrics = { prompt: 'x'.repeat(501), customMode: false, style: 'rock' }
    expect(fitAnswers(music, lyrics, 'customMode')).toEqual({ customMode: false, style: 'rock' })
  })

  it('hides neither the field nor the option with the lower limit', () => {
    expect(possible(videoWan, 'referenceImages', { ...prompt, duration: 15 })).toEqual([true])
    expect(
      possibleOptions(toy, fieldOf(toy, 'grade', 'choice'), { count: 6 }).map(({ value }) => value),
    ).toContain('royal')
    expect(possible(music, 'customMode', { customMode: true, prompt: 'x'.repeat(5000) })).toEqual([true])
  })

  it('is not among the suggestions of a number', () => {
    const offered = (model: Model, answers: Answers, name: string) =>
      buttonsOn(model, answers, { at: 'field', name }).flatMap((button) =>
        button.to === 'set' ? [button.value] : [],
      )
    expect(offered(toy, { grade: 'royal' }, 'count')).toEqual(['1', '3'])
    expect(offered(toy, { grade: 'royal', count: 3 }, 'count')).toEqual(['1', '3'])
    expect(offered(toy, {}, 'count')).toEqual(['1', '3', '6', '9'])
    expect(offered(videoWan, { referenceImages: [picture] }, 'duration')).toEqual(['3', '5', '8', '10'])
    expect(offered(model3d, { model_type: 'smart-topology' }, 'target_polycount')).toEqual(['5000', '15000'])
  })
})

it('a value that can never be valid beside the other answers is not offered as an option', () => {
  const values = possibleOptions(toy, fieldOf(toy, 'grade', 'choice'), { count: 9 }).map(({ value }) => value)
  expect(values).toEqual(['plain', 'royal'])
})

it('a field is hidden until its condition holds, and its answer is kept', () => {
  expect(possible(toy, 'whisper', {})).toEqual([false])
  expect(possible(toy, 'whisper', { fast: true })).toEqual([true])
  const answers = { prompt: 'a', whisper: 'psst' }
  expect(fitAnswers(toy, answers)).toEqual(answers)
  expect(toy.write(answers)).not.toHaveProperty('whisper')
  expect(toy.write({ ...answers, fast: true })).toMatchObject({ whisper: 'psst' })
})

it('the first missing field is found on the card', () => {
  const rows: [model: Model, answers: Answers, missing?: string][] = [
    [videoReel, {}, 'positivePrompt'],
    [videoWan, { duration: 3 }, 'positivePrompt'],
    // Frames need no prompt.
    [videoWan, { frames: [picture] }],
    [music, {}, 'prompt'],
    // The title is the first line, instrumental music has no lyrics, and a style is needed in custom mode only.
    [music, { customMode: true, prompt: 'la', style: 'rock' }],
    [music, { customMode: true, instrumental: true, style: 'rock', title: 'Sea' }],
    [music, { prompt: 'a song' }],
  ]
  const missing = rows.map(([model, answers]) => missingField(model, answers)?.name)
  expect(missing).toEqual(rows.map(([, , name]) => name))
  const onCard = rows.map(([model, answers]) => cardOf(model, answers, { at: 'main' }).missing?.name)
  expect(onCard).toEqual(missing)
})
