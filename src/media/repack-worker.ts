// The thread that packs videos anew.

import { repack } from './repack.ts'
import { answerInThread } from './thread.ts'

answerInThread(repack)
