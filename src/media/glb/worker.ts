// The thread that draws: seconds of work without a pause, on a file that strangers made.

import { answerInThread } from '../thread.ts'
import { drawGlb } from './picture.ts'
import { drawnPixels } from './size.ts'

answerInThread((bytes) => drawGlb(bytes, drawnPixels))
