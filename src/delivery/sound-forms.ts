// The forms of a sound: a voice message, or a track of the player.

import { InputFile, InputMediaBuilder } from 'grammy'
import { promptInRequest } from '../catalog/request.ts'
import type { Artifact } from '../generations/generation.ts'
import { toVoice } from '../media/convert.ts'
import { mimeNamed } from '../media/format.ts'
import { type AudioFacts, probeAudio, wholeSeconds } from '../media/probe.ts'
import { type DeliveryJob, fileName } from './job.ts'
import { asDocument, type DownloadedArtifact, type Form, formOf, type PreparedForms } from './send-form.ts'

/** A voice message if speech was ordered, else a track. */
export async function soundForms(file: DownloadedArtifact): Promise<PreparedForms | undefined> {
  const audio = await probeAudio(file.bytes)
  if (audio) {
    const forms = file.job.ordered?.kind === 'voice' ? await voiceForms(file, audio) : trackForms(file, audio)
    const measures = { seconds: wholeSeconds(audio.seconds) }
    return { kind: 'audio', forms: [...forms, asDocument(file, { measures })] }
  }
  // Raw PCM has no header to recognise it by.
  const isRaw = file.job.ordered?.kind === 'voice' && file.format.extension === 'bin'
  return isRaw ? { kind: 'audio', forms: [asDocument(file, { extension: 'pcm' })] } : undefined
}

/** Longer speech is sent as a track, which can be saved and has better controls. */
const longestVoiceSeconds = 5 * 60

/** A user who accepts no voice messages gets a track. */
async function voiceForms(file: DownloadedArtifact, audio: AudioFacts): Promise<Form[]> {
  const { deps, bytes } = file
  const voice = await toVoice(bytes)
  // Too long for a voice message, or of a format that is not encoded here.
  if (!voice) return trackForms(file, audio)
  const inputFile = new InputFile(voice.bytes, voice.name)
  const { seconds } = voice
  const known = { mime: mimeNamed(voice.name.slice(-3)), seconds }
  const asVoice = formOf(file, known, (chatId, options) =>
    deps.api.sendVoice(chatId, inputFile, { ...options, duration: seconds }),
  )
  const isLong = seconds > longestVoiceSeconds
  const asTrack = voice.name.endsWith('.mp3') ? [track(file, seconds)] : []
  return isLong && asTrack.length > 0 ? asTrack : [asVoice, ...asTrack]
}

/** Telegram plays MP3 and M4A. */
function trackForms(file: DownloadedArtifact, { container, seconds }: AudioFacts): Form[] {
  const isPlayed = container === 'mp3' || container === 'm4a'
  return isPlayed ? [track(file, seconds, container)] : []
}

function track(file: DownloadedArtifact, seconds: number, extension = 'mp3'): Form {
  const { deps, job, artifact, bytes, message } = file
  const { title } = job.generation.request
  const name = fileName(job.generation, artifact)
  const inputFile = new InputFile(bytes, `${name}.${extension}`)
  const called =
    typeof title === 'string'
      ? title
      : (promptInRequest(job.generation.request, 60)?.replaceAll(/\s+/g, ' ') ?? name)
  const shown = {
    duration: wholeSeconds(seconds),
    title: numbered(called, job, artifact),
    performer: message.performer,
  }
  return formOf(
    file,
    { mime: mimeNamed(extension), seconds: shown.duration },
    (chatId, options) => deps.api.sendAudio(chatId, inputFile, { ...options, ...shown }),
    (options) => InputMediaBuilder.audio(inputFile, { ...options, ...shown }),
  )
}

/** The title of one of several variants of a track begins with its number, since players cut long titles. */
function numbered(title: string, { artifacts, say }: DeliveryJob, { position }: Artifact): string {
  const tracks = artifacts.filter(mayBeTrack)
  const number = tracks.findIndex((one) => one.position === position) + 1
  if (number === 0 || tracks.length === 1) return title
  return say.plain('track-of', { title, number, count: tracks.length })
}

/** Judged by the address, since files are examined one after another. In doubt it is false: a wrong number is worse than none. */
const mayBeTrack = ({ url }: Artifact): boolean =>
  url.startsWith('data:audio/') || /\.(mp3|m4a|wav|ogg|flac)$/i.test(URL.parse(url)?.pathname ?? '')
