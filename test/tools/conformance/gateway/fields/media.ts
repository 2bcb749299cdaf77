// Body fields of the media models, by the tables of gateway-api.md.

import { z } from 'zod'
import { body, broken, ruled } from './rules.ts'

const url = z.string().regex(/^https?:\/\/\S+$/, 'must be a URL')
const uuid = z.uuid()
const dataUri = z.string().regex(/^data:[\w.+-]+\/[\w.+-]+(;[\w=-]+)*;base64,[A-Za-z0-9+/]+=*$/)
/** "UUID, URL, data URI or base64" */
const anyImage = z.union([url, uuid, dataUri, z.base64().min(100)])
/** "UUID or URL" */
const uuidOrUrl = z.union([uuid, url])

const model = z.string()
const text = z.string()
const words = z.string().min(1)
const flag = z.boolean()
const share = z.number().min(0).max(1)

/** A list of allowed numbers. The value must have the JSON type of the listed values, so a string is refused. */
const oneOf = (...values: readonly [number, ...number[]]) => z.literal([...values])

export const design = body(
  { model, prompt: words },
  {
    n: z.int().min(1).max(6),
    size: z.string().regex(/^\d+[x:]\d+$/),
    style: text,
    style_id: uuid,
    response_format: z.enum(['url', 'b64_json']),
    controls: z.record(z.string(), z.unknown()),
    async: flag,
  },
)

// "English only": letters of other scripts are refused. 480 tokens are at most about 4000 characters.
const english = z.string().regex(/^[^\p{Script=Cyrillic}\p{Script=Han}]*$/u, 'English only')

export const photo = body(
  { model, prompt: english.min(1).max(4000) },
  {
    numberOfImages: z.int().min(1).max(4),
    imageSize: z.enum(['1K', '2K']),
    aspectRatio: z.enum(['1:1', '3:4', '4:3', '9:16', '16:9']),
    personGeneration: z.enum(['dont_allow', 'allow_adult', 'allow_all']),
    async: flag,
  },
)

const keyframe = z.union([
  z.strictObject({ type: z.literal('image'), url }),
  z.strictObject({ type: z.literal('generation'), id: z.string() }),
])

export const dream = body(
  { model, prompt: words },
  {
    resolution: z.enum(['540p', '720p', '1080p', '4k']),
    duration: z.enum(['5s', '9s']),
    aspect_ratio: z.enum(['1:1', '16:9', '9:16', '4:3', '3:4', '21:9']),
    loop: flag,
    keyframes: body({}, { frame0: keyframe, frame1: keyframe }),
    concepts: z.array(z.strictObject({ key: z.string() })),
    callback_url: url,
  },
)

/** Fields that the document describes once, for MODEL-VIDEO-REEL, and that apply to MODEL-VIDEO-WAN too. */
const vendorVideo = {
  width: z.int(),
  height: z.int(),
  numberResults: z.int().min(1).max(4),
  outputFormat: z.enum(['MP4', 'WEBM', 'MOV']),
  outputQuality: z.int().min(20).max(99),
  safety: body({}, { checkContent: flag, mode: z.enum(['none', 'fast', 'full']) }),
  webhookURL: url,
  uploadEndpoint: url,
}

interface Size {
  readonly width?: number | undefined
  readonly height?: number | undefined
  readonly resolution?: string | undefined
}

/** The rules of `width`, `height` and `resolution` that the Reel and Wan tables share. @param pairs like `848x480 480x848` */
function sizeProblems({ width, height, resolution }: Size, pairs: string): string[] {
  if (width === undefined && height === undefined) return []
  const isPair = width !== undefined && height !== undefined
  return broken({
    'width and height are incompatible with resolution': resolution === undefined,
    'width and height are a pair': isPair,
    [`${width}x${height} is no valid pair`]: !isPair || pairs.split(' ').includes(`${width}x${height}`),
  })
}

export const reelPairs =
  '848x480 480x848 736x560 560x736 640x640 1280x720 720x1280 1088x832 832x1088 960x960 1920x1088 1088x1920 1664x1248 1248x1664 1440x1440'
export const wanPairs =
  '1280x720 720x1280 960x960 1088x832 832x1088 1920x1080 1080x1920 1440x1440 1632x1248 1248x1632'

