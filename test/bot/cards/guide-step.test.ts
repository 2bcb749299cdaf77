// The note of the message of a guide.

import { expect, it } from 'vitest'
import { guideStep } from '../../../src/bot/cards/guide-steps.ts'

it.each([
  ['prompt', 'prompt'],
  [null, null],
  ['', null],
])('a stored step %j is read as %j: earlier versions wrote an empty string for a card', (stored, step) => {
  expect(guideStep.about.parse({ draftId: 'd', step: stored })).toEqual({ draftId: 'd', step })
})
