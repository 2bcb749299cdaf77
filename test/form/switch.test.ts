// What a draft keeps when its model is switched; see also test/scenarios/models.test.ts.

import { expect, it } from 'vitest'
import type { Attachment } from '../../src/catalog/attachment.ts'
import { videoDream } from '../../src/catalog/video-dream.ts'
import { videoReel } from '../../src/catalog/video-reel.ts'
import { videoWan } from '../../src/catalog/video-wan.ts'
import { carryAnswers } from '../../src/form/switch.ts'

const picture: Attachment = { medium: 'image', file: 'photo', mime: 'image/jpeg', width: 640, height: 480 }

it('a picture stays when the other model calls its first frame otherwise', () => {
  const prompt = { positivePrompt: 'a cat' }
  const dream = carryAnswers(videoReel, videoDream, { ...prompt, frames: [picture] })
  expect(dream).toEqual({ prompt: 'a cat', firstPicture: [picture] })
  expect(carryAnswers(videoDream, videoWan, dream)).toEqual({ ...prompt, frames: [picture] })
})
