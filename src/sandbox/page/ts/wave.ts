// The waveform of a voice message. It is computed from the sound itself, once the canvas comes into view.

const barCount = 44
const leastBar = 0.12
const readableBytes = 3_000_000

interface Wave {
  /** The height of each bar, 0 to 1. */
  bars: readonly number[]
  /** The played part, 0 to 1. */
  part: number
}

const waves = new WeakMap<Element, Wave>()

const visible = new IntersectionObserver((entries) => {
  for (const { target, isIntersecting } of entries) {
    if (!isIntersecting) continue
    visible.unobserve(target)
    if (target instanceof HTMLCanvasElement) void read(target)
  }
})

/** @param part the played part, 0 to 1 */
export function drawWave(canvas: HTMLCanvasElement, part: number): void {
  const wave = waves.get(canvas) ?? newWave(canvas)
  wave.part = part
  paint(canvas, wave)
}

function newWave(canvas: HTMLCanvasElement): Wave {
  const wave = { bars: Array<number>(barCount).fill(leastBar), part: 0 }
  waves.set(canvas, wave)
  visible.observe(canvas)
  return wave
}

async function read(canvas: HTMLCanvasElement): Promise<void> {
  const bars = await loudness(canvas.dataset.url ?? '').catch(() => undefined)
  const wave = waves.get(canvas)
  if (!wave) return
  if (bars) wave.bars = bars
  paint(canvas, wave)
}

async function loudness(url: string): Promise<number[] | undefined> {
  const response = await fetch(url)
  if (!response.ok || Number(response.headers.get('content-length')) > readableBytes) return undefined
  const context = new OfflineAudioContext(1, 1, 16000)
  const sound = await context.decodeAudioData(await response.arrayBuffer())
  const samples = sound.getChannelData(0)
  const step = Math.max(1, Math.floor(samples.length / barCount))
  const loud = Array.from({ length: barCount }, (_, bar) => meanPower(samples, bar * step, step))
  const top = Math.max(...loud, 0.001)
  return loud.map((value) => Math.max(leastBar, value / top))
}

function meanPower(samples: Float32Array, from: number, count: number): number {
  let sum = 0
  for (let at = from; at < from + count; at += 1) sum += (samples[at] ?? 0) ** 2
  return Math.sqrt(sum / count)
}

function paint(canvas: HTMLCanvasElement, { bars, part }: Wave): void {
  const { clientWidth: width, clientHeight: height } = canvas
  const pen = canvas.getContext('2d')
  if (width === 0 || !pen) return
  const scale = devicePixelRatio || 1
  canvas.width = width * scale
  canvas.height = height * scale
  pen.scale(scale, scale)
  // A canvas cannot use CSS variables, so it takes the computed colour of its element.
  pen.fillStyle = getComputedStyle(canvas).color
  const step = width / bars.length
  bars.forEach((bar, index) => {
    pen.globalAlpha = index / bars.length < part ? 1 : 0.36
    const tall = Math.max(3, bar * height)
    pen.beginPath()
    pen.roundRect(index * step, (height - tall) / 2, Math.max(1.5, step - 2), tall, 2)
    pen.fill()
  })
}
