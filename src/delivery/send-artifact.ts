// One artifact -> the right Telegram message. What Telegram can not take becomes a document, and then a link: a result
// that was paid for always reaches the chat.

import assert from 'node:assert/strict'
import { and, eq } from 'drizzle-orm'
import { GrammyError, InputFile } from 'grammy'
import type { Message } from 'grammy/types'
import { artifacts } from '../db/schema.ts'
import type { Artifact, Generation } from '../generations/generation.ts'
import { formatRoubles } from '../money.ts'
import type { Say } from '../texts.ts'
import { download } from './download.ts'
import { againKeyboard, type MessengerDeps, replyTo } from './parts.ts'
import { sendInto } from './place.ts'
import { probeVideo, type VideoFacts } from './probe.ts'
import { titleOf } from './status.ts'

const telegramUpload = { maxBytes: 50 * 1024 * 1024, deadlineMs: 120_000 }
/** After so many failed downloads the link itself is sent. */
const downloadsBeforeLink = 4

export class ArtifactUnavailable extends Error {
  override name = 'ArtifactUnavailable'
}

/** The last artifact carries the caption and the buttons. */
export async function sendArtifact(
  deps: MessengerDeps,
  generation: Generation,
  artifact: Artifact,
  say: Say,
  isLast: boolean,
): Promise<void> {
  await tellOfUpload(deps, generation)
  const downloaded = await download(artifact.url, telegramUpload)
  const facts = downloaded.ok ? await probeVideo(downloaded.bytes) : undefined
  const parts = partsOf(deps, generation, say, isLast)
  const link = () => sendLink(deps, generation, say.html('result-link', { url: artifact.url }), parts)
  if (downloaded.ok && facts) {
    const ways = uploads(deps, generation, downloaded.bytes, facts, parts)
    return keep(deps, artifact, await firstTaken([...ways, link]))
  }
  const hopeless = !downloaded.ok && downloaded.reason === 'too-large'
  if (!hopeless && generation.attempts < downloadsBeforeLink) {
    throw new ArtifactUnavailable(downloaded.ok ? 'the file is not a video' : downloaded.reason)
  }
  await keep(deps, artifact, await link())
}

/** A courtesy: its failure must not hold a result up. */
async function tellOfUpload({ api }: MessengerDeps, generation: Generation): Promise<void> {
  const tell = (into: object) => api.sendChatAction(generation.chatId, 'upload_video', into)
  await sendInto(generation, tell).catch(() => undefined)
}

type Way = () => Promise<Message>

/** What Telegram refuses as one thing it may take as another; a chat that is gone refuses them all. */
async function firstTaken([way, ...others]: readonly Way[]): Promise<Message> {
  assert(way, 'there is always a way')
  try {
    return await way()
  } catch (error) {
    const isAboutFile = error instanceof GrammyError && [400, 413].includes(error.error_code)
    if (others.length === 0 || !isAboutFile) throw error
    return firstTaken(others)
  }
}

type Parts = ReturnType<typeof partsOf>

function partsOf(deps: MessengerDeps, generation: Generation, say: Say, isLast: boolean) {
  const title = titleOf(say, generation, deps.catalog.find(generation.modelId))
  const amount = formatRoubles(generation.captured ?? generation.amount)
  const html = { parse_mode: 'HTML' } as const
  return {
    common: {
      ...replyTo(generation),
      ...(isLast ? { reply_markup: againKeyboard(say, generation) } : {}),
      ...html,
    },
    caption: isLast ? { caption: say.html('result-caption', { title, amount }) } : {},
  }
}

/** Telegram plays MP4 only. */
function uploads(
  { api }: MessengerDeps,
  generation: Generation,
  bytes: Buffer,
  { width, height, duration, container }: VideoFacts,
  { common, caption }: Parts,
): Way[] {
  const { id, chatId } = generation
  const file = new InputFile(bytes, `${id}.${container}`)
  const shown = { width, height, duration, supports_streaming: true }
  const asVideo = () =>
    sendInto<Message>(generation, (into) =>
      api.sendVideo(chatId, file, { ...common, ...caption, ...into, ...shown }),
    )
  const asDocument = () =>
    sendInto<Message>(generation, (into) =>
      api.sendDocument(chatId, file, { ...common, ...caption, ...into }),
    )
  return container === 'mp4' ? [asVideo, asDocument] : [asDocument]
}

function sendLink(
  { api }: MessengerDeps,
  generation: Generation,
  text: string,
  { common }: Parts,
): Promise<Message> {
  return sendInto<Message>(generation, (into) =>
    api.sendMessage(generation.chatId, text, { ...common, ...into }),
  )
}

async function keep({ db }: MessengerDeps, artifact: Artifact, message: Message): Promise<void> {
  const fileId = message.video?.file_id ?? message.document?.file_id ?? null
  await db
    .update(artifacts)
    .set({ messageId: message.message_id, fileId })
    .where(and(eq(artifacts.generationId, artifact.generationId), eq(artifacts.position, artifact.position)))
}
