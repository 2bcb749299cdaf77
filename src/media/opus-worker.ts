// The thread that encodes a voice message: a minute of sound takes most of a second without a pause.

import { encodeVoice } from './opus.ts'
import { answerInThread } from './thread.ts'
import { readWav } from './wav.ts'

answerInThread(async (bytes) => {
  const wav = readWav(bytes)
  return wav && encodeVoice(wav)
})
