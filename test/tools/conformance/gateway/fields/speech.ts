// Body fields of MODEL-SPEECH-TURBO and MODEL-TTS-DIALOGUE.

import { z } from 'zod'
import { broken, oneOf, ruled } from './common.ts'

const languages =
  'Chinese|Chinese,Yue|English|Arabic|Russian|Spanish|French|Portuguese|German|Turkish|Dutch|Ukrainian|Vietnamese|Indonesian|Japanese|Italian|Korean|Thai|Polish|Romanian|Greek|Czech|Finnish|Hindi|Bulgarian|Danish|Hebrew|Malay|Persian|Slovak|Swedish|Croatian|Filipino|Hungarian|Norwegian|Slovenian|Catalan|Nynorsk|Tamil|Afrikaans|auto'

const table = z.strictObject({
  model: z.string(),
  text: z.string().min(1).max(10_000),
  voice_setting: z.strictObject({
    voice_id: z.string().optional(),
    speed: z.number().min(0.5).max(2).optional(),
    vol: z.number().min(0).max(10).optional(),
    pitch: z.int().min(-12).max(12).optional(),
    emotion: z.enum(['happy', 'sad', 'angry', 'fearful', 'disgusted', 'surprised', 'neutral']).optional(),
    english_normalization: z.boolean().optional(),
  }),
  audio_setting: z
    .strictObject({
      sample_rate: oneOf(8000, 16_000, 22_050, 24_000, 32_000, 44_100).optional(),
      bitrate: oneOf(32_000, 64_000, 128_000, 256_000).optional(),
      format: z.enum(['mp3', 'pcm', 'flac', 'wav']).optional(),
      channel: oneOf(1, 2).optional(),
    })
    .optional(),
  // "Inner fields: not shown", so any are accepted.
  voice_modify: z.record(z.string(), z.unknown()).optional(),
  pronunciation_dict: z
    .strictObject({ tone: z.array(z.strictObject({ word: z.string(), replacement: z.string() })) })
    .optional(),
  language_boost: z.enum(languages.split('|')).optional(),
  subtitle_enable: z.boolean().optional(),
  output_format: z.enum(['url', 'hex']).optional(),
  stream: z.boolean().optional(),
  async: z.boolean().optional(),
})

export const speech = ruled(table, (body) =>
  broken({ 'URL output works only without streaming': body.output_format !== 'url' || !body.stream }),
)

// "Fields of the speaker and turn objects other than speaker_id: not shown", so any other fields are accepted.
const spoken = z.looseObject({ speaker_id: z.string() })

const dialogueTable = z.strictObject({
  model: z.string(),
  text: z.string().min(1).max(8000).optional(),
  voice: z.string().optional(),
  style_instructions: z.string().max(2000).optional(),
  speakers: z.array(spoken).length(2).optional(),
  turns: z.array(spoken).min(1).max(100).optional(),
})

export const dialogue = ruled(dialogueTable, ({ text, voice, speakers, turns }) => {
  const listed = speakers?.map((one) => one.speaker_id) ?? []
  return broken({
    'text, or speakers and turns': text !== undefined || (speakers !== undefined && turns !== undefined),
    'text must not be combined with speakers or turns': text === undefined || !(speakers || turns),
    'voice must not be combined with speakers': voice === undefined || !speakers,
    'two different speaker_id': !speakers || new Set(listed).size === 2,
    'each speaker_id of turns must be listed': !turns?.some((turn) => !listed.includes(turn.speaker_id)),
  })
})
