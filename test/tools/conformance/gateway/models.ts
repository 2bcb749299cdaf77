// The models of this gateway, with its own ids and paths ("Exact paths … not shown"), which an operator must configure.

import type { z } from 'zod'
import { dream } from './fields/dream.ts'
import type { Family } from './fields/families.ts'
import { design, photo } from './fields/images.ts'
import { music } from './fields/music.ts'
import { object3d } from './fields/object3d.ts'
import { reel } from './fields/reel.ts'
import { dialogue, speech } from './fields/speech.ts'
import { wan } from './fields/wan.ts'

export type Kind = 'object3d' | 'image' | 'audio' | 'video'

export interface MediaModel {
  readonly label: string
  readonly id: string
  readonly path: string
  readonly kind: Kind
  readonly fields: z.ZodType
  /** The body field with the callback address. */
  readonly callback: 'callBackUrl' | 'webhookURL' | 'callback_url' | undefined
  readonly mode: 'async' | 'either'
  /** Whether "The response is HTTP 202 with {id, status}." applies. */
  readonly isBare: boolean
}

const usual = { callback: undefined, mode: 'async', isBare: false } as const

export const mediaModels: readonly MediaModel[] = [
  {
    ...usual,
    label: 'MODEL-3D-TEXT',
    id: 'acme/sculptor-6',
    path: '/v1/object3d/generations',
    kind: 'object3d',
    fields: object3d,
    isBare: true,
  },
  {
    ...usual,
    label: 'MODEL-IMAGE-DESIGN',
    id: 'acme/design.v3',
    path: '/v1/images',
    kind: 'image',
    fields: design,
    mode: 'either',
  },
  {
    ...usual,
    label: 'MODEL-IMAGE-PHOTO',
    id: 'photo-4.0-001',
    path: '/v1/images',
    kind: 'image',
    fields: photo,
    mode: 'either',
  },
  {
    ...usual,
    label: 'MODEL-SPEECH-TURBO',
    id: 'speech_02:turbo',
    path: '/v1/speech/create',
    kind: 'audio',
    fields: speech,
    mode: 'either',
  },
  {
    ...usual,
    label: 'MODEL-TTS-DIALOGUE',
    id: 'dialogue-tts',
    path: '/v1/speech/create',
    kind: 'audio',
    fields: dialogue,
    isBare: true,
  },
  {
    ...usual,
    label: 'MODEL-MUSIC',
    id: 'v5_5',
    path: '/v1/music',
    kind: 'audio',
    fields: music,
    callback: 'callBackUrl',
  },
  {
    ...usual,
    label: 'MODEL-VIDEO-REEL',
    id: 'reel@1',
    path: '/v1/videos',
    kind: 'video',
    fields: reel,
    callback: 'webhookURL',
  },
  {
    ...usual,
    label: 'MODEL-VIDEO-WAN',
    id: 'wan-2',
    path: '/v1/videos',
    kind: 'video',
    fields: wan,
    callback: 'webhookURL',
  },
  {
    ...usual,
    label: 'MODEL-VIDEO-DREAM',
    id: 'dream/ray',
    path: '/v1/videos',
    kind: 'video',
    fields: dream,
    callback: 'callback_url',
  },
]

export interface TextModel {
  readonly id: string
  readonly family: Family
  readonly vision: boolean
}

export const textModels: readonly TextModel[] = [
  { id: 'vendor-a/gpt', family: 'gpt', vision: true },
  { id: 'vendor-b/grok', family: 'grok', vision: true },
  { id: 'vendor-c.gemini', family: 'gemini', vision: true },
  { id: 'vendor-d:assistant', family: 'assistant', vision: true },
  { id: 'vendor-e/deepseek', family: 'deepseek', vision: false },
  { id: 'vendor-f/mistral', family: 'mistral', vision: false },
  { id: 'vendor-g/minimax', family: 'minimax', vision: false },
]
