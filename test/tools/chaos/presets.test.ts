// The model of the fault harness: which saved settings must exist at the end, and who may use them.

import { expect, it } from 'vitest'
import { faultsOfPresets, type PresetFacts } from './model/presets.ts'

const preset = { person: 7, name: 'three', count: 3, isSaved: true, isDeleted: 'no' } as const
const kept = { person: 7, name: 'three', count: 3 }
const use = { person: 7, preset, isOver: false, tap: 'tap', shown: 3 }
const done = 'Done: the settings are on the card'
const faultsOf = (change: Partial<PresetFacts>) =>
  faultsOfPresets({ presets: [preset], uses: [], kept: [kept], answerTo: () => done, ...change }).map(
    ({ fact }) => fact,
  )

it('faultsOfPresets expects saved settings to be in the database once, with the saved values', () => {
  expect(faultsOf({})).toEqual([])
  expect(faultsOf({ kept: [] })).toEqual(['preset three is not there'])
  expect(faultsOf({ kept: [kept, kept] })).toEqual(['preset three is there 2 times'])
  expect(faultsOf({ kept: [{ ...kept, count: 2 }] })).toEqual(['preset three has 2 pictures instead of 3'])
  expect(faultsOf({ kept: [], presets: [{ ...preset, isSaved: false }] })).toEqual([])
})

it('faultsOfPresets expects deleted settings to be gone and unusable', () => {
  expect(faultsOf({ presets: [{ ...preset, isDeleted: 'yes' }], kept: [] })).toEqual([])
  expect(faultsOf({ presets: [{ ...preset, isDeleted: 'yes' }] })).toEqual(['preset three is still there'])
  expect(faultsOf({ presets: [{ ...preset, isDeleted: 'perhaps' }] })).toEqual([])
  expect(faultsOf({ uses: [{ ...use, isOver: true }] })).toEqual([
    'preset three was used after it was deleted',
  ])
})

it('faultsOfPresets expects settings to be applied to a card with the saved values', () => {
  expect(faultsOf({ uses: [use, { ...use, shown: undefined }] })).toEqual([])
  expect(faultsOf({ uses: [{ ...use, shown: 1 }] })).toEqual([
    'preset three put 1 pictures onto the card instead of 3',
  ])
})

it('faultsOfPresets expects settings of another person to be refused', () => {
  const uses = [{ ...use, person: 8 }]
  expect(faultsOf({ uses })).toEqual(['preset three of 7 was used'])
  expect(faultsOf({ uses, answerTo: () => 'This option is no longer available.' })).toEqual([])
  expect(faultsOf({ uses, answerTo: () => undefined })).toEqual([])
})

it('faultsOfPresets expects one of six names to be saved', () => {
  const unsaved = { ...preset, isSaved: false }
  const five = Array.from({ length: 5 }, () => unsaved)
  expect(faultsOf({ presets: five, kept: [] })).toEqual([])
  expect(faultsOf({ presets: [...five, unsaved], kept: [] })).toEqual(['none of 6 presets was saved'])
  expect(faultsOf({ presets: [...five, preset] })).toEqual([])
})
