// Settings of another order or of a preset are applied to a draft, whose prompt and files stay.

import { expect, it } from 'vitest'
import type { Answers, Attachment } from '../../src/catalog/field.ts'
import { videoReel } from '../../src/catalog/video-reel.ts'
import { settingsIn, withSettings } from '../../src/form/fit.ts'

const media = videoReel.fields.find(({ kind }) => kind === 'media')?.name ?? ''
const picture = (file: string): readonly Attachment[] => [{ file, medium: 'image', mime: 'image/jpeg' }]
const own: Answers = { positivePrompt: 'a cat', [media]: picture('own'), duration: 3 }
const other: Answers = { positivePrompt: 'a dog', [media]: picture('other'), duration: 8 }

it('settings of another order replace the settings, but neither the prompt nor the files', () => {
  expect(media).not.toBe('')
  expect(withSettings(videoReel, own, other)).toEqual({ ...own, duration: 8 })
})

it('a reset removes the settings, but neither the prompt nor the files', () => {
  const { duration: _, ...inputs } = own
  expect(withSettings(videoReel, own, {})).toEqual(inputs)
})

it('neither the prompt nor the files are saved as settings', () => {
  expect(settingsIn(videoReel, own)).toEqual({ duration: 3 })
})
