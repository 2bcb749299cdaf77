// Sound is sent as what Telegram plays: speech as a voice message, songs as tracks with their titles and lengths. Other sound is a
// document.

import { describe, expect, it } from 'vitest'
import type { Model } from '../../../src/catalog/model.ts'
import { music } from '../../../src/catalog/music.ts'
import { speechTurbo } from '../../../src/catalog/speech-turbo.ts'
import type { Fault } from '../../../src/sandbox/faults.ts'
import { clip, makeMp3, makeWav, sine } from '../../support/media/media-files.ts'
import { auditedDelivery } from '../../support/worlds/audited.ts'
import { file } from '../../support/worlds/delivery.ts'

const delivery = await auditedDelivery()

const mp3 = file(await makeMp3(1), 'audio/mpeg')
const song = { model: music, answers: { prompt: 'a song about the sea' } }
const speech = { model: speechTurbo, answers: { text: 'Good morning' } }
const refused: Fault = { kind: 'error', status: 400, description: 'Bad Request: no' }

type Ordered = Pick<Parameters<typeof delivery.made>[0], 'answers' | 'files' | 'names'> & {
  readonly model: Model
}

/** Delivers an order by one attempt. @returns its messages, and its id */
async function delivered(ordered: Ordered) {
  const one = await delivery.made(ordered)
  expect(await delivery.attempt(one)).toMatchObject({ delivery: 'delivered', refunded: null })
  const first = Number(one.generation.statusMessageId)
  return {
    id: one.generation.id,
    messages: (await one.anna.chat()).filter(({ message_id }) => message_id > first),
  }
}

describe('a song', () => {
  it.each([1, 3])('of %i s is a track of this length', async (seconds) => {
    const files = [file(await makeMp3(seconds), 'audio/mpeg')]
    const { messages } = await delivered({ ...song, files })
    expect(messages).toMatchObject([{ audio: { duration: seconds } }])
  })

  it('that is the only one has its prompt as its title, without a number', async () => {
    for (const names of [[], ['song.mp3']]) {
      const { messages } = await delivered({ ...song, files: [mp3], names })
      expect(messages).toMatchObject([{ audio: { title: 'a song about the sea' } }])
    }
  })

  it('is called as its user wrote', async () => {
    const answers = { customMode: true, prompt: 'The sea is wide', style: 'folk', title: 'My sea' }
    const { messages } = await delivered({ ...song, answers, files: [mp3] })
    expect(messages).toMatchObject([{ audio: { title: 'My sea' } }])
  })

  it('as M4A is a track', async () => {
    const { messages, id } = await delivered({ ...song, files: [file(await clip('sound.m4a'), 'audio/mp4')] })
    expect(messages).toMatchObject([{ audio: { file_name: `${id}-1.m4a` } }])
  })

  it('as WAV, which Telegram does not play, is a document', async () => {
    const { messages, id } = await delivered({ ...song, files: [file(makeWav(0.5, sine(300)), 'audio/wav')] })
    expect(messages).toMatchObject([{ document: { file_name: `${id}-1.wav` } }])
  })

  it('that Telegram refuses as a track is a document', async () => {
    delivery.fault('sendAudio', refused)
    const { messages, id } = await delivered({ ...song, files: [mp3] })
    expect(messages).toMatchObject([{ document: { file_name: `${id}-1.mp3` } }])
  })
})

describe('speech', () => {
  it('is a track for a user who accepts no voice messages', async () => {
    delivery.fault('sendVoice', { ...refused, description: 'Bad Request: VOICE_MESSAGES_FORBIDDEN' })
    const { messages } = await delivered({ ...speech, files: [mp3] })
    expect(messages).toMatchObject([{ audio: { duration: 1 } }])
  })

  it('of more than half an hour, which is too long for a voice message, is a track', async () => {
    const minute = await makeMp3(60)
    const files = [file(Buffer.concat(Array(31).fill(minute)), 'audio/mpeg')]
    const { messages } = await delivered({ ...speech, files })
    expect(messages).toMatchObject([{ audio: { title: 'Good morning' } }])
    expect(messages[0]?.audio?.duration).toBeGreaterThan(1800)
  })
})
