// What each model is good at, in one line.

import type { Label } from '../../../catalog/field.ts'
import type { Model } from '../../../catalog/model.ts'

const lines: Readonly<Record<string, Label>> = {
  'MODEL-IMAGE-DESIGN': 'about-design',
  'MODEL-IMAGE-PHOTO': 'about-photo',
  'MODEL-3D-TEXT': 'about-3d',
  'MODEL-MUSIC': 'about-music',
  'MODEL-SPEECH-TURBO': 'about-speech',
  'MODEL-TTS-DIALOGUE': 'about-dialogue',
  'MODEL-VIDEO-DREAM': 'about-dream',
  'MODEL-VIDEO-REEL': 'about-reel',
  'MODEL-VIDEO-WAN': 'about-wan',
}

export const aboutModel = ({ id }: Pick<Model, 'id'>): Label | undefined => lines[id]
