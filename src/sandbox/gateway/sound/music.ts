// Music: eight bars of chords under an arpeggio, with bass and percussion. Notes that sound beyond the last bar continue in the
// first one, so the loop repeats without a gap.

import { artifactRandom } from '../../random.ts'
import { addClick, addTone, createLoopBuffer, type LoopBuffer } from './loop-buffer.ts'
import { type Channels, normalized } from './sound.ts'

interface Song {
  /** Beats per minute; a bar has four. */
  readonly tempo: number
  /** One chord per bar, in semitones above middle C. */
  readonly chords: readonly (readonly number[])[]
  /** The note of the chord at each of the eight steps of a bar; a number of 4 or more is an octave higher. */
  readonly pattern: readonly number[]
  /** Loudness of each partial of the arpeggio. */
  readonly timbre: readonly number[]
  readonly drums: number
}

const major = (root: number) => [root, root + 4, root + 7, root + 12]
const minor = (root: number) => [root, root + 3, root + 7, root + 12]
const major7 = (root: number) => [root, root + 4, root + 7, root + 11]
const minor7 = (root: number) => [root, root + 3, root + 7, root + 10]

const songs: readonly [Song, Song, Song, Song] = [
  {
    tempo: 96,
    chords: [major(0), major(-5), minor(-3), major(-7), major(0), major(-5), major(-7), major(-5)],
    pattern: [0, 2, 4, 2, 5, 2, 4, 2],
    timbre: [1, 0.35, 0.12],
    drums: 0.5,
  },
  {
    tempo: 78,
    chords: [minor7(-3), major7(-7), major(0), major(-5), minor7(-3), minor7(2), major7(-7), major(-5)],
    pattern: [0, 1, 2, 3, 4, 3, 2, 1],
    timbre: [1, 0.1, 0.25, 0.03],
    drums: 0.25,
  },
  {
    tempo: 112,
    chords: [major(2), minor(-1), major(-5), major(-3), major(2), minor(6), major(-5), major(-3)],
    pattern: [4, 0, 2, 4, 6, 4, 2, 1],
    timbre: [1, 0.5, 0.25, 0.12],
    drums: 0.8,
  },
  {
    tempo: 70,
    chords: [major7(5), minor7(4), minor7(2), major7(0), major7(5), minor7(4), minor7(2), major7(-5)],
    pattern: [0, 3, 1, 2, 5, 3, 4, 2],
    timbre: [1, 0.05, 0.18],
    drums: 0.6,
  },
]

const hertz = (semitones: number) => 261.63 * 2 ** (semitones / 12)

export function music(variant: number, rate: number): Channels {
  const song = songs[variant % songs.length] ?? songs[0]
  const beat = 60 / song.tempo
  const buffer = createLoopBuffer(song.chords.length * 4 * beat, rate)
  for (const [bar, chord] of song.chords.entries()) {
    const start = bar * 4 * beat
    playPad(buffer, chord, start, beat)
    playArpeggio(buffer, song, chord, start, beat)
    playBass(buffer, chord, start, beat)
    playDrums(buffer, song, start, beat)
  }
  return normalized(buffer.channels)
}

function playPad(buffer: LoopBuffer, chord: readonly number[], start: number, beat: number): void {
  for (const [i, note] of chord.entries()) {
    // Two slightly detuned tones, one on each side, widen the stereo image.
    for (const side of [-1, 1]) {
      const pitch = hertz(note) * (1 + side * 0.0018)
      const ring = {
        attack: 0.5,
        seconds: 4.6 * beat,
        decay: 0.12,
        partials: [1, 0.18, 0.07],
        pan: side * 0.6,
      }
      addTone(buffer, { ...ring, start, hertz: pitch, gain: i === 3 ? 0.04 : 0.06 })
    }
  }
}

function playArpeggio(
  buffer: LoopBuffer,
  { pattern, timbre }: Song,
  chord: readonly number[],
  start: number,
  beat: number,
) {
  for (const [i, step] of pattern.entries()) {
    const note = (chord[step % chord.length] ?? 0) + (step >= chord.length ? 12 : 0) + 12
    const pluck = {
      attack: 0.005,
      seconds: 1.8,
      decay: 3.2,
      partials: timbre,
      pan: i % 2 === 0 ? -0.35 : 0.35,
    }
    addTone(buffer, {
      ...pluck,
      start: start + (i * beat) / 2,
      hertz: hertz(note),
      gain: i % 4 === 0 ? 0.2 : 0.14,
    })
  }
}

function playBass(buffer: LoopBuffer, chord: readonly number[], start: number, beat: number): void {
  const low = hertz((chord[0] ?? 0) - 24)
  const string = { attack: 0.015, decay: 1.3, partials: [1, 0.5, 0.15], pan: 0, hertz: low }
  addTone(buffer, { ...string, start, seconds: 2.4 * beat, gain: 0.24 })
  addTone(buffer, { ...string, start: start + 2.5 * beat, seconds: 1.5 * beat, gain: 0.17 })
}

function playDrums(buffer: LoopBuffer, { drums }: Song, start: number, beat: number): void {
  const thump = { attack: 0.002, seconds: 0.22, decay: 18, partials: [1, 0.4], pan: 0, hertz: 52 }
  const random = artifactRandom(7)
  for (let i = 0; i < 4; i += 1) {
    if (i % 2 === 0) addTone(buffer, { ...thump, start: start + i * beat, gain: 0.4 * drums })
    addClick(buffer, random, start + (i + 0.5) * beat, 0.05 * drums)
    if (i % 2 === 1) addClick(buffer, random, start + i * beat, 0.1 * drums)
  }
}