const tag = z.string().startsWith('@')
const images = z.array(anyImage).min(1)
const group = body({ type: z.enum(['image', 'grid']), images: images.max(5), tag }, { audio: uuidOrUrl })
const place = z.enum(['first', 'last', '0', '-1'])
const frame = z.union([anyImage, body({ image: anyImage }, { frame: z.union([place, z.int()]) })])
const wanFrame = z.union([anyImage, body({ image: anyImage }, { frame: place })])
const reference = z.strictObject({ type: z.enum(['reference', 'extend']), video: uuidOrUrl, tag })

const reelTable = body(
  { model, positivePrompt: words.max(5120) },
  {
    ...vendorVideo,
    resolution: z.enum(['480p', '720p', '1080p']),
    duration: z.number().min(3).max(15),
    seed: z.int(),
    inputs: body(
      {},
      {
        referenceImages: z.array(group).min(1).max(3),
        frameImages: z.array(frame).min(1).max(8),
        referenceVideos: z.array(reference).length(1),
        audio: uuidOrUrl,
      },
    ),
    settings: body({}, { audio: flag, promptExtend: flag }),
  },
)

export const reel = ruled(reelTable, (sent) => {
  const { referenceImages: groups, referenceVideos } = sent.inputs ?? {}
  return [
    ...sizeProblems(sent, reelPairs),
    ...broken({
      'referenceImages are incompatible with referenceVideos': !groups || !referenceVideos,
      'all groups share one type': new Set(groups?.map(({ type }) => type)).size <= 1,
      'exactly one group of type grid': groups?.[0]?.type !== 'grid' || groups.length === 1,
    }),
  ]
})

const wanTable = body(
  { model },
  {
    ...vendorVideo,
    positivePrompt: words.max(5000),
    negativePrompt: z.string().max(500),
    resolution: z.enum(['720p', '1080p']),
    duration: z.int().min(1).max(15),
    seed: z.int().min(0).max(2_147_483_647),
    inputs: body(
      {},
      {
        frameImages: z.array(wanFrame).min(1).max(2),
        referenceImages: images,
        referenceVideos: z.array(uuidOrUrl).min(1),
        audio: uuidOrUrl,
      },
    ),
    settings: body({}, { audio: flag, promptEnhancer: flag, shotType: z.enum(['single', 'multi']) }),
  },
)

export const wan = ruled(wanTable, (sent) => {
  const { frameImages, referenceImages, referenceVideos } = sent.inputs ?? {}
  const given = [frameImages, referenceImages, referenceVideos].filter((one) => one !== undefined)
  const hasReferences = referenceImages !== undefined || referenceVideos !== undefined
  return [
    ...sizeProblems(sent, wanPairs),
    ...broken({
      'positivePrompt is required without frameImages': Boolean(sent.positivePrompt ?? frameImages),
      'frameImages, referenceImages and referenceVideos are incompatible': given.length <= 1,
      'at most 10 seconds with references': !hasReferences || (sent.duration ?? 5) <= 10,
      'multi requires references': sent.settings?.shotType !== 'multi' || hasReferences,
    }),
  ]
})

const object3dTable = body(
  { model, prompt: words.max(600) },
  {
    mode: z.enum(['preview', 'full']),
    model_type: z.enum(['standard', 'lowpoly', 'smart-topology']),
    topology: z.enum(['triangle', 'quad']),
    target_polycount: z.int().min(100).max(300_000),
    should_remesh: flag,
    symmetry_mode: z.enum(['off', 'auto', 'on']),
    enable_pbr: flag,
    pose_mode: z.enum(['a-pose', 't-pose']),
    texture_prompt: z.string().max(600),
    texture_image: url,
    geometry_resolution: z.enum(['standard', '2k', '4k']),
    enable_rigging: flag,
    rigging_height_meters: z.number().min(0.01),
    enable_animation: flag,
    animation_action_id: z.int().min(0).max(696),
    seed: z.int(),
  },
)

export const object3d = ruled(object3dTable, (sent) =>
  broken({
    'smart-topology has at most 15000 polygons':
      sent.model_type !== 'smart-topology' || (sent.target_polycount ?? 0) <= 15_000,
    '2k and 4k only with model_type standard':
      (sent.geometry_resolution ?? 'standard') === 'standard' ||
      (sent.model_type ?? 'standard') === 'standard',
    'enable_animation requires enable_rigging': !sent.enable_animation || sent.enable_rigging === true,
  }),
)

