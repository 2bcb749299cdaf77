// The models of this gateway, with its own ids and paths ("Exact paths … not shown"), which an operator must configure.

import type { z } from 'zod'
import { design, dialogue, dream, music, object3d, photo, reel, speech, wan } from './fields/media.ts'
import type { Family } from './fields/text.ts'

export type Kind = 'object3d' | 'image' | 'audio' | 'video'

export interface MediaModel {
  readonly label: string
  readonly id: string
  readonly path: string
  readonly kind: Kind
  readonly fields: z.ZodType
  /** The body field with the callback address. */
  readonly callback?: 'callBackUrl' | 'webhookURL' | 'callback_url'
  /** Whether it answers with its result unless a task is asked for. */
  readonly isSync?: boolean
  /** Whether "The response is HTTP 202 with {id, status}." applies. */
  readonly isBare?: boolean
}

const image = { kind: 'image', path: '/v1/images', isSync: true } as const
const voice = { kind: 'audio', path: '/v1/speech/create' } as const
const video = { kind: 'video', path: '/v1/videos', callback: 'webhookURL' } as const
const shape = { kind: 'object3d', path: '/v1/object3d/generations', isBare: true } as const
const song = { kind: 'audio', path: '/v1/music', callback: 'callBackUrl' } as const

export const mediaModels: readonly MediaModel[] = [
  { ...shape, label: 'MODEL-3D-TEXT', id: 'acme/sculptor-6', fields: object3d },
  { ...image, label: 'MODEL-IMAGE-DESIGN', id: 'acme/design.v3', fields: design },
  { ...image, label: 'MODEL-IMAGE-PHOTO', id: 'photo-4.0-001', fields: photo },
  { ...voice, label: 'MODEL-SPEECH-TURBO', id: 'speech_02:turbo', fields: speech, isSync: true },
  { ...voice, label: 'MODEL-TTS-DIALOGUE', id: 'dialogue-tts', fields: dialogue, isBare: true },
  { ...song, label: 'MODEL-MUSIC', id: 'v5_5', fields: music },
  { ...video, label: 'MODEL-VIDEO-REEL', id: 'reel@1', fields: reel },
  { ...video, label: 'MODEL-VIDEO-WAN', id: 'wan-2', fields: wan },
  { ...video, label: 'MODEL-VIDEO-DREAM', id: 'dream/ray', fields: dream, callback: 'callback_url' },
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
