// The clips that videos are made of, and how they are repeated.
//
// `clips/WIDTHxHEIGHT.mp4` (H.264) and `.webm` (VP9) hold four loops in different colours, each beginning with a key
// frame; `clips/sound.m4a` and `.webm` hold a chord three times; the second of them repeats without a click.
// The 4k clips hold only the first colour. A frame size without an .mp4 is cropped from the middle of the smallest larger clip
// (see crop.ts), so some videos show the scene closer than others; VP9 cannot be cropped, so it has a clip for each size.
// They were made with ffmpeg 5.1, for W and H:
//
//   scene() { echo "st(0\,min(W\,H)); st(1\,hypot(X-W/2\,Y-H/2));
//     st(2\,mod(atan2(Y-H/2\,X-W/2)+2*PI+T*PI/3\,PI/3)-PI/6);
//     st(3\,clip(0.5+Y-H*(0.78+0.05*sin(2*PI*(4*X/W+T)))\,0\,1));
//     st(4\,clip(0.5+ld(0)*0.09-hypot(ld(1)*cos(ld(2))-ld(0)*0.32\,ld(1)*sin(ld(2)))\,0\,1));
//     st(5\,clip(0.5+ld(0)*(0.12+0.02*sin(2*PI*T))-ld(1)\,0\,1));
//     st(6\,$1+($2-$1)*ld(3)); st(6\,ld(6)+($3-ld(6))*ld(4)); ld(6)+($4-ld(6))*ld(5)"; }
//   r=$(scene 28 30 250 255) g=$(scene 36 120 170 240) b=$(scene 74 170 60 205)
//   ffmpeg -f lavfi -i "color=black:s=$((W/2))x$((H/2)):r=16:d=1,format=gbrp,geq=r='$r':g='$g':b='$b',scale=$W:$H,
//     split=4[a][b0][c0][d0];[b0]hue=h=90[b];[c0]hue=h=180[c];[d0]hue=h=270[d];[a][b][c][d]concat=n=4,fps=32,
//     scale=out_color_matrix=bt709:out_range=tv,format=yuv420p,setsar=1,
//     setparams=color_primaries=bt709:color_trc=bt709:colorspace=bt709" -g 32 -keyint_min 32 ...
//   (4k: without the split, the hues and the concat)
//   H.264: -c:v libx264 -preset veryslow -profile:v high -bf 0 -crf 40 -sc_threshold 0
//     -x264-params open-gop=0:aq-mode=0:psy=0 -movflags +faststart
//   VP9: -c:v libvpx-vp9 -b:v 0 -crf 56 -deadline good -cpu-used 1 -auto-alt-ref 0 -lag-in-frames 0
//   sound: aevalsrc='0.1*(0.6+0.4*cos(2*PI*t/P))*(sin(2*PI*225*t/P)+sin(2*PI*281*t/P)+sin(2*PI*337*t/P))':s=48000
//     with P=1.024:d=3.072 for -c:a aac -b:a 40k, and P=1:d=3 for -c:a libopus -b:a 32k -vbr constrained

import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  ALL_FORMATS,
  BufferSource,
  type EncodedPacket,
  EncodedPacketSink,
  Input,
  type InputTrack,
} from 'mediabunny'
import type { Frame } from './crop.ts'

const folder = join(import.meta.dirname, 'clips')

/** A loop in a clip: the index of its first packet, the number of its packets, and its length. */
export interface Loop {
  readonly from: number
  readonly packets: number
  readonly seconds: number
}

/** The smallest clip that is at least as large as the frame. */
export async function clipFor({ width, height }: Frame, type: 'mp4' | 'webm'): Promise<string> {
  const clips = (await readdir(folder)).flatMap((file) => {
    const [, w, h, ext] = /^(\d+)x(\d+)\.(\w+)$/.exec(file) ?? []
    const isLargeEnough = ext === type && Number(w) >= width && Number(h) >= height
    return isLargeEnough ? [{ file, area: Number(w) * Number(h) }] : []
  })
  const [smallest] = clips.toSorted((a, b) => a.area - b.area || a.file.localeCompare(b.file))
  assert(smallest, `no ${type} clip is as large as ${width}x${height}`)
  return smallest.file
}

export async function withClip(file: string, use: (input: Input) => Promise<void>): Promise<void> {
  const input = new Input({
    source: new BufferSource(await readFile(join(folder, file))),
    formats: ALL_FORMATS,
  })
  try {
    await use(input)
  } finally {
    input.dispose()
  }
}

export async function* repeat(track: InputTrack, loop: Loop, seconds: number): AsyncGenerator<EncodedPacket> {
  const packets = await packetsOf(track, loop)
  const step = loop.seconds / loop.packets
  const count = Math.ceil(seconds / step - 1e-6)
  for (let n = 0; n < count; n += 1) {
    const packet = packets[n % packets.length]
    assert(packet, 'the loop has the stated number of packets')
    const timestamp = n * step
    // The last packet is shortened when the length is not a whole number of packets.
    yield packet.clone({ timestamp, duration: Math.min(step, seconds - timestamp), sequenceNumber: n })
  }
}

async function packetsOf(track: InputTrack, { from, packets }: Loop): Promise<EncodedPacket[]> {
  const all: EncodedPacket[] = []
  for await (const packet of new EncodedPacketSink(track).packets()) all.push(packet)
  // A clip with fewer loops repeats them.
  const chosen = all.slice(from % all.length).slice(0, packets)
  assert(
    chosen.length === packets && chosen[0]?.type === 'key',
    'a loop is complete and begins with a key frame',
  )
  return chosen
}
