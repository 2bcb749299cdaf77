// The list of models. Menu, forms, prices, the sandbox gateway and the tests iterate over it.

import { imageDesign } from './image-design.ts'
import { imagePhoto } from './image-photo.ts'
import type { Model } from './model.ts'
import { model3d } from './model-3d.ts'
import { music } from './music.ts'
import { speechTurbo } from './speech-turbo.ts'
import { ttsDialogue } from './tts-dialogue.ts'
import { videoDream } from './video-dream.ts'
import { videoReel } from './video-reel.ts'
import { videoWan } from './video-wan.ts'

export const models: readonly Model[] = [
  imageDesign,
  imagePhoto,
  videoReel,
  videoWan,
  videoDream,
  speechTurbo,
  ttsDialogue,
  music,
  model3d,
]
