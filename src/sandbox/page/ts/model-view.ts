// The view of a 3D model: dragging or the arrow keys turn it, the wheel or + and - change its distance.

import { fill, h } from './dom.ts'
import { NotShown, readGlb } from './glb.ts'
import { t } from './i18n.ts'
import { createModelPainter, type ModelPainter } from './model-painter.ts'

const stepRadians = Math.PI / 12
const turnPerPixel = 0.01
const turnPerMs = 0.0004
const steepest = Math.PI / 2 - 0.05

export function modelView(url: string): HTMLElement {
  const canvas = h('canvas.model-canvas', { tabindex: '0', role: 'img', label: t('model'), testid: 'model' })
  const holder = h('div.model-view', {}, canvas, h('p.model-hint', {}, t('modelHint')))
  void show(canvas, url).catch((error: unknown) => {
    if (!(error instanceof NotShown) && !(error instanceof TypeError)) throw error
    fill(holder, h('span.broken', { testid: 'broken' }, t('unavailable')))
  })
  return holder
}

async function show(canvas: HTMLCanvasElement, url: string): Promise<void> {
  const response = await fetch(url)
  const painter = await createModelPainter(canvas, readGlb(await response.arrayBuffer()))
  canvas.dataset.state = 'shown'
  turnByHand(canvas, painter)
}

interface Turn {
  yaw: number
  pitch: number
  /** 1 shows the whole model. */
  zoom: number
}

const between = (least: number, value: number, most: number) => Math.min(most, Math.max(least, value))

function turnByHand(canvas: HTMLCanvasElement, painter: ModelPainter): void {
  const turn: Turn = { yaw: 0.6, pitch: 0.3, zoom: 1 }
  // The model turns by itself until the user turns it.
  let isTurning = !matchMedia('(prefers-reduced-motion: reduce)').matches
  const change = (by: Partial<Turn>) => {
    turn.yaw += by.yaw ?? 0
    turn.pitch = between(-steepest, turn.pitch + (by.pitch ?? 0), steepest)
    turn.zoom = between(0.4, turn.zoom * (by.zoom ?? 1), 4)
    painter.paint(turn)
  }
  const byHand = (by: Partial<Turn>) => {
    isTurning = false
    change(by)
  }
  let before = performance.now()
  const frame = (now: number) => {
    if (!canvas.isConnected) return painter.destroy()
    if (isTurning) change({ yaw: (now - before) * turnPerMs })
    before = now
    requestAnimationFrame(frame)
  }
  change({})
  requestAnimationFrame(frame)
  listen(canvas, byHand)
}

const keys: Readonly<Record<string, Partial<Turn>>> = {
  ArrowLeft: { yaw: -stepRadians },
  ArrowRight: { yaw: stepRadians },
  ArrowUp: { pitch: -stepRadians },
  ArrowDown: { pitch: stepRadians },
  '+': { zoom: 1.2 },
  '=': { zoom: 1.2 },
  '-': { zoom: 1 / 1.2 },
}

function listen(canvas: HTMLCanvasElement, change: (by: Partial<Turn>) => void): void {
  canvas.addEventListener('keydown', (event) => {
    const by = keys[event.key]
    if (!by) return
    event.preventDefault()
    change(by)
  })
  canvas.addEventListener('pointerdown', (event) => canvas.setPointerCapture(event.pointerId))
  canvas.addEventListener('pointermove', (event) => {
    if (!canvas.hasPointerCapture(event.pointerId)) return
    change({ yaw: event.movementX * turnPerPixel, pitch: event.movementY * turnPerPixel })
  })
  const onwheel = (event: WheelEvent) => {
    event.preventDefault()
    change({ zoom: event.deltaY < 0 ? 1.1 : 1 / 1.1 })
  }
  canvas.addEventListener('wheel', onwheel, { passive: false })
}
