// What is sold. Being in this list is all it takes: menu, forms, prices, the sandbox gateway and the tests iterate over it.

import type { Model } from './model.ts'
import { videoDream } from './video-dream.ts'
import { videoReel } from './video-reel.ts'
import { videoWan } from './video-wan.ts'

export const models: readonly Model[] = [videoReel, videoWan, videoDream]