// `v5_5` has the limits of "V4_5 and later".
const musicTable = body(
  { model: z.literal('v5_5'), customMode: flag, instrumental: flag, callBackUrl: url },
  {
    prompt: text,
    style: text,
    title: text,
    negativeTags: text,
    vocalGender: z.enum(['m', 'f']),
    styleWeight: share,
    weirdnessConstraint: share,
    audioWeight: share,
    personaId: text,
    personaModel: z.enum(['style_persona', 'voice_persona']),
  },
)

export const music = ruled(musicTable, ({ customMode, instrumental, prompt, style, title, personaId }) =>
  broken({
    'prompt is required': Boolean(prompt) || (customMode && instrumental),
    'prompt is too long': (prompt?.length ?? 0) <= (customMode ? 5000 : 500),
    'style is required when customMode is true': !customMode || Boolean(style),
    'title is required when customMode is true': !customMode || Boolean(title),
    'style is too long': !customMode || (style?.length ?? 0) <= 1000,
    'title is too long': !customMode || (title?.length ?? 0) <= 100,
    'personaId is for the custom mode only': customMode || personaId === undefined,
  }),
)

const languages =
  'Chinese|Chinese,Yue|English|Arabic|Russian|Spanish|French|Portuguese|German|Turkish|Dutch|Ukrainian|Vietnamese|Indonesian|Japanese|Italian|Korean|Thai|Polish|Romanian|Greek|Czech|Finnish|Hindi|Bulgarian|Danish|Hebrew|Malay|Persian|Slovak|Swedish|Croatian|Filipino|Hungarian|Norwegian|Slovenian|Catalan|Nynorsk|Tamil|Afrikaans|auto'

const voiceSetting = {
  voice_id: text,
  speed: z.number().min(0.5).max(2),
  vol: z.number().min(0).max(10),
  pitch: z.int().min(-12).max(12),
  emotion: z.enum(['happy', 'sad', 'angry', 'fearful', 'disgusted', 'surprised', 'neutral']),
  english_normalization: flag,
}
const audioSetting = {
  sample_rate: oneOf(8000, 16_000, 22_050, 24_000, 32_000, 44_100),
  bitrate: oneOf(32_000, 64_000, 128_000, 256_000),
  format: z.enum(['mp3', 'pcm', 'flac', 'wav']),
  channel: oneOf(1, 2),
}
const tone = z.array(z.strictObject({ word: z.string(), replacement: z.string() }))

const speechTable = body(
  { model, text: words.max(10_000), voice_setting: body({}, voiceSetting) },
  {
    audio_setting: body({}, audioSetting),
    // "Inner fields: not shown", so any are accepted.
    voice_modify: z.record(z.string(), z.unknown()),
    pronunciation_dict: z.strictObject({ tone }),
    language_boost: z.enum(languages.split('|')),
    subtitle_enable: flag,
    output_format: z.enum(['url', 'hex']),
    stream: flag,
    async: flag,
  },
)

export const speech = ruled(speechTable, (sent) =>
  broken({ 'URL output works only without streaming': sent.output_format !== 'url' || !sent.stream }),
)

// "Fields of the speaker and turn objects other than speaker_id: not shown", so any other fields are accepted.
const spoken = z.looseObject({ speaker_id: z.string() })

const dialogueTable = body(
  { model },
  {
    text: words.max(8000),
    voice: text,
    style_instructions: z.string().max(2000),
    speakers: z.array(spoken).length(2),
    turns: z.array(spoken).min(1).max(100),
  },
)

export const dialogue = ruled(dialogueTable, ({ text: line, voice, speakers, turns }) => {
  const listed = speakers?.map((one) => one.speaker_id) ?? []
  return broken({
    'text, or speakers and turns': line !== undefined || (speakers !== undefined && turns !== undefined),
    'text must not be combined with speakers or turns': line === undefined || !(speakers || turns),
    'voice must not be combined with speakers': voice === undefined || !speakers,
    'two different speaker_id': !speakers || new Set(listed).size === 2,
    'each speaker_id of turns must be listed': !turns?.some((turn) => !listed.includes(turn.speaker_id)),
  })
})
