// The waveform of a voice message, read from the sound itself once it comes into view.

const bars = 44
const readableBytes = 3_000_000
const peaks = new WeakMap()

const seen = new IntersectionObserver((entries) => {
  for (const { target, isIntersecting } of entries) {
    if (!isIntersecting) continue
    seen.unobserve(target)
    void read(target)
  }
})

/** @param {HTMLCanvasElement} canvas @param {number} part how much has been played, 0 to 1 */
export function drawWave(canvas, part) {
  if (!peaks.has(canvas)) {
    peaks.set(canvas, { values: Array(bars).fill(0.12), part })
    seen.observe(canvas)
  }
  const wave = peaks.get(canvas)
  wave.part = part
  paint(canvas, wave)
}

async function read(canvas) {
  const values = await loudness(canvas.dataset.url).catch(() => undefined)
  const wave = peaks.get(canvas)
  if (values) wave.values = values
  paint(canvas, wave)
}

async function loudness(url) {
  const response = await fetch(url)
  if (!response.ok || Number(response.headers.get('content-length')) > readableBytes) return undefined
  const context = new OfflineAudioContext(1, 1, 16000)
  const sound = await context.decodeAudioData(await response.arrayBuffer())
  const samples = sound.getChannelData(0)
  const step = Math.max(1, Math.floor(samples.length / bars))
  const loud = Array.from({ length: bars }, (_, bar) => meanPower(samples, bar * step, step))
  const top = Math.max(...loud, 0.001)
  return loud.map((value) => Math.max(0.12, value / top))
}

function meanPower(samples, from, count) {
  let sum = 0
  for (let at = from; at < from + count; at += 1) sum += (samples[at] ?? 0) ** 2
  return Math.sqrt(sum / count)
}

function paint(canvas, { values, part }) {
  const { clientWidth: width, clientHeight: height } = canvas
  if (width === 0) return
  const scale = devicePixelRatio || 1
  canvas.width = width * scale
  canvas.height = height * scale
  const pen = canvas.getContext('2d')
  pen.scale(scale, scale)
  // A canvas knows no CSS variables, but the computed colour of its own element is a plain one.
  pen.fillStyle = getComputedStyle(canvas).color
  const step = width / values.length
  values.forEach((value, index) => {
    pen.globalAlpha = index / values.length < part ? 1 : 0.36
    const tall = Math.max(3, value * height)
    pen.beginPath()
    pen.roundRect(index * step, (height - tall) / 2, Math.max(1.5, step - 2), tall, 2)
    pen.fill()
  })
}
