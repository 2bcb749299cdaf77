// 16-bit PCM, little-endian: raw, or in a WAV file.

import { interleaved, pieces, type Sound } from './sound.ts'

export async function pcmOf(sound: Sound): Promise<Buffer> {
  const parts: Buffer[] = []
  for await (const piece of pieces(sound, sound.rate)) parts.push(bytesOf(interleaved(piece)))
  return Buffer.concat(parts)
}

export function bytesOf(samples: Int16Array): Buffer {
  const bytes = Buffer.alloc(samples.length * 2)
  for (let i = 0; i < samples.length; i += 1) bytes.writeInt16LE(samples[i] ?? 0, i * 2)
  return bytes
}

export async function wavOf(sound: Sound): Promise<Buffer> {
  const samples = await pcmOf(sound)
  const channels = sound.loop.length
  const header = Buffer.alloc(44)
  header.write('RIFF', 0)
  header.writeUInt32LE(36 + samples.length, 4)
  header.write('WAVEfmt ', 8)
  header.writeUInt32LE(16, 16)
  header.writeUInt16LE(1, 20)
  header.writeUInt16LE(channels, 22)
  header.writeUInt32LE(sound.rate, 24)
  header.writeUInt32LE(sound.rate * channels * 2, 28)
  header.writeUInt16LE(channels * 2, 32)
  header.writeUInt16LE(16, 34)
  header.write('data', 36)
  header.writeUInt32LE(samples.length, 40)
  return Buffer.concat([header, samples])
}
