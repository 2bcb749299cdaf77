// Textures of models: small tiles that repeat without a seam.

import sharp from 'sharp'

const times = (count: number, draw: (i: number) => string): string =>
  Array.from({ length: count }, (_, i) => draw(i)).join('')

const bar = (y: number, height: number, fill: string) =>
  `<rect y="${y}" width="256" height="${height}" fill="${fill}"/>`
const dot = (x: number, y: number, r: number, fill: string) =>
  `<circle cx="${x}" cy="${y}" r="${r}" fill="${fill}"/>`

const stripes = times(3, (i) => {
  const y = i * 256 - 256
  const fill = ['#f2c14e', '#e4572e', '#f2c14e'][i % 3] ?? ''
  return `<path d="M0 ${y}L256 ${y + 256}V${y + 384}L0 ${y + 128}Z" fill="${fill}"/>`
})

const flowers = times(2, (i) => {
  const [x, y] = [64 + i * 128, 64 + i * 128]
  return (
    times(6, (k) => dot(x + 26 * Math.cos(k * 1.0472), y + 26 * Math.sin(k * 1.0472), 15, '#e8f1f8')) +
    dot(x, y, 14, '#f2b134')
  )
})

const plates = `${bar(0, 256, '#e9edf1')}${bar(0, 5, '#aab4bf')}<rect width="5" height="256" fill="#aab4bf"/>${bar(104, 48, '#d6362f')}${times(8, (i) => dot(16 + i * 32, 16, 4, '#8d99a6'))}`

const spots =
  dot(64, 64, 44, '#ffd166') +
  dot(192, 192, 44, '#06d6a0') +
  dot(192, 64, 22, '#ef476f') +
  dot(64, 192, 22, '#f8f4ff')

const tiles: readonly (readonly [ground: string, drawing: string])[] = [
  ['#5b2a86', stripes],
  ['#2468a2', flowers],
  ['#e9edf1', plates],
  ['#5a37a6', spots],
]

export function texturePng(variant: number): Promise<Buffer> {
  const [ground = '#ffffff', drawing = ''] = tiles[variant % tiles.length] ?? []
  const tile = `<svg xmlns="http://www.w3.org/2000/svg" width="256" height="256"><rect width="256" height="256" fill="${ground}"/>${drawing}</svg>`
  return sharp(Buffer.from(tile)).removeAlpha().png().toBuffer()
}
